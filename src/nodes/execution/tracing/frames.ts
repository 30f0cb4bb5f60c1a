import type { EmittedLog, Frame, FrameEnd, Traced, TraceOutcome, Tracer } from './tracer.ts';

/** A frame with how it ended and what happened in it. */
export interface FrameNode extends Frame {
  end: FrameEnd;
  readonly calls: FrameNode[];
  /** Logs, each with the number of calls that came before it in its frame, and of logs in the transaction. */
  readonly logs: { readonly log: EmittedLog; readonly position: number; readonly index: number }[];
}

const OPEN: FrameEnd = { gasUsed: 0n, output: new Uint8Array(0) };

/** Collects the tree of a transaction's frames, on which tracers of calls are built. */
export abstract class FrameTracer implements Tracer {
  readonly #open: FrameNode[] = [];
  #logs = 0;
  protected root: FrameNode | undefined;
  protected traced: Traced | undefined;

  start(_: unknown, traced: Traced): void {
    this.traced = traced;
  }

  enter(frame: Frame): void {
    const node: FrameNode = { ...frame, end: OPEN, calls: [], logs: [] };
    const parent = this.#open.at(-1);
    if (parent === undefined) this.root = node;
    else parent.calls.push(node);
    this.#open.push(node);
  }

  leave(end: FrameEnd): void {
    const node = this.#open.pop();
    if (node !== undefined) node.end = end;
  }

  log(log: EmittedLog): void {
    const node = this.#open.at(-1);
    node?.logs.push({ log, position: node.calls.length, index: this.#logs++ });
  }

  abstract result(outcome: TraceOutcome): unknown;
}
