import type { Stream } from '@libp2p/interface';
import { describe, expect, it } from 'vitest';
import { blockRequestProtocol, readStream } from '../../../../src/nodes/gossip/requests/block-protocol.ts';

/** A part as libp2p passes it: several arrays behind one another. */
const list = (...bytes: number[]) => ({ length: bytes.length, subarray: () => Uint8Array.from(bytes) });
/** A stream of these parts. `next` is called before each part after the first. */
function streamOf(parts: readonly unknown[], next: (at: number) => unknown = () => undefined) {
  const taken: unknown[] = [];
  const aborts: string[] = [];
  const stream = {
    abort: (error: Error) => void aborts.push(error.message),
    async *[Symbol.asyncIterator]() {
      for (const [at, part] of parts.entries()) {
        if (at > 0) await next(at);
        taken.push(part);
        yield part;
      }
      await next(parts.length);
    },
  } as unknown as Stream;
  return { stream, taken, aborts };
}
const NEVER = new AbortController().signal;

describe('a stream', () => {
  it('is read to its end', async () => {
    const { stream, aborts } = streamOf([Uint8Array.of(1, 2), list(3), list(4, 5)]);
    expect(await readStream(stream, { most: 100 }, NEVER)).toEqual(Uint8Array.of(1, 2, 3, 4, 5));
    expect(await readStream(streamOf([]).stream, { most: 0 }, NEVER)).toEqual(new Uint8Array());
    expect(aborts).toEqual([]);
  });

  it('is read up to its limit, and past it has no bytes', async () => {
    const parts = [list(1, 2), list(3)];
    expect(await readStream(streamOf(parts).stream, { most: 3 }, NEVER)).toEqual(Uint8Array.of(1, 2, 3));
    const { stream, taken } = streamOf([...parts, list(4)]);
    expect(await readStream(stream, { most: 2 }, NEVER)).toBeUndefined();
    expect(taken).toHaveLength(2);
  });

  it.each([
    [1, [1, 2]],
    [2, [1, 2]],
    [3, [1, 2, 3]],
    [9, [1, 2, 3, 4]],
  ])('is read until %i bytes are there', async (enough, bytes) => {
    const { stream } = streamOf([list(1, 2), list(3), list(4)]);
    expect(await readStream(stream, { most: 100, enough }, NEVER)).toEqual(Uint8Array.from(bytes));
  });

  it('is not read when it is too late', async () => {
    const { stream, taken } = streamOf([list(1)]);
    await expect(readStream(stream, { most: 9 }, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
    expect(taken).toEqual([]);
  });

  it('ends when it becomes too late, with an error, and not after it was read', async () => {
    const controller = new AbortController();
    const late = streamOf([list(1), list(2)], () => controller.abort(new Error('late')));
    await expect(readStream(late.stream, { most: 9, enough: 2 }, controller.signal)).rejects.toThrow('late');
    expect(late.aborts).toEqual(['the peer did not finish in time']);
    const other = new AbortController();
    const read = streamOf([list(1)]);
    await readStream(read.stream, { most: 9 }, other.signal);
    other.abort();
    expect(read.aborts).toEqual([]);
  });
});

it('the protocol of block requests has the id of the chain', () => {
  expect(blockRequestProtocol(901)).toBe('/opstack/req/payload_by_number/901/0');
});
