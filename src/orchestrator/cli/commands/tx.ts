import { EXIT, Failure } from '../../../system/failure.ts';
import type { CommandDefinition } from '../input/command.ts';
import { DEVNET_OPTIONS } from '../input/devnet-options.ts';
import { PLACE_OPTIONS, showFound } from '../input/inspect.ts';

export const command: CommandDefinition = {
  name: 'tx',
  group: 'look into its chains',
  summary: 'print a transaction of L1 or L2, decoded: call, fees, deposit, batch, logs',
  examples: [
    'devnet tx 0x0000000000000000000000000000000000000000000000000000000000000001 --trace',
    'devnet tx 0x5fe7f977 --chain l1 --json',
  ],
  exits: { 1: 'no chain has it' },
  arguments: [{ syntax: '<hash>', description: 'the hash of the transaction, or its first digits' }],
  options: [
    { flags: '--trace', description: 'add the calls that it makes' },
    ...PLACE_OPTIONS,
    { flags: '--json', description: 'one JSON document' },
    ...DEVNET_OPTIONS,
  ],
  async run(io, [hash], options) {
    const [{ readTransaction }, { transactionLines }, { hashOfPrefix, isHashPrefix }] = await Promise.all([
      import('../../inspect/transaction.ts'),
      import('../../inspect/text.ts'),
      import('../../inspect/hash-prefix.ts'),
    ]);
    if (typeof hash !== 'string' || !isHashPrefix(hash))
      throw new Failure(
        'usage',
        `tx: expected a hash of 32 bytes in hex, or its first digits, found ${JSON.stringify(hash)}`,
        { exit: EXIT.usage },
      );
    let whole: Promise<string> | undefined;
    return showFound(io, options, `transaction ${hash}`, transactionLines, async (inspector, layer, layers) => {
      whole ??= hashOfPrefix(layers, 'transaction', hash);
      return readTransaction(inspector, layer, await whole, options['trace'] === true);
    });
  },
};
