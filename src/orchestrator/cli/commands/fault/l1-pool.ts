import { EXIT, Failure } from '../../../../system/failure.ts';
import { faultL1Pool, type L1PoolFault, l1PoolFaults, POOL_ACTIONS } from '../../../change/l1-pool.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';
import { DEVNET_OPTIONS } from '../../input/devnet-options.ts';
import { numberOption } from '../../input/number-option.ts';

const ACTION_WORDS = [...POOL_ACTIONS, 'heal', 'ls'] as const;

export const command: CommandDefinition = {
  name: 'fault l1-pool',
  group: 'change a network',
  summary: 'let a transaction vanish from the pool of L1, be replaced there, or wait in it',
  examples: [
    'devnet fault l1-pool drop batcher',
    'devnet fault l1-pool hold batcher --epochs 1',
    'devnet fault l1-pool heal 1',
  ],
  arguments: [
    { syntax: '<action>', description: ACTION_WORDS.join(', ') },
    {
      syntax: '[transaction]',
      description: 'its hash, or batcher, proposer or CHAIN/batcher for its next one; with heal the number of a fault',
    },
  ],
  options: [
    { flags: '--epochs <n>', description: 'with hold: let go after so many epochs of 32 slots; default: when healed' },
    { flags: '--json', description: 'one JSON document' },
    ...DEVNET_OPTIONS,
  ],
  async run(io, [action, word], options) {
    const doing = ACTION_WORDS.find((each) => each === action);
    const epochs = numberOption(options, 'epochs', 1, 1000);
    if (doing === undefined || (word === undefined) !== (doing === 'ls') || (epochs !== undefined && doing !== 'hold'))
      throw new Failure('usage', `expected ${ACTION_WORDS.join(', ')}, and what for; --epochs goes with hold`, {
        exit: EXIT.usage,
      });
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const faults =
      doing === 'heal' || doing === 'ls'
        ? await l1PoolFaults(devnet, doing === 'ls' ? undefined : idOf(String(word)))
        : await faultL1Pool(devnet, { action: doing, of: String(word), epochs });
    io.stdout(options['json'] === true ? `${JSON.stringify({ faults }, null, 2)}\n` : textOf(faults));
    return EXIT.done;
  },
};

/** @throws Failure `usage` */
function idOf(word: string): number {
  if (/^\d{1,9}$/.test(word)) return Number(word);
  throw new Failure('usage', `expected the number of a fault, found ${JSON.stringify(word)}`, { exit: EXIT.usage });
}

function textOf(faults: readonly L1PoolFault[]): string {
  if (faults.length === 0) return 'the pool of L1 has no fault\n';
  return faults
    .map(
      ({ id, action, from, nonce }) =>
        `${id}  ${action}  ${from}  ${nonce === undefined ? 'next' : `nonce ${nonce}`}\n`,
    )
    .join('');
}
