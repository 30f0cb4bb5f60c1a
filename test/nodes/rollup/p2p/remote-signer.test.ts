import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { recoverSigner } from '../../../../src/nodes/gossip/message/signature.ts';
import { type RemoteSignerOptions, remoteSigner } from '../../../../src/nodes/rollup/p2p/remote-signer.ts';
import { keccak256Bytes } from '../../../../src/protocol/hash.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { CHAIN_ID, signer, silent } from '../../gossip/blocks.ts';
import { TestSigner, TLS, tlsFile } from '../support/remote-signer.ts';

const body = new TextEncoder().encode('a block');

describe('a remote signer', () => {
  const servers: TestSigner[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
  });

  /** A signer's RPC that trusts only certificates of its authority. */
  async function serve(
    options: Parameters<typeof TestSigner.start>[1] = {},
    result = bytesToHex(signer.sign(body, CHAIN_ID)),
  ): Promise<TestSigner> {
    const server = await TestSigner.start(() => result, options);
    servers.push(server);
    return server;
  }
  const open = (endpoint: string, changes: Partial<RemoteSignerOptions> = {}) =>
    remoteSigner({
      log: silent,
      endpoint,
      address: signer.address,
      headers: { 'x-team': 'blocks' },
      tls: TLS,
      ...changes,
    });

  it('signs over mutual TLS, with the configured headers', async () => {
    const { url, requests } = await serve();
    const signature = await (await open(url)).sign(body, CHAIN_ID);
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

  it('is checked: a signature of another key or block is an error', async () => {
    const { url } = await serve();
    const other = await open(url, { address: `0x${'12'.repeat(20)}` });
    await expect(other.sign(body, CHAIN_ID)).rejects.toThrow(
      `the remote signer signed as ${signer.address}, expected 0x1212`,
    );
    const broken = await open((await serve({}, '0x12')).url);
    await expect(broken.sign(body, CHAIN_ID)).rejects.toThrow('signed as no address');
  });

  it.each([
    ['of another authority', { cert: 'stranger-server.crt' }, 'its certificate is not of --signer.tls.ca'],
    ['that has expired', { cert: 'expired-server.crt' }, 'its certificate has expired'],
    ['of another name', { cert: 'elsewhere-server.crt' }, 'its certificate is of another name'],
    ['over TLS 1.2 only', { maxVersion: 'TLSv1.2' }, 'it does not speak TLS 1.3'],
  ] as const)('is not trusted with a certificate %s', async (_, options, words) => {
    const { url, requests } = await serve(options);
    await expect(open(url)).rejects.toMatchObject({ code: 'signer', message: expect.stringContaining(words) });
    expect(requests).toEqual([]);
  });

  it.each([
    ['of another authority', 'stranger-client.crt', 'CN=client, of CN=other ca'],
    ['that has expired', 'expired-client.crt', 'valid until Jan  1 00:00:00 2021 GMT'],
  ])(
    'that does not trust our certificate, %s, is refused, and the message names our certificate',
    async (_, cert, words) => {
      const { url, requests } = await serve();
      const opening = open(url, { tls: { ...TLS, cert: tlsFile(cert) } });
      await expect(opening).rejects.toMatchObject({ code: 'signer', message: expect.stringContaining(words) });
      await expect(opening).rejects.toThrow('does it take our certificate?');
      expect(requests).toEqual([]);
    },
  );

  it('gets a renewed certificate, and the old one while the renewed one has no key', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'remote-signer-'));
    const cert = join(folder, 'client.crt');
    const put = (name: string) => copyFileSync(tlsFile(name), cert);
    put('client.crt');
    const { url } = await serve();
    const client = await open(url, { tls: { ...TLS, cert } });
    const sign = () => client.sign(body, CHAIN_ID);
    await sign();
    put('server.crt');
    await sign();
    put('stranger-client.crt');
    await expect(sign()).rejects.toThrow('CN=client, of CN=other ca');
    put('client.crt');
    await sign();
    rmSync(cert);
    await sign();
    rmSync(folder, { recursive: true });
  });

  it('is refused without a required client certificate, and when its authority is not trusted', async () => {
    const { url, requests } = await serve();
    await expect(open(url, { tls: undefined })).rejects.toThrow("its certificate is not of this machine's authorities");
    expect(requests).toEqual([]);
  });

  it('that does not answer is reported at once', async () => {
    await expect(open('https://127.0.0.1:1')).rejects.toMatchObject({
      code: 'signer',
      message: expect.stringContaining('the remote signer 127.0.0.1:1: '),
    });
  });

  it.each([
    ['ca.crt does not exist', { ca: '/nowhere/ca.crt' }],
    ['is not a PEM file', { key: import.meta.filename }],
    ['client.key holds no certificate', { cert: TLS.key }],
    ['client.crt holds no private key', { key: TLS.cert }],
    ['server.key is not the key of', { key: tlsFile('server.key') }],
  ])('is refused when of the TLS files %s', async (problem, changes) => {
    await expect(open('https://127.0.0.1:1', { tls: { ...TLS, ...changes } })).rejects.toMatchObject({
      code: 'signer',
      message: expect.stringContaining(problem),
    });
  });
});
