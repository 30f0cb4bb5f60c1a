import type { Tracer } from './tracer.ts';

/** `noopTracer`: runs the transaction and says nothing. */
export class NoopTracer implements Tracer {
  result(): unknown {
    return {};
  }
}
