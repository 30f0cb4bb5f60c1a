import { EXIT, Failure } from '../../system/failure.ts';
import type { Plan } from '../plan/plan.ts';
import { bringUp, durationOption, sayEnd } from '../workflow/bring-up.ts';
import type { CommandDefinition, Io } from '../workflow/command.ts';
import { freshState } from '../workflow/fresh-state.ts';
import type { Progress } from '../workflow/progress.ts';
import { reuse } from '../workflow/reuse.ts';
import { selectDevnet, viewOf } from '../workflow/select.ts';
import type { Session } from '../workflow/session-client.ts';
import { specInput } from '../workflow/spec-options.ts';
import { UP_OPTIONS } from '../workflow/up-options.ts';

export const command: CommandDefinition = {
  name: 'up',
  summary: 'start the network of a spec and stay attached; Ctrl-C tears it down',
  arguments: [
    {
      syntax: '[spec]',
      description: 'a path, or the name of a file in devnets/; default: devnet.yaml here, else `default`',
    },
  ],
  options: [
    { flags: '-d, --detach', description: 'leave it running when it is ready' },
    { flags: '--reuse', description: 'use a devnet of this name that is up, or resume one that is stopped' },
    ...UP_OPTIONS,
    { flags: '--json', description: 'when it is ready, print its status as one JSON document' },
  ],
  async run(io, [spec], options) {
    const input = specInput(spec, options);
    const budgetMs = durationOption(options, 'readyBudget') ?? defaultBudget(io.env);
    const ttlMs = durationOption(options, 'ttl');
    const detach = options['detach'] === true;
    const up = await bringUp(io, {
      input,
      settle: ({ spec }) => reuse(io, spec.name, options['reuse'] === true, budgetMs),
      budgetMs,
      ...(ttlMs === undefined ? {} : { ttlMs }),
      followInput: !detach,
      quiet: false,
    });
    if (up.kind === 'no') return up.code;
    if (options['json'] === true) {
      const { statusOf } = await import('./status.ts');
      io.stdout(`${JSON.stringify(await statusOf(io, up.plan.devnet), null, 2)}\n`);
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
  const { openLiveView } = await import('../workflow/live-view/run.ts');
  const devnet = () => selectDevnet(io, plan.devnet);
  const left = Promise.withResolvers<'left'>();
  const view = await openLiveView({
    read: async () => ({ plan: viewOf(devnet()).plan, state: await freshState(devnet()) }),
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

/** Returns one minute times `DEVNET_TIMEOUT_FACTOR`, which slow or busy machines set. @throws Failure (exit 2) */
export function defaultBudget(env: Readonly<Record<string, string | undefined>>): number {
  const factor = Number(env['DEVNET_TIMEOUT_FACTOR'] ?? 1);
  if (!(factor > 0))
    throw new Failure('usage', 'DEVNET_TIMEOUT_FACTOR: expected a number above 0', { exit: EXIT.usage });
  return 60_000 * factor;
}
