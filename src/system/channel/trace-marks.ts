/** What a process has done with a block, or with a channel of batches. */
const TRACE_MARKS = [
  /** Sequencer: the engine built the block, from the start of the payload to its seal. */
  'build',
  /** Sequencer: the engine returned the block. */
  'seal',
  /** Sequencer: the block went out by gossip. */
  'publish',
  /** Rollup node: the block came by gossip. */
  'receive',
  /** Rollup node: its engine executed the block. */
  'import',
  /** Rollup node: the block and its ancestors are safe, or final. */
  'safe',
  'finalized',
  /** Batcher: a channel, from its first block to the inclusion of its last frame. */
  'batch',
  /** The program that makes L1: a block of L1. */
  'l1',
] as const;

export type TraceMarkKind = (typeof TRACE_MARKS)[number];

/** A part of the life of a block, for its trace. */
export interface TraceMark {
  readonly mark: TraceMarkKind;
  /** Hash of the block; of a batch, the id of its channel. */
  readonly of: string;
  /** Unix milliseconds of this machine, with fractions. Both are the same for a moment. */
  readonly from: number;
  readonly to: number;
  readonly number?: number;
  /** Hash of the parent. */
  readonly parent?: string;
  readonly transactions?: number;
  /** Of a batch: its first and last L2 block. Its `number` is that of the L1 block with its last frame. */
  readonly first?: string;
  readonly last?: string;
}

/** Receives the marks of tasks. */
export type MarkListener = (task: string, mark: TraceMark) => void;

/** Tells a process whether the supervisor takes marks. */
export interface TraceSwitch {
  readonly traces: boolean;
}

/** Whether a message to a process switches its marks. */
export function isTraceSwitch(value: unknown): value is TraceSwitch {
  return isRecord(value) && typeof value['traces'] === 'boolean';
}

/** Hash of a block, or id of a channel. */
const NAME = /^0x(?:[0-9a-f]{64}|[0-9a-f]{32})$/;

/** Reads a mark; undefined if it is malformed. Any program of this user may have sent it. */
export function readTraceMark(value: Readonly<Record<string, unknown>>): TraceMark | undefined {
  const { mark, of, from, to } = value;
  const kind = TRACE_MARKS.find((each) => each === mark);
  if (kind === undefined || !isName(of) || !isTime(from) || !isTime(to)) return undefined;
  const { number, transactions } = value;
  const names = Object.fromEntries(
    (['parent', 'first', 'last'] as const).flatMap((key) => (isName(value[key]) ? [[key, value[key]]] : [])),
  );
  return {
    ...{ mark: kind, of, from, to: Math.max(from, to), ...names },
    ...(isCount(number) && { number }),
    ...(isCount(transactions) && { transactions }),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value);
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 1e14;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
