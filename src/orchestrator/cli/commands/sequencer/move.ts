import { EXIT } from '../../../../system/failure.ts';
import { moveSequencer } from '../../../change/nodes/move-sequencer.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';
import { CHAIN_OPTION, DEVNET_OPTIONS } from '../../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'sequencer move',
  group: 'change a network',
  summary: "give the sequencer's role to another node, without a fork and without a lost transaction",
  examples: ['devnet sequencer move verifier', 'devnet sequencer move main/verifier --json'],
  exits: { 1: 'the move failed and was undone: the former sequencer goes on' },
  arguments: [{ syntax: '<node>', description: 'NODE or CHAIN/NODE: the next sequencer' }],
  options: [{ flags: '--json', description: 'one JSON document' }, CHAIN_OPTION, ...DEVNET_OPTIONS],
  async run(io, [node], options) {
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const moved = await moveSequencer(io, devnet, String(node), textOption(options, 'chain'));
    if (options['json'] === true) io.stdout(`${JSON.stringify(moved, null, 2)}\n`);
    else
      io.stderr(
        `${moved.chain}: ${moved.to} is the sequencer from block ${moved.block + 1} on, ${moved.from} a verifier\n` +
          `${moved.forwarded} pending ${moved.forwarded === 1 ? 'transaction' : 'transactions'} handed over; ` +
          `${moved.restarted.join(', ')} restarted\n`,
      );
    return EXIT.done;
  },
};
