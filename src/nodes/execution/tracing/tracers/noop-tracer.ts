import type { Tracer } from '../tracer.ts';

/** `noopTracer`: runs the transaction without a result (geth: `noopTracer`). */
export class NoopTracer implements Tracer {
  result(): unknown {
    return {};
  }
}
