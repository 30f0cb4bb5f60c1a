import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { daStorage } from '../../../src/nodes/da/storage.ts';
import { decodeCommitment, keccakCommitment } from '../../../src/protocol/derivation/da-commitment.ts';

const DATA = Uint8Array.of(0, 255, 128, 7);
const KECCAK = keccakCommitment(DATA);
const GENERIC = decodeCommitment(Uint8Array.of(1, 9, 9));

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A DA server with one answer for every input; without a status it does not answer. */
async function serving(status: number | undefined, body: Uint8Array = DATA) {
  const paths: (string | undefined)[] = [];
  server = createServer((request, response) => {
    paths.push(request.url);
    if (status !== undefined) response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

describe('a DA server', () => {
  it('returns all bytes of a commitment’s data', async () => {
    const { url, paths } = await serving(200);
    expect(Uint8Array.from((await daStorage({ url: `${url}/`, timeoutMs: 0, verify: true })(KECCAK))!)).toEqual(DATA);
    expect(paths).toEqual([`/get/${KECCAK.encoded}`]);
  });

  it('gives null when it lacks the data', async () => {
    const { url } = await serving(404);
    expect(await daStorage({ url, timeoutMs: 1000, verify: true })(KECCAK)).toBeNull();
  });

  it.each([
    ['fails', 500, DATA, 1000, 'answers 500'],
    ['answers other data', 200, Uint8Array.of(1), 1000, 'other data than was committed to'],
    ['does not answer in time', undefined, DATA, 50, 'no answer within 50 ms'],
  ] as const)('is asked again when it %s', async (_, status, body, timeoutMs, words) => {
    const { url } = await serving(status, body);
    await expect(daStorage({ url, timeoutMs, verify: true })(KECCAK)).rejects.toThrow(words);
  });

  it('is trusted for generic commitments, and for all without verification', async () => {
    const { url } = await serving(200, Uint8Array.of(1));
    expect(await daStorage({ url, timeoutMs: 1000, verify: true })(GENERIC)).toHaveLength(1);
    expect(await daStorage({ url, timeoutMs: 1000, verify: false })(KECCAK)).toHaveLength(1);
  });
});
