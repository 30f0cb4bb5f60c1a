import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from './helpers.ts';
import type { BatcherChanges } from './launch.ts';
import { closeAll, open, startServed } from './served.ts';

afterEach(closeAll);

describe('the channels of a batcher', () => {
  it.each<[string, BatcherChanges, number, string]>([
    ['singular batches', {}, 0, 'zlib'],
    ['span batches', { batchType: '1' }, 1, 'zlib'],
    ['brotli', { compression: 'brotli' }, 0, 'brotli'],
  ])('have %s by its options', async (_, changes, type, compression) => {
    const { channels, posted } = await startServed(changes);
    await posted();
    const [{ batches, ...channel }] = channels() as [ReturnType<typeof channels>[number]];
    expect([channel.compression, batches.length, batches[0]![0]]).toEqual([compression, type === 1 ? 1 : 3, type]);
  });

  it('are not compressed by the compressor "none"', async () => {
    const sizes: number[] = [];
    for (const compressor of ['shadow', 'none'] as const) {
      const { channels, posted } = await startServed({ compressor });
      await posted();
      sizes.push(channels()[0]!.size);
    }
    expect(sizes[1]).toBeGreaterThan(sizes[0]! * 1.2);
  });

  it('are full by the assumed ratio of the compressor "ratio" alone', async () => {
    const reason = async (changes: BatcherChanges) => {
      const { lines, posted, rests, rpc } = await startServed({ maxTxSize: 400, maxChannelDuration: 0, ...changes });
      await rests();
      await rpc.call('admin_flushBatcher');
      await posted();
      return /reason=(\w+)/.exec(lines.find((line) => line.includes('Posting a channel'))!)![1];
    };
    expect(await reason({ compressor: 'ratio', approxRatio: 1 })).toBe('full');
    expect(await reason({ compressor: 'ratio', approxRatio: 0.5 })).toBe('flushed');
    expect(await reason({ compressor: 'shadow', approxRatio: 1 })).toBe('flushed');
  });

  it('hold as many blocks of a span batch, and wait as long, as its options say', async () => {
    const { channels, posted, rests, rpc } = await startServed({
      ...{ batchType: '1', maxBlocksPerSpanBatch: 2, maxChannelDuration: 0 },
    });
    await rests();
    await rpc.call('admin_flushBatcher');
    await posted();
    expect(channels()[0]!.batches).toHaveLength(2);
  });

  it('are posted when the safety margin is reached', async () => {
    const { posted, state } = await startServed({ maxChannelDuration: 0, subSafetyMargin: 11 });
    // The first block is of L1 block 100, and the window has 12 blocks.
    expect(state.headL1.number).toBe(101);
    await posted();
  });

  it('have as many frames as its options say', async () => {
    const { lines, posted } = await startServed({ maxTxSize: 120, targetNumFrames: 20 });
    await posted();
    const line = lines.find((text) => text.includes('Posting a channel'));
    expect(line).toContain('from=1 to=3');
    expect(Number(/transactions=(\d+)/.exec(line!)![1])).toBeGreaterThan(2);
  });

  it('have at most as many transactions in flight as its options say', async () => {
    const { raw, posted, runs } = await startServed({ maxTxSize: 120, targetNumFrames: 20, maxPending: 1 });
    await runs();
    await posted();
    expect(raw).toHaveLength(1);
  });

  it.each([
    [false, 'KeccakCommitment', /^POST \/put\/0x00[0-9a-f]{64}$/, 0],
    [true, 'GenericCommitment', /^POST \/put$/, 1],
  ])('are put on a DA server by its options: service %s', async (altDaService, type, expected, kind) => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      request.resume().on('end', () => response.end(Buffer.from([1, 7, 7])));
    }).listen(0, '127.0.0.1');
    open.push(() => server.close().closeAllConnections());
    await until('it listens', () => server.address());
    const altDaServer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { posted, data } = await startServed(
      { altDaEnabled: true, altDaServer, altDaService },
      { alt_da: { da_commitment_type: type, da_challenge_window: 10, da_resolve_window: 10 } },
    );
    await posted();
    expect(requests).toEqual([expect.stringMatching(expected)]);
    expect([...data()[0]!.subarray(0, 2)]).toEqual([1, kind]);
  });
});
