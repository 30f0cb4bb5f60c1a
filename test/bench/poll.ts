import { Agent, request } from 'node:http';

/** Polls every 5 ms until the condition holds. @throws Error after two minutes */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`${what} did not happen within 120 s`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Node's plain client with kept connections.
 * On a small machine a more expensive poll delays the start that it measures (fetch: a fifth of an `up`).
 */
const agent = new Agent({ keepAlive: true });

/** Makes a JSON-RPC call. Rejects without a listener. */
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
