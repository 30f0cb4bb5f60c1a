import { parentPort, workerData } from 'node:worker_threads';
import { httpClient } from '../../../src/rpc/client/http-client.ts';
import { measure, type Reading, throughput } from './reading-load.ts';

/** Sends reads from a thread of its own, so that the feeding of blocks does not delay them. */
const { url } = workerData as { readonly url: string };
const rpc = httpClient({ url, timeoutMs: 20_000 });

parentPort!.on('message', async ({ reading, seconds }: { reading: Reading; seconds: number }) => {
  try {
    const sample = await measure(rpc, reading, seconds);
    parentPort!.postMessage({ sample, perSecond: await throughput(rpc, reading, seconds / 4) });
  } catch (error) {
    parentPort!.postMessage({ error: (error as Error).message });
  }
});
