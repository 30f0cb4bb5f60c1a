import { describe, expect, it } from 'vitest';
import { receiptFetcher } from '../../../../src/nodes/rollup/l1/receipts.ts';
import { encodeReceipt } from '../../../../src/nodes/rpc-types/receipt.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';

const hashes: Hex[] = [`0x${'0a'.repeat(32)}`, `0x${'0b'.repeat(32)}`];
const log = (logIndex: number, at: number) => ({
  address: `0x${'12'.repeat(20)}`,
  topics: [`0x${'34'.repeat(32)}`],
  data: '0x5678',
  logIndex: `0x${logIndex}`,
  transactionHash: hashes[at],
});
const RECEIPTS = [
  { type: '0x2', status: '0x1', cumulativeGasUsed: '0x5208', logs: [log(0, 0), log(1, 0)], transactionHash: hashes[0] },
  { type: '0x0', status: '0x0', cumulativeGasUsed: '0xa410', logs: [log(2, 1)], transactionHash: hashes[1] },
].map((receipt) => ({ ...receipt, logsBloom: `0x${'00'.repeat(256)}` }));

describe('raw receipts', () => {
  it('decode like those in JSON, with log indices counted over the block', async () => {
    const block = Promise.resolve({ header: { number: 1 }, transactionHashes: hashes });
    const read = async (kind: 'debug_geth' | 'standard', answer: unknown) => {
      let logs = 0;
      return (await receiptFetcher(async () => answer, kind)(`0x${'99'.repeat(32)}`, block)).map((receipt) => {
        const one = receipt.read(logs);
        logs += one.logs.length;
        return { one, encoded: bytesToHex(receipt.encode()) };
      });
    };
    const raw = RECEIPTS.map((receipt) => bytesToHex(encodeReceipt(receipt)));
    expect(await read('debug_geth', raw)).toEqual(await read('standard', RECEIPTS));
  });
});
