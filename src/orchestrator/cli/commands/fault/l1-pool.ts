import { EXIT, Failure } from '../../../../system/failure.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { POOL_ACTIONS } from '../../../state/faults.ts';
import { FAULT_OPTIONS, runFault } from '../../families/fault-command.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';
import { numberOption } from '../../input/number-option.ts';

export const command: CommandDefinition = {
  name: 'fault l1-pool',
  group: 'change a network',
  summary:
    'let one transaction vanish from the pool of L1, be replaced there, or wait in it; `fault drop` stops a link',
  examples: ['devnet fault l1-pool drop batcher', 'devnet fault l1-pool hold batcher --epochs 1'],
  arguments: [
    { syntax: '<action>', description: POOL_ACTIONS.join(', ') },
    {
      syntax: '<transaction>',
      description: 'its hash; or batcher, proposer or CHAIN/batcher for its next one',
    },
  ],
  options: [
    { flags: '--epochs <n>', description: 'with hold: let go after so many epochs of 32 slots; default: when healed' },
    ...FAULT_OPTIONS,
  ],
  async run(io, [word, of], options) {
    const action = POOL_ACTIONS.find((each) => each === word);
    if (action === undefined)
      throw new Failure('usage', `expected one of ${POOL_ACTIONS.join(', ')}, found ${JSON.stringify(word)}`, {
        exit: EXIT.usage,
      });
    const epochs = numberOption(options, 'epochs', 1, 1000);
    if (epochs !== undefined && (action !== 'hold' || options['for'] !== undefined))
      throw new Failure('usage', '--epochs goes with hold, without --for', { exit: EXIT.usage });
    const pool = { action, of: String(of), ...(epochs === undefined ? {} : { epochs }) };
    return runFault(io, selectDevnet(io, textOption(options, 'name')), { pool }, options);
  },
};
