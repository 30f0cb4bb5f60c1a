import { EXIT } from '../../../../system/failure.ts';
import { skewClock, skewedText } from '../../../change/skew-clock.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { NODE_ARGUMENT, NODE_OPTIONS } from '../../families/node-command.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';

export const command: CommandDefinition = {
  name: 'clock skew',
  group: 'change a network',
  summary: "set the clock of a node's processes ahead or back, as on a machine without time synchronisation",
  examples: ['devnet clock skew verifier +10s', 'devnet clock skew verifier.cl +70s', 'devnet clock skew verifier 0'],
  arguments: [NODE_ARGUMENT, { syntax: '<amount>', description: '+10s, -1500ms, or 0 to end it' }],
  options: NODE_OPTIONS,
  hasSignedWords: true,
  async run(io, [node, amount], options) {
    const devnet = selectDevnet(io, textOption(options, 'name'));
    io.stderr(skewedText(await skewClock(devnet, String(node), String(amount))));
    return EXIT.done;
  },
};
