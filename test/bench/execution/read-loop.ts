import { parentPort, workerData } from 'node:worker_threads';
import { httpClient } from '../../../src/rpc/client/http-client.ts';

/** Keeps a node busy with reads, and answers each message with how many of them were answered and failed. */
const { url, reads, readers } = workerData as {
  readonly url: string;
  readonly reads: readonly (readonly [string, unknown[]])[];
  readonly readers: number;
};
const count = { answered: 0, failed: 0 };

async function loop(rpc: ReturnType<typeof httpClient>, at: number): Promise<void> {
  for (;;) {
    const [method, params] = reads[at % reads.length] ?? ['', []];
    await rpc.call(method, params).then(
      () => count.answered++,
      () => count.failed++,
    );
  }
}

for (let at = 0; at < readers; at++) void loop(httpClient({ url, timeoutMs: 120_000 }), at);
parentPort?.on('message', () => parentPort?.postMessage(count));
