import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SecureVersion } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { httpClient } from '../../../src/rpc/client/http-client.ts';
import { httpGet } from '../../../src/rpc/client/http-rest.ts';

const pem = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'tls', name), 'utf8');
const tls = { ca: pem('ca.crt'), cert: pem('client.crt'), key: pem('client.key') };

/** A server over TLS that accepts certificates of its authority alone. */
async function secure(maxVersion: SecureVersion = 'TLSv1.3') {
  const identity = { ca: tls.ca, cert: pem('server.crt'), key: pem('server.key'), maxVersion };
  const server = createServer({ ...identity, requestCert: true, rejectUnauthorized: true }, (_, response) =>
    response.end('{"id":1,"result":7}'),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => server.close().closeAllConnections(),
  };
}

describe('a request to an https URL', () => {
  it('proves the client by its certificate, and checks the server by the authority', async () => {
    using server = await secure();
    const client = httpClient({ url: server.url, tls });
    expect(await client.call('a')).toBe(7);
    client.close();
  });

  it.each([
    ['without an authority', 'TLSv1.3', undefined, 'certificate'],
    ['to a server without TLS 1.3', 'TLSv1.2', tls, 'protocol version'],
  ] as const)('fails %s', async (_, version, files, words) => {
    using server = await secure(version);
    const client = httpClient({ url: server.url, ...(files && { tls: files }) });
    await expect(client.call('a')).rejects.toThrow(words);
    client.close();
  });

  it('of a REST interface is checked by the authorities of this machine', async () => {
    using server = await secure();
    await expect(httpGet(server.url, { timeoutMs: 0, maxBytes: 100 })).rejects.toThrow('certificate');
  });
});
