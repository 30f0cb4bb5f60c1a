import { EXIT } from '../../../system/failure.ts';
import { type NodeAction, sayAction } from '../../change/act-on-node.ts';
import { selectDevnet } from '../../devnet/select.ts';
import {
  type ArgumentDefinition,
  type CommandDefinition,
  type OptionDefinition,
  textOption,
} from '../input/command.ts';
import { DEVNET_OPTIONS } from '../input/devnet-options.ts';

export const NODE_ARGUMENT: ArgumentDefinition = {
  syntax: '<node>',
  description: 'NODE, NODE.el, NODE.cl, batcher, proposer, l1, l1-beacon, or a task as status names it',
};

export const NODE_OPTIONS: readonly OptionDefinition[] = DEVNET_OPTIONS;

/** Defines the command `node <action>`. */
export function nodeActionCommand(action: NodeAction, summary: string): CommandDefinition {
  return {
    name: `node ${action}`,
    group: 'change a network',
    summary,
    examples: [`devnet node ${action} verifier`, `devnet node ${action} sequencer.cl`],
    arguments: [NODE_ARGUMENT],
    options: NODE_OPTIONS,
    async run(io, [node], options) {
      await sayAction(io, selectDevnet(io, textOption(options, 'name')), action, String(node));
      return EXIT.done;
    },
  };
}
