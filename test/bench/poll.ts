import { Agent, request } from 'node:http';

/** Asks every 5 ms until the answer is yes. @throws Error after half a minute */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`${what} did not happen within 30 s`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Kept connections and Node's plain client: on a small machine a costlier question delays what it asks about (fetch: a fifth of an `up`). */
const agent = new Agent({ keepAlive: true });

/** A JSON-RPC call; rejects where nobody answers. */
export async function ask(url: string, method: string, ...params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const text = await new Promise<string>((resolve, reject) => {
    const call = request(url, { method: 'POST', agent, headers, timeout: 1000 }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve(text));
      response.on('error', reject);
    });
    call.on('timeout', () => call.destroy(new Error('no answer within a second')));
    call.on('error', reject);
    call.end(body);
  });
  return (JSON.parse(text) as { result?: unknown }).result;
}
