import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksIn } from '../../../../src/nodes/execution/chain/block-file.ts';
import { encodeBlock } from '../../../../src/nodes/execution/chain/unexecuted-block.ts';
import { orderedTrieRoot } from '../../../../src/protocol/codec/trie.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { PARIS_HEADER } from '../views/sample-block.ts';

const headerOf = (number: number, extraData: number) => ({
  ...PARIS_HEADER,
  number,
  extraData: bytesToHex(new Uint8Array(extraData).fill(7)),
  transactionsRoot: bytesToHex(orderedTrieRoot([])),
});
const encoded = (number: number, extraData = 3) =>
  Buffer.from(encodeBlock({ header: headerOf(number, extraData), transactions: [], withdrawals: [] }));

async function* pieces(parts: readonly Buffer[]): AsyncIterable<Buffer> {
  yield* parts;
}

async function numbersIn(parts: readonly Buffer[]): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { header } of blocksIn(pieces(parts))) numbers.push(header.number);
  return numbers;
}

describe('a chain file', () => {
  const file = Buffer.concat([encoded(1), encoded(2, 300), encoded(3)]);

  it('has its blocks in order, wherever its pieces end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: file.length }), { maxLength: 6 }), async (cuts) => {
        const edges = [0, ...cuts.toSorted((one, other) => one - other), file.length];
        const parts = edges.slice(1).map((end, at) => file.subarray(edges[at], end));
        expect(await numbersIn(parts)).toEqual([1, 2, 3]);
      }),
    );
    expect(await numbersIn([...file].map((byte) => Buffer.of(byte)))).toEqual([1, 2, 3]);
  });

  it('has no blocks when it is empty', async () => {
    expect(await numbersIn([])).toEqual([]);
    expect(await numbersIn([Buffer.alloc(0)])).toEqual([]);
  });

  it('ends with an error when its last block is incomplete, after the others', async () => {
    const numbers: number[] = [];
    const read = async () => {
      for await (const { header } of blocksIn(pieces([file, encoded(4).subarray(0, 100)]))) numbers.push(header.number);
    };
    await expect(read()).rejects.toMatchObject({ code: 'rlp-malformed' });
    expect(numbers).toEqual([1, 2, 3]);
  });

  it('ends with an error at a byte string, or a block of 64 MiB or more, and is not read on', async () => {
    const large = Buffer.alloc(64 << 20);
    large.set([0xfb, 4, 0, 1, 0]);
    for (const head of [Buffer.of(0xb8), large]) {
      let read = 0;
      const endless = async function* () {
        for (;;) {
          yield read++ === 0 ? head : Buffer.alloc(1);
          if (read > 1000) return;
        }
      };
      const all = async () => {
        for await (const _ of blocksIn(endless()));
      };
      await expect(all()).rejects.toMatchObject({ code: 'rlp-malformed' });
      expect(read).toBe(1);
    }
  });

  it('is read on when a block of less than 64 MiB is incomplete', async () => {
    const head = Buffer.concat([Buffer.of(0xfa, 0xff, 0xff, 0xff), Buffer.alloc(100)]);
    let read = 0;
    const two = async function* () {
      for (const piece of [head, Buffer.alloc(1)]) {
        read++;
        yield piece;
      }
    };
    const all = async () => {
      for await (const _ of blocksIn(two()));
    };
    await expect(all()).rejects.toMatchObject({ code: 'rlp-malformed' });
    expect(read).toBe(2);
  });

  it('has blocks that do not share memory with it', async () => {
    const bytes = Buffer.from(file);
    for await (const { header } of blocksIn(pieces([bytes]))) {
      bytes.fill(0, 0, encoded(1).length);
      expect(header.extraData).toBe('0x070707');
      break;
    }
  });
});
