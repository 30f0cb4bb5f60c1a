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
    'devnet tx 0x0000000000000000000000000000000000000000000000000000000000000001 --chain l1 --json',
  ],
  exits: { 1: 'no chain has it' },
  arguments: [{ syntax: '<hash>', description: 'the hash of the transaction' }],
  options: [
    { flags: '--trace', description: 'add the calls that it makes' },
    ...PLACE_OPTIONS,
    { flags: '--json', description: 'one JSON document' },
    ...DEVNET_OPTIONS,
  ],
  async run(io, [hash], options) {
    if (typeof hash !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(hash))
      throw new Failure('usage', `tx: expected a hash of 32 bytes in hex, found ${JSON.stringify(hash)}`, {
        exit: EXIT.usage,
      });
    const [{ readTransaction }, { transactionLines }] = await Promise.all([
      import('../../inspect/transaction.ts'),
      import('../../inspect/text.ts'),
    ]);
    return showFound(io, options, `transaction ${hash}`, transactionLines, (inspector, layer) =>
      readTransaction(inspector, layer, hash.toLowerCase(), options['trace'] === true),
    );
  },
};
