import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BlockReader } from '../../../../src/nodes/execution/chain/block-reader.ts';
import type { ChainStore } from '../../../../src/nodes/execution/store/chain-store.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { StoredChain } from '../support/stored-chain.ts';
import { addressOf, blockOf, hashOf, receiptOf } from '../views/sample-block.ts';

let sample: StoredChain;
let stored: Hex;
beforeAll(async () => {
  sample = new StoredChain();
  stored = await sample.child(sample.chain.genesisHash, 1);
});
afterAll(() => sample[Symbol.dispose]());

/** A reader of the sample's store, and its reads. */
function opened() {
  const { store } = sample.chain;
  const reads = { header: vi.fn((hash: Hex) => store.header(hash)), block: vi.fn((hash: Hex) => store.block(hash)) };
  const counts = () => [reads.header.mock.calls.length, reads.block.mock.calls.length];
  return { reader: new BlockReader(reads as unknown as ChainStore), counts };
}

describe('the block reader', () => {
  it('reads a header once', () => {
    const { reader, counts } = opened();
    const header = reader.header(stored);
    expect([header?.number, reader.header(stored) === header, counts()]).toEqual([1, true, [1, 0]]);
  });

  it('reads a block once, and its header not at all then', () => {
    const { reader, counts } = opened();
    const block = reader.block(stored);
    expect([block?.hash, block?.header.number, block?.transactions.length]).toEqual([stored, 1, 1]);
    expect([reader.block(stored) === block, reader.header(stored) === block?.header, counts()]).toEqual([
      true,
      true,
      [0, 1],
    ]);
  });

  it('has no block that is not stored', () => {
    const { reader } = opened();
    expect([reader.header(hashOf(9)), reader.block(hashOf(9))]).toEqual([undefined, undefined]);
  });

  it('keeps a block that was just stored, until it is to forget it', () => {
    const { reader, counts } = opened();
    const block = { ...blockOf([], []), hash: stored };
    reader.add(block);
    expect([reader.block(stored) === block, reader.header(stored) === block.header, counts()]).toEqual([
      true,
      true,
      [0, 0],
    ]);
    reader.forget(stored);
    expect([reader.header(stored)?.number, reader.block(stored)?.header.number, counts()]).toEqual([1, 1, [1, 1]]);
    reader.forget(stored);
    reader.header(stored);
    expect(counts()).toEqual([2, 1]);
  });

  it('keeps 128 blocks', () => {
    const { reader } = opened();
    for (let at = 0; at <= 128; at++) reader.add({ ...blockOf([], []), hash: hashOf(at) });
    expect([hashOf(0), hashOf(1), hashOf(128)].map((hash) => reader.block(hash) !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('keeps 48 MiB, of transactions, receipts and logs', () => {
    const log = { address: addressOf(1), topics: [hashOf(2), hashOf(3)], data: '0x0405' as const };
    const receipts = [receiptOf(), receiptOf({ logs: [log] })];
    const rest = 48 * 1024 * 1024 - 4096 - 2 * 1024 - (256 + 6 + 160);
    const isKept = (...sizes: readonly number[]) => {
      const { reader } = opened();
      const transactions = sizes.map((size) => new Uint8Array(size));
      reader.add({ ...blockOf([], receipts), transactions, hash: hashOf(9) });
      return reader.block(hashOf(9)) !== undefined;
    };
    expect([isKept(rest - 7, 7), isKept(rest - 7, 8)]).toEqual([true, false]);
  });
});
