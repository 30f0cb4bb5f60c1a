import type { Frame } from '../../../../evm/machine/inspector.ts';
import type { EvmLog } from '../../../../evm/machine/state.ts';
import type { ResponseSizeLimit } from '../response-size-limit.ts';
import type { FrameEnd, Traced, TraceOutcome, Tracer } from '../tracer.ts';

/** A frame with its end, calls and logs. */
export interface FrameNode extends Frame {
  end: FrameEnd;
  readonly calls: FrameNode[];
  /** Logs with the number of calls before them in the frame, and their index in the transaction. */
  readonly logs: { readonly log: EvmLog; readonly position: number; readonly index: number }[];
}

/** JSON size in bytes of a frame and of a log, without their data. */
const FRAME_SIZE = 250;
const LOG_SIZE = 150;
const OPEN: FrameEnd = { gasUsed: 0n, output: new Uint8Array(0) };

/** Builds the call tree of a transaction (revm-inspectors: `CallTraceArena`). Base class of the call tracers. */
export abstract class FrameTracer implements Tracer {
  readonly #sizeLimit: ResponseSizeLimit;
  readonly #open: FrameNode[] = [];
  #logs = 0;
  protected root: FrameNode | undefined;
  protected traced: Traced | undefined;

  constructor(sizeLimit: ResponseSizeLimit) {
    this.#sizeLimit = sizeLimit;
  }

  start(_: unknown, traced: Traced): void {
    this.traced = traced;
  }

  enter(frame: Frame): void {
    this.#sizeLimit.take(FRAME_SIZE + 2 * frame.input.length);
    const node: FrameNode = { ...frame, end: OPEN, calls: [], logs: [] };
    const parent = this.#open.at(-1);
    if (parent === undefined) this.root = node;
    else parent.calls.push(node);
    this.#open.push(node);
  }

  leave(end: FrameEnd): void {
    this.#sizeLimit.take(2 * end.output.length);
    const node = this.#open.pop();
    if (node !== undefined) node.end = end;
  }

  log(log: EvmLog): void {
    this.#sizeLimit.take(LOG_SIZE + 2 * log.data.length + 70 * log.topics.length);
    const node = this.#open.at(-1);
    node?.logs.push({ log, position: node.calls.length, index: this.#logs++ });
  }

  abstract result(outcome: TraceOutcome): unknown;
}
