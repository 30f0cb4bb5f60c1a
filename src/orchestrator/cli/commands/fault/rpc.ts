import { EXIT, Failure } from '../../../../system/failure.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { RPC_ANSWERS } from '../../../state/faults.ts';
import { FAULT_OPTIONS, runFault } from '../../families/fault-command.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';

export const command: CommandDefinition = {
  name: 'fault rpc',
  group: 'change a network',
  summary: 'give wrong answers to calls of one method; all others pass',
  examples: [
    'devnet fault rpc l1 eth_getBlockReceipts wrong-receipt',
    'devnet fault rpc beacon blob_sidecars missing-blob --for 30s',
    'devnet fault rpc verifier engine_newPayloadV4 timeout',
  ],
  arguments: [
    { syntax: '<target>', description: 'NODE, l1 or beacon' },
    { syntax: '<method>', description: 'a method; with beacon a word of a path: blob_sidecars, genesis, spec' },
    { syntax: '<answer>', description: RPC_ANSWERS.join(', ') },
  ],
  options: FAULT_OPTIONS,
  async run(io, [target, method, word], options) {
    const answer = RPC_ANSWERS.find((each) => each === word);
    if (answer === undefined)
      throw new Failure('usage', `expected one of ${RPC_ANSWERS.join(', ')}, found ${JSON.stringify(word)}`, {
        exit: EXIT.usage,
      });
    const rpc = { target: String(target), method: String(method), answer };
    return runFault(io, selectDevnet(io, textOption(options, 'name')), { rpc }, options);
  },
};
