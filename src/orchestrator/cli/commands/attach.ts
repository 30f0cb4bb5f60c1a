import { EXIT, Failure } from '../../../system/failure.ts';
import { type AttachSource, findNetwork } from '../../attach/attach.ts';
import { bringUp } from '../../start/bring-up.ts';
import { sayEnd } from '../../start/say-end.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';
import { readyBudget } from '../input/ready-budget.ts';

export const command: CommandDefinition = {
  name: 'attach',
  group: 'other machines',
  summary: 'watch a network that runs elsewhere, as one of this machine; `down` detaches it and ends nothing',
  examples: [
    'devnet attach team.yaml',
    'devnet attach --kube devnet-default -d',
    'devnet attach mine.yaml --context default -d',
  ],
  arguments: [{ syntax: '[file]', description: 'addresses of L1 and of the nodes; with an engine: nodes that join' }],
  options: [
    { flags: '--kube <namespace>', description: 'what `export k8s` made there, in the cluster of the kubeconfig' },
    { flags: '--context <name>', description: 'what Docker Compose or a swarm runs there: a Docker context' },
    { flags: '-d, --detach', description: 'leave it attached when it is ready' },
    { flags: '-n, --name <name>', description: 'the name by which commands find it, in place of its own' },
    { flags: '--ready-budget <time>', description: 'time until all of it answers and agrees (default: 60s)' },
  ],
  async run(io, [file], options) {
    const detach = options['detach'] === true;
    const source = sourceOf(file, textOption(options, 'kube'), textOption(options, 'context'));
    const network = await findNetwork(io, source, textOption(options, 'name'));
    const up = await bringUp(io, {
      source: { attached: network.plan },
      ...readyBudget(io, options),
      followInput: !detach,
      followSignals: true,
      quiet: false,
    });
    if (up.kind === 'no') return up.code;
    if (!detach) return await sayEnd(io, await up.session.ended, up.plan.devnet);
    up.session.detach();
    return EXIT.done;
  },
};

/** @throws Failure `usage` (exit 2) unless one place is named. Beside an engine the file names nodes that join */
function sourceOf(file: unknown, kube: string | undefined, context: string | undefined): AttachSource {
  const joins = typeof file === 'string' ? { joins: file } : {};
  if (kube !== undefined && context === undefined) return { kube, ...joins };
  if (context !== undefined && kube === undefined) return { context, ...joins };
  if (typeof file === 'string' && kube === undefined) return { file };
  const words = kube === undefined ? 'none' : '--kube and --context';
  throw new Failure('usage', `expected FILE, --kube or --context, found ${words}`, {
    exit: EXIT.usage,
    hint: 'see `devnet attach --help`',
  });
}
