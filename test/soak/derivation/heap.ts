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

interface Sample {
  readonly block: number;
  readonly bytes: number;
}

/**
 * Returns the growth in MB for each 1,000 blocks: between the lowest samples of the earlier and the later half.
 * A cache of blobs holds 8 MB, or nothing, when a sample is taken. What stays for good raises all of them.
 */
export function growthOf(samples: readonly Sample[]): number {
  const mean = (list: readonly Sample[]) => list.reduce((sum, { block }) => sum + block, 0) / list.length;
  const lowest = (list: readonly Sample[]) => Math.min(...list.map(({ bytes }) => bytes));
  const middle = Math.floor(samples.length / 2);
  const [early, late] = [samples.slice(0, middle), samples.slice(middle)];
  return ((lowest(late) - lowest(early)) / 1e6 / (mean(late) - mean(early))) * 1000;
}
