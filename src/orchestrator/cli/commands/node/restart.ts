import { DEFAULT_BASE } from '../../../../protocol/forks/index.ts';
import { EXIT, Failure } from '../../../../system/failure.ts';
import { changeNode } from '../../../change/change-node.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { NODE_ARGUMENT, NODE_OPTIONS } from '../../families/node-command.ts';
import { CHANGE_OPTIONS, wishOf } from '../../input/change-options.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';

export const command: CommandDefinition = {
  name: 'node restart',
  group: 'change a network',
  summary: "stop a node's processes and start them again, with other fork times or arguments if wanted",
  examples: [
    `devnet node restart verifier --override ${DEFAULT_BASE}=+60s`,
    `devnet node restart verifier --override ${DEFAULT_BASE}=chain --rewind`,
    'devnet node restart batcher --arg data-availability-type=blobs',
  ],
  arguments: [NODE_ARGUMENT],
  options: [
    ...CHANGE_OPTIONS,
    { flags: '--rewind', description: 'if the head is past a moved activation, go back to the block before it' },
    ...NODE_OPTIONS,
  ],
  async run(io, [node], options) {
    const rewind = options['rewind'] === true;
    if (rewind && options['override'] === undefined)
      throw new Failure('usage', '--rewind: expected --override FORK=TIME with it', { exit: EXIT.usage });
    await changeNode(io, selectDevnet(io, textOption(options, 'name')), String(node), wishOf(options), {
      rewind,
      empty: false,
    });
    return EXIT.done;
  },
};
