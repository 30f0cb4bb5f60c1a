import type { RpcClient } from '../../rpc/client/client.ts';
import { httpClient } from '../../rpc/client/http-client.ts';
import { readText } from '../../system/files/folder.ts';

const clients = new Map<string, RpcClient>();

/**
 * Returns the one client of an address. Its connection is kept: a probe that asks often must not connect each time.
 * All networks of a process share the clients, so nothing closes them. An idle connection holds up no process.
 */
export function clientFor(url: string, jwtFile?: string): RpcClient {
  const key = `${url} ${jwtFile ?? ''}`;
  const existing = clients.get(key);
  if (existing) return existing;
  const secret = jwtFile === undefined ? undefined : readText(jwtFile)?.trim().replace(/^0x/i, '');
  const client = httpClient({
    url: url.replace(/^ws/, 'http'),
    ...(secret === undefined ? {} : { jwtSecret: Buffer.from(secret, 'hex') }),
  });
  clients.set(key, client);
  return client;
}
