import { RpcError } from '../../../rpc/error.ts';
import type { Call } from '../../../rpc/method.ts';
import { insideThread } from '../../../system/thread.ts';
import { prepareCrypto } from '../evm/crypto.ts';
import { FLAVOURS } from '../flavours/index.ts';
import { loadLazyEvm } from '../load-lazy-evm.ts';
import { READS } from '../methods/namespaces.ts';
import type { FromWorker, ReadResponse, ReadWorkerConfig, ToWorker } from './messages.ts';
import { SnapshotPool } from './snapshot-pool.ts';

/** Methods that read do not notify, so they share one connection object. */
const CALL: Call = { transport: 'http', closed: new AbortController().signal };

/** Runs the read worker: receives methods of {@link READS} with parsed parameters, returns JSON. */
export async function runReadWorker(): Promise<void> {
  const { data: config, post, onMessage } = insideThread<ReadWorkerConfig, FromWorker, ToWorker>();
  const { limits } = config;
  const flavour = FLAVOURS[config.flavour];
  await Promise.all([prepareCrypto(), loadLazyEvm()]);
  const pool = new SnapshotPool(config);
  const answer = async (id: number, method: string, params: readonly unknown[]): Promise<ReadResponse> => {
    const begun = performance.now();
    try {
      const result = await pool.read((chain) => READS[method]!.handle({ chain, flavour, limits }, params, CALL));
      const text = textOf(result, limits.response);
      return { kind: 'result', id, text, took: performance.now() - begun };
    } catch (error) {
      if (error instanceof RpcError) {
        const { code, message, data } = error;
        return { kind: 'refused', id, code, message, data };
      }
      return { kind: 'failed', id, error: error instanceof Error ? error : new Error(String(error)) };
    }
  };
  onMessage((message) => {
    if (message.kind === 'log') void pool.checkpoint().then((kind) => post({ kind }));
    else if (message.kind === 'resume') pool.resume();
    else void answer(message.id, message.method, message.params).then(post);
  });
  post({ kind: 'ready' });
}

/** Serializes a result. Returns undefined above the size limit or the maximum string length. */
function textOf(result: unknown, limit: number): string | undefined {
  try {
    const text = JSON.stringify(result ?? null);
    return text.length > limit ? undefined : text;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
