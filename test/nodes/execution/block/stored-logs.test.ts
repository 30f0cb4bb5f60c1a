import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeStored, encodeStored, type Receipt } from '../../../../src/nodes/execution/block/receipt.ts';
import { storedLogs } from '../../../../src/nodes/execution/block/stored-logs.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { runToCompletion } from '../../../../src/protocol/resumable.ts';
import type { Hex } from '../../../../src/protocol/types.ts';

const hex = (length: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map(bytesToHex);
const log = fc.record({
  address: hex(20),
  topics: fc.array(hex(32), { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 300 }).map(bytesToHex),
});
const receipt: fc.Arbitrary<Receipt> = fc.record({
  type: fc.constantFrom(0, 1, 2, 4, 0x7e),
  status: fc.boolean(),
  cumulativeGasUsed: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  logs: fc.array(log, { maxLength: 4 }),
  transactionHash: hex(32),
  from: hex(20),
  to: fc.option(hex(20)),
  gasUsed: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  effectiveGasPrice: fc.bigInt({ min: 0n, max: 2n ** 128n }),
  contractAddress: fc.option(hex(20)),
});

test('the logs of stored receipts are those of the receipts, each with its transaction', () => {
  fc.assert(
    fc.property(fc.array(receipt, { maxLength: 6 }), (receipts) => {
      const stored = runToCompletion(encodeStored({ receipts, feeFields: { l1GasPrice: '0x1' } }));
      const read = [...storedLogs(stored)].map(({ position, transactionHash, address, topics, encoded }) => {
        expect([bytesToHex(encoded.address), encoded.topics.map(bytesToHex)]).toEqual([address, topics]);
        return {
          position,
          transactionHash: bytesToHex(transactionHash),
          address,
          topics,
          data: bytesToHex(encoded.data),
        };
      });
      const written = decodeStored(stored).receipts.flatMap(({ transactionHash, logs }, position) =>
        logs.map((one) => ({ position, transactionHash, ...one })),
      );
      expect(read).toEqual(written);
    }),
  );
});
