import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitmentOfTransaction, isCommittedTo } from '../../../src/protocol/derivation/da-commitment.ts';
import { BatcherHarness, noise } from './harness.ts';
import { until } from './helpers.ts';

const WINDOWS = { da_challenge_window: 10, da_resolve_window: 10 };
const KECCAK = {
  da_commitment_type: 'KeccakCommitment',
  da_challenge_contract_address: `0x${'da'.repeat(20)}`,
  ...WINDOWS,
};
const GENERIC = { da_commitment_type: 'GenericCommitment', ...WINDOWS };

describe('a batcher with a DA server', () => {
  let harness: BatcherHarness;
  let server: Server;
  let url: string;
  /** The stored data by path. */
  let stored: Map<string, Buffer>;
  let isUp = true;
  let atOnce = 0;
  let mostAtOnce = 0;
  beforeEach(async () => {
    harness = await BatcherHarness.start();
    stored = new Map();
    isUp = true;
    mostAtOnce = 0;
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () =>
        setTimeout(() => {
          atOnce--;
          if (!isUp) return void response.writeHead(503).end('away');
          const path = request.url === '/put' ? `/put/${stored.size}` : request.url!;
          stored.set(path, Buffer.concat(parts));
          response.writeHead(200).end(request.url === '/put' ? Uint8Array.of(1, stored.size - 1) : undefined);
        }, 20),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    await harness.close();
    server.close();
  });

  const values = () => ({ altDaEnabled: true, altDaServer: url });
  const rollupHas = (alt_da: object) =>
    Object.assign(harness.state, {
      rollup: { ...harness.state.rollup, config: { ...harness.state.rollup.config, alt_da } },
    });

  it('puts batches on the DA server and their keccak commitments on L1', async () => {
    rollupHas(KECCAK);
    await harness.grow(3, 0, noise);
    await harness.batcher({ ...values(), maxTxSize: 400, targetNumFrames: 10 });
    await harness.posted();
    const data = (await harness.inbox()).map((posted) => {
      const commitment = commitmentOfTransaction(posted);
      const body = stored.get(`/put/${commitment.encoded}`)!;
      expect([commitment.kind, isCommittedTo(commitment, body)]).toEqual(['keccak', true]);
      return new Uint8Array(body);
    });
    expect(data.length).toBeGreaterThan(2);
    expect(await harness.derivedFrom(data)).toEqual(harness.hashes);
    expect(mostAtOnce).toBe(1);
  });

  it('--altda.da-service: the commitment is the server’s', async () => {
    rollupHas(GENERIC);
    await harness.grow(2);
    await harness.batcher({ ...values(), altDaService: true });
    await harness.posted();
    const data = (await harness.inbox()).map((posted) => {
      const { kind, encoded } = commitmentOfTransaction(posted);
      expect(kind).toBe('generic');
      return new Uint8Array(stored.get(`/put/${Number(`0x${encoded.slice(4)}`)}`)!);
    });
    expect(await harness.derivedFrom(data)).toEqual(harness.hashes);
  });

  it('--altda.max-concurrent-da-requests: several inputs are put at once, and reach L1 in order', async () => {
    rollupHas(KECCAK);
    await harness.grow(4, 0, noise);
    await harness.batcher({ ...values(), maxTxSize: 300, targetNumFrames: 20, altDaRequests: 3 });
    await harness.posted();
    expect(mostAtOnce).toBe(3);
    const data = (await harness.inbox()).map(
      (posted) => new Uint8Array(stored.get(`/put/${commitmentOfTransaction(posted).encoded}`)!),
    );
    expect(await harness.derivedFrom(data)).toEqual(harness.hashes);
  });

  it('waits for a DA server that does not answer', async () => {
    rollupHas(KECCAK);
    isUp = false;
    await harness.grow(1);
    const batcher = await harness.batcher(values());
    harness.pass();
    await until('it says so', () => harness.lines.some((line) => line.includes('answers 503')));
    expect(await harness.pooled()).toHaveLength(0);
    await expect(harness.admin(batcher, 'admin_setDataAvailabilityType', 'blobs')).rejects.toThrow('altda.enabled');
    isUp = true;
    await harness.posted();
    expect(stored.size).toBe(1);
  });

  it.each([
    ['the rollup has none', undefined, false, 'the rollup has no alt_da'],
    ['commitments are the server’s', GENERIC, false, 'of type GenericCommitment'],
    ['commitments are hashes', KECCAK, true, 'of type KeccakCommitment'],
  ])('ends when %s', async (_, config, altDaService, words) => {
    if (config !== undefined) rollupHas(config);
    const batcher = await harness.batcher({ ...values(), altDaService });
    await expect(batcher.failed).rejects.toMatchObject({
      code: 'alt-da',
      exit: 2,
      message: expect.stringContaining(words),
    });
  });
});
