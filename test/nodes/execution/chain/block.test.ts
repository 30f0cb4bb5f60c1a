import { describe, expect, it } from 'vitest';
import { BlockPath, signedTransactions, toCanonical } from '../../../../src/nodes/execution/chain/block.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { deposit } from '../support/driver.ts';
import { addressOf, blockOf, hashOf, receiptOf } from '../views/sample-block.ts';
import { SHAPES, sign } from '../views/sample-transactions.ts';

const signed = await sign(SHAPES['eip1559']!);

describe('a path of blocks', () => {
  it('reads each block when it is reached', () => {
    const read: Hex[] = [];
    const hashes = [hashOf(1), hashOf(2), hashOf(3)];
    const path = new BlockPath(hashes, (hash) => {
      read.push(hash);
      return { ...blockOf([], []), hash };
    });
    expect([path.length, path.hashes, read]).toEqual([3, hashes, []]);
    const blocks = path[Symbol.iterator]();
    expect([blocks.next().value?.hash, read]).toEqual([hashOf(1), [hashOf(1)]]);
    expect([...path].map(({ hash }) => hash)).toEqual(hashes);
  });
});

describe('a block', () => {
  it('has the transactions that were signed, without its deposits', () => {
    const block = blockOf([deposit({ to: addressOf(1) }), signed], []);
    expect(signedTransactions(block).map(({ raw }) => bytesToHex(raw))).toEqual([signed]);
  });

  it('is indexed by its transactions, and by each address and topic of its logs once', () => {
    const log = (address: number, ...topics: readonly number[]) => ({
      address: addressOf(address),
      topics: topics.map(hashOf),
      data: '0x' as const,
    });
    const receipts = [
      receiptOf({ transactionHash: hashOf(5), logs: [log(1, 2, 3), log(1, 3)] }),
      receiptOf({ transactionHash: hashOf(6) }),
      receiptOf({ transactionHash: hashOf(7), logs: [log(4)] }),
    ];
    const block = blockOf([], receipts);
    expect(toCanonical(block)).toEqual({
      hash: block.hash,
      number: block.header.number,
      transactions: [5, 6, 7].map(hashOf),
      logValues: [addressOf(1), hashOf(2), hashOf(3), addressOf(4)],
    });
  });
});
