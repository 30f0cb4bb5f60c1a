import { readFileSync } from 'node:fs';
import WebSocket from 'ws';

/** Makes a process listen for a debugger, which can run its garbage collection. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' } as const;

/**
 * Returns the bytes of heap and buffers after garbage collection.
 * `log`: the process's output, which has the debugger's address.
 */
export async function bytesKept(log: string): Promise<number> {
  const url = [...readFileSync(log, 'utf8').matchAll(/Debugger listening on (ws:\S+)/g)].at(-1)?.[1];
  if (url === undefined) throw new Error(`no debugger listens for ${log}`);
  const socket = new WebSocket(url);
  await new Promise((opened, failed) => socket.once('open', opened).once('error', failed));
  let id = 0;
  const ask = (method: string, params: object = {}) =>
    new Promise<{ result: { value: number } }>((answered) => {
      const mine = ++id;
      socket.on('message', (text) => {
        const answer = JSON.parse(String(text)) as { id?: number; result: { result: { value: number } } };
        if (answer.id === mine) answered(answer.result);
      });
      socket.send(JSON.stringify({ id: mine, method, params }));
    });
  try {
    // The second collection frees objects that finalizers of the first one released.
    for (let times = 0; times < 2; times++) await ask('HeapProfiler.collectGarbage');
    const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
    return (await ask('Runtime.evaluate', { expression, returnByValue: true })).result.value;
  } finally {
    socket.close();
  }
}

/** Returns MB for each 1,000 blocks, by least squares. */
export function slopeOf(samples: readonly { readonly block: number; readonly bytes: number }[]): number {
  const mean = (of: (sample: { readonly block: number; readonly bytes: number }) => number) =>
    samples.reduce((sum, one) => sum + of(one), 0) / samples.length;
  const [x, y] = [mean(({ block }) => block), mean(({ bytes }) => bytes)];
  const covariance = mean(({ block, bytes }) => (block - x) * (bytes - y));
  return (covariance / mean(({ block }) => (block - x) ** 2) / 1e6) * 1000;
}
