import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { recoverSigner } from '../../../src/nodes/gossip/signature.ts';
import { type RemoteSignerOptions, remoteSigner } from '../../../src/nodes/rollup/remote-signer.ts';
import { keccak256Bytes } from '../../../src/protocol/hash.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import { CHAIN_ID, signer } from '../gossip/support.ts';

const file = (name: string) => join(import.meta.dirname, '..', '..', 'fixtures', 'tls', name);
const pem = (name: string) => readFileSync(file(name), 'utf8');
const tls = { ca: file('ca.crt'), cert: file('client.crt'), key: file('client.key') };
const body = new TextEncoder().encode('a block');

interface SignRequest {
  readonly method: string;
  readonly params: readonly Record<string, unknown>[];
  readonly headers: Record<string, unknown>;
}

describe('a remote signer', () => {
  let server: Server | undefined;
  const requests: SignRequest[] = [];

  /** A signer's RPC that trusts only certificates of its CA. */
  async function serve(result = bytesToHex(signer.sign(body, CHAIN_ID))): Promise<string> {
    requests.length = 0;
    const identity = { ca: pem('ca.crt'), cert: pem('server.crt'), key: pem('server.key') };
    server = createServer({ ...identity, requestCert: true, rejectUnauthorized: true }, async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const call = JSON.parse(Buffer.concat(parts).toString()) as SignRequest & { id: number };
      requests.push({ ...call, headers: request.headers });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, result }));
    });
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const open = (endpoint: string, changes: Partial<RemoteSignerOptions> = {}) =>
    remoteSigner({ endpoint, address: signer.address, headers: { 'x-team': 'blocks' }, tls, ...changes });

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  it('signs over TLS that shows who both are, with the headers that it wants', async () => {
    const signature = await open(await serve()).sign(body, CHAIN_ID);
    expect(recoverSigner(signature, body, CHAIN_ID)).toBe(signer.address);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      method: 'opsigner_signBlockPayloadV2',
      headers: { 'x-team': 'blocks' },
      params: [
        {
          domain: `0x${'00'.repeat(32)}`,
          chainId: '901',
          payloadHash: bytesToHex(keccak256Bytes(body)),
          senderAddress: signer.address,
        },
      ],
    });
  });

  it('is not talked to without a certificate that it trusts', async () => {
    const endpoint = await serve();
    await expect(open(endpoint, { tls: undefined }).sign(body, CHAIN_ID)).rejects.toThrow();
    expect(requests).toEqual([]);
  });

  it('is not taken at its word: a signature of another key or block is an error', async () => {
    await expect(open(await serve(), { address: `0x${'12'.repeat(20)}` }).sign(body, CHAIN_ID)).rejects.toThrow(
      `the remote signer signed as ${signer.address}, expected 0x1212`,
    );
    server?.close();
    await expect(open(await serve('0x12')).sign(body, CHAIN_ID)).rejects.toThrow('signed as nobody');
  });

  it.each([
    ['does not exist', { ca: '/nowhere/ca.crt' }],
    ['is no PEM file', { key: import.meta.filename }],
  ])('is refused where a file of the TLS %s', (problem, changes) => {
    expect(() => open('https://127.0.0.1:1', { tls: { ...tls, ...changes } })).toThrow(problem);
  });
});
