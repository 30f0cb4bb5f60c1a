import { createHash } from 'node:crypto';
import { markOf, type TaskMark, type TraceBook, type Traced } from './book.ts';

/** A span of a trace. Trace and span ids are hex without 0x. */
export interface Span {
  readonly trace: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly kind: 'internal' | 'client' | 'producer' | 'consumer';
  readonly task: string;
  /** Unix milliseconds, with fractions. */
  readonly from: number;
  readonly to: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly links: readonly SpanLink[];
}

/** A span of another trace. */
export interface SpanLink {
  readonly trace: string;
  readonly span: string;
}

/** Returns the id of a trace: the first 16 bytes of a block's hash, or the id of a channel. */
export function traceOf(of: string): string {
  return of.slice(2, 34);
}

/**
 * Returns the spans of a block or batch that are over, in the order of their starts. `isSettled`: marks that did not
 * come are not expected any more.
 * A block whose builder is unknown has its spans only then.
 */
export function spansOf(book: TraceBook, traced: Traced, isSettled: boolean): readonly Span[] {
  if (traced.kind === 'batch') return traced.marks.slice(0, 1).map((mark) => batchSpan(book, mark));
  if (traced.kind === 'l1') return traced.marks.slice(0, 1).map((mark) => l1Span(mark, undefined));
  const root = rootOf(traced, isSettled);
  if (root === undefined) return [];
  const { trace, id: parent } = root;
  const children = traced.marks.flatMap((mark) => {
    const part = partOf(traced, mark, { began: root.to, isSettled });
    if (part === undefined) return [];
    const { of, task } = mark;
    return [{ ...part, trace, id: spanId(of, part.name, task), parent, task, links: [] }];
  });
  const parts = [...children, ...carrierSpans(book, traced, root)];
  return [root, ...parts.sort((one, other) => one.from - other.from)];
}

/** Returns the span of a whole block: from the start of its build to its import at its builder. */
function rootOf(traced: Traced, isSettled: boolean): Span | undefined {
  const seal = markOf(traced, 'seal');
  const adopted = seal && markOf(traced, 'import', seal.task);
  if (!isSettled && adopted === undefined) return undefined;
  const all = [markOf(traced, 'build'), seal, adopted ?? markOf(traced, 'import')].filter((each) => each !== undefined);
  const [first] = all;
  if (first === undefined) return undefined;
  const { of, number = 0, transactions = 0 } = first;
  return {
    ...{ trace: traceOf(of), id: rootId(of), parent: undefined, links: [], kind: 'internal', task: first.task },
    name: `block ${number}`,
    from: Math.min(...all.map(({ from }) => from)),
    to: Math.max(...all.map(({ to }) => to)),
    attributes: { 'block.hash': of, 'block.number': number, 'block.transactions': transactions },
  };
}

/** What a mark of a block is as a span; undefined: it is none, or not over. */
function partOf(
  traced: Traced,
  mark: TaskMark,
  { began, isSettled }: { readonly began: number; readonly isSettled: boolean },
): Pick<Span, 'name' | 'kind' | 'from' | 'to' | 'attributes'> | undefined {
  const { from, to, task } = mark;
  const engine = (method: string) => ({ kind: 'client' as const, from, to, attributes: engineCall(method) });
  switch (mark.mark) {
    case 'build':
      return { name: 'build', ...engine('engine_forkchoiceUpdated') };
    case 'seal':
      return { name: 'seal', ...engine('engine_getPayload') };
    case 'import':
      return { name: 'import', ...engine('engine_newPayload') };
    case 'receive': {
      const published = markOf(traced, 'publish');
      if (published === undefined && !isSettled) return undefined;
      const attributes = { 'messaging.system': 'libp2p', 'messaging.operation.type': 'receive' };
      return { name: 'gossip', kind: 'consumer', from: Math.min(published?.from ?? to, to), to, attributes };
    }
    case 'safe':
      return { name: 'safe', kind: 'internal', from: Math.min(began, to), to, attributes: {} };
    case 'finalized':
      return {
        ...{ name: 'finalized', kind: 'internal', to, attributes: {} },
        from: Math.min(markOf(traced, 'safe', task)?.to ?? began, to),
      };
    default:
      return undefined;
  }
}

function engineCall(method: string) {
  return { 'rpc.system.name': 'jsonrpc', 'rpc.method': method };
}

/** Returns the spans of the batch of a block, and of the L1 block with that batch. */
function carrierSpans(book: TraceBook, { of, batch }: Traced, root: Span): readonly Span[] {
  if (batch === undefined) return [];
  const place = { trace: root.trace, parent: root.id };
  const inBatch: Span = {
    ...{ ...batchSpan(book, batch), ...place, id: spanId(of, 'batch', batch.task) },
    links: [{ trace: traceOf(batch.of), span: rootId(batch.of) }],
  };
  const l1 = l1MarkOf(book, batch);
  return l1 === undefined ? [inBatch] : [inBatch, { ...l1Span(l1, place), id: spanId(of, 'l1', l1.task) }];
}

function batchSpan(book: TraceBook, batch: TaskMark): Span {
  const { of, task, from, to, number = 0, first, last } = batch;
  const l1 = l1MarkOf(book, batch);
  const linked = [first, last === first ? undefined : last, l1?.of].filter((each) => each !== undefined);
  return {
    ...{ trace: traceOf(of), id: rootId(of), parent: undefined, name: 'batch', kind: 'producer', task, from, to },
    attributes: { 'channel.id': of, 'l1.block.number': number },
    links: linked.map((each) => ({ trace: traceOf(each), span: rootId(each) })),
  };
}

/** Returns the span of a block of L1: the root of its trace, or a part of another trace (`place`). */
function l1Span(mark: TaskMark, place: { readonly trace: string; readonly parent: string } | undefined): Span {
  const { of, task, from, to, number = 0, transactions = 0 } = mark;
  const root = { trace: traceOf(of), span: rootId(of) };
  return {
    ...{ trace: root.trace, id: root.span, parent: undefined, ...place },
    ...{ name: `L1 block ${number}`, kind: 'internal', task, from, to },
    attributes: { 'l1.block.hash': of, 'l1.block.number': number, 'l1.block.transactions': transactions },
    links: place === undefined ? [] : [root],
  };
}

function l1MarkOf(book: TraceBook, { number }: TaskMark): TaskMark | undefined {
  return number === undefined ? undefined : book.l1Block(number)?.marks[0];
}

/** Returns the id of the span that stands for a whole block or batch. */
function rootId(of: string): string {
  return spanId(of, 'root', '');
}

function spanId(of: string, name: string, task: string): string {
  return createHash('sha256').update(`${of} ${name} ${task}`).digest('hex').slice(0, 16);
}
