import { EXIT } from '../../../system/failure.ts';
import { freshState } from '../../devnet/fresh-state.ts';
import { devnetAt, selectDevnet, viewOf } from '../../devnet/select.ts';
import { homeOf } from '../../folder/home.ts';
import type { Plan } from '../../plan/plan.ts';
import { bringUp } from '../../start/bring-up.ts';
import { reuse } from '../../start/reuse.ts';
import { sayEnd } from '../../start/say-end.ts';
import type { Session } from '../../start/session-client.ts';
import { pathsOf } from '../../state/paths.ts';
import type { Io } from '../../terminal/io.ts';
import type { Progress } from '../../terminal/progress.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';
import { durationOption } from '../input/duration-option.ts';
import { readyBudget } from '../input/ready-budget.ts';
import { specInput } from '../input/spec-options.ts';
import { UP_OPTIONS } from '../input/up-options.ts';

export const command: CommandDefinition = {
  name: 'up',
  group: 'run a network',
  summary: 'start the network of a spec and stay attached; Ctrl-C tears it down',
  examples: [
    'devnet up',
    'devnet up fork-drill -d',
    'devnet up ./my.yaml --set chains.main.blockTime=1 --ttl 30m',
    'devnet up --from deployed',
  ],
  arguments: [
    {
      syntax: '[spec]',
      description: 'a path, or the name of a file in devnets/; default: devnet.yaml here, else `default`',
    },
  ],
  options: [
    { flags: '-d, --detach', description: 'leave it running when it is ready' },
    { flags: '--reuse', description: 'use a devnet of this name that is up, or resume one that is stopped' },
    { flags: '--from <snapshot>', description: 'begin where a snapshot was taken: its name, or a file' },
    ...UP_OPTIONS,
    { flags: '--json', description: 'when it is ready, print its status as one JSON document' },
  ],
  async run(io, [spec], options) {
    const input = specInput(spec, options);
    const budget = readyBudget(io, options);
    const ttlMs = durationOption(options, 'ttl');
    const detach = options['detach'] === true;
    const up = await bringUp(io, {
      source: {
        input,
        settle: ({ spec }) => reuse(io, spec.name, options['reuse'] === true, budget.budgetMs),
        from: textOption(options, 'from'),
      },
      ...budget,
      report: textOption(options, 'report'),
      ...(ttlMs === undefined ? {} : { ttlMs }),
      followInput: !detach,
      followSignals: true,
      quiet: false,
    });
    if (up.kind === 'no') return up.code;
    if (options['json'] === true) {
      const { statusOf } = await import('../../devnet/status-of.ts');
      const status = await statusOf(devnetAt(pathsOf(homeOf(io), up.plan.devnet)));
      io.stdout(`${JSON.stringify(status, null, 2)}\n`);
    }
    if (detach) {
      up.session.detach();
      return EXIT.done;
    }
    if (up.handOver !== undefined && options['json'] !== true)
      return await viewed(io, up.plan, up.session, up.handOver);
    return await sayEnd(io, await up.session.ended, up.plan.devnet);
  },
};

/** Shows the live view until the network ends or the view is left. Returns the exit code. */
async function viewed(io: Io, plan: Plan, session: Session, handOver: (next: Progress) => void): Promise<number> {
  const { openLiveView } = await import('../../terminal/live-view/run.ts');
  const devnet = () => selectDevnet(io, plan.devnet);
  const left = Promise.withResolvers<'left'>();
  const view = await openLiveView({
    read: async () => ({ plan: viewOf(devnet()).plan, state: await freshState(devnet()) }),
    runnable: (text) => io.runnable?.(text) ?? text,
    detach: () => left.resolve('left'),
    interrupt: () => process.kill(process.pid, 'SIGINT'),
  });
  handOver(view);
  const end = await Promise.race([session.ended, left.promise]);
  await view.stop();
  if (end !== 'left') return sayEnd(io, end, plan.devnet);
  session.detach();
  io.stderr(`${plan.devnet} runs on; \`devnet down ${plan.devnet}\` takes it down\n`);
  return EXIT.done;
}
