import { EXIT } from '../../../system/failure.ts';
import { sayAction } from '../../change/act-on-node.ts';
import { type PosterKind, posterOf } from '../../change/poster.ts';
import { selectDevnet } from '../../devnet/select.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';
import { DEVNET_OPTIONS } from '../input/devnet-options.ts';

/** Defines the command that stops or starts the batcher or the proposer of a chain. */
export function posterCommand(kind: PosterKind, action: 'stop' | 'start', summary: string): CommandDefinition {
  return {
    name: `${kind} ${action}`,
    group: 'change a network',
    summary,
    examples: [`devnet ${kind} ${action}`, `devnet ${kind} ${action} main`],
    arguments: [{ syntax: '[chain]', description: 'the rollup chain; may be left out if the devnet has one' }],
    options: DEVNET_OPTIONS,
    async run(io, [chain], options) {
      const devnet = selectDevnet(io, textOption(options, 'name'));
      await sayAction(io, devnet, action, posterOf(devnet, kind, typeof chain === 'string' ? chain : undefined));
      return EXIT.done;
    },
  };
}
