import type { Session } from 'node:inspector';

/** Time (ms) between two measurements of the heap. */
const MEASURE_INTERVAL_MS = 60_000;
/** Growth of the heap after which it is collected. */
const COLLECT_GROWTH = 1.1;
/** Bytes of a heap that is left to V8. Collecting it takes long, and 8 MB are little beside it. */
const MAX_COLLECTED_BYTES = 64 * 1024 * 1024;

/**
 * Collects the garbage of this process every minute while its heap is small and has grown.
 * V8 lets a heap grow by 8 MB before it collects it, which is half of what a program here keeps. A collection takes
 * 20 to 50 ms. The process may end while the timer runs. `every`: milliseconds.
 */
export function collectGarbageOften(every = MEASURE_INTERVAL_MS): void {
  if (!process.features.inspector) return;
  let baseline = 0;
  let session: Session | undefined;
  setInterval(() => {
    const used = process.memoryUsage().heapUsed;
    if (used > MAX_COLLECTED_BYTES || used < baseline * COLLECT_GROWTH) return;
    if (session === undefined) {
      session = new (process.getBuiltinModule('node:inspector').Session)();
      session.connect();
    }
    session.post('HeapProfiler.collectGarbage', () => {
      baseline = process.memoryUsage().heapUsed;
    });
  }, every).unref();
}
