import type { TraceBook } from '../traces/book.ts';
import { spansOf, traceOf } from '../traces/spans.ts';

/** The trace of a block, for the page. */
export interface TraceView {
  /** Id of the trace in a collector. */
  readonly trace: string;
  /** Unix milliseconds, with fractions, at which the first span begins. */
  readonly from: number;
  /** Milliseconds from its start to its end. */
  readonly ms: number;
  readonly spans: readonly TraceRow[];
}

/** A span: milliseconds from the start of the trace. */
export interface TraceRow {
  readonly name: string;
  readonly task: string;
  readonly start: number;
  readonly ms: number;
}

/** Returns the trace of a block; null: no process has reported of it while a page was open. */
export function traceView(book: TraceBook, hash: string): TraceView | null {
  const traced = book.get(hash);
  const spans = traced === undefined ? [] : spansOf(book, traced, true);
  if (spans.length === 0) return null;
  const from = Math.min(...spans.map((span) => span.from));
  const to = Math.max(...spans.map((span) => span.to));
  const rows = spans.map(({ name, task, ...span }) => ({
    name,
    task,
    start: span.from - from,
    ms: span.to - span.from,
  }));
  return { trace: traceOf(hash), from, ms: to - from, spans: rows };
}
