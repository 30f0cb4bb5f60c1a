import { isTime } from '../numbers/bounds.ts';
import { type ClockState, isClockState } from '../time/clock.ts';
import { isL1Answer, type L1Answer, type L1Message, type PoolFaultMatch } from './l1-requests.ts';
import { isProgress, type Progress } from './progress.ts';
import { readTraceMark, type TraceMark, type TraceSwitch } from './trace-marks.ts';

/** Bytes of one message. */
export const MAX_MESSAGE_BYTES = 4096;

/** Clock service: a state of the clock. */
export interface ClockPush extends ClockState {
  /** Number of the announcement. */
  readonly step: number;
  /** Whether the supervisor waits for reports. */
  readonly watched: boolean;
  /** Milliseconds by which the clocks of this process are ahead, for a test of skewed clocks. Absent: none. */
  readonly skew?: number;
}

/** Quiesce service: asks a process to write the state that it holds only in memory to its data folder. */
export interface FlushRequest {
  readonly flush: number;
}

/** Checkpoint service: asks a process for a step. `step` numbers the request, `to` is the checkpoint. */
export interface CheckpointRequest {
  readonly step: number;
  readonly do: WireStep;
  readonly to: number;
}

/** The answer to an order: the time after a move, the result for a checkpoint, or why it was refused. */
export type OrderAnswer =
  | { readonly id: number; readonly at: number }
  | { readonly id: number; readonly error: string };

/** A message to a process. */
export type SupervisorMessage = ClockPush | FlushRequest | CheckpointRequest | L1Message | OrderAnswer | TraceSwitch;

/** Quiesce service: a process has nothing left to do at a step of the clock. */
export interface IdleReport {
  /** The newest announcement that the process has followed. */
  readonly step: number;
  readonly progress: Progress;
}

/** Orders of a process: its answer has the same id. `to`: moves the clock to a time (ms). `point`: a checkpoint. */
export type Order = { readonly to: number } | { readonly point: WireOrder };

/** A message to the supervisor. The first one names the process. */
export type ProcessMessage =
  | { readonly task: string }
  | IdleReport
  | ({ readonly id: number } & Order)
  /** Answers a flush: the state of memory is in the data folder, or why it is not. */
  | { readonly flushed: number; readonly error?: string }
  /** Answers a step for a checkpoint: it is done, or why it is not. */
  | { readonly stepped: number; readonly error?: string }
  /** Answers a request about L1: its outcome, or why there is none. */
  | { readonly reply: number; readonly result: L1Answer }
  | { readonly reply: number; readonly error: string }
  | PoolFaultMatch
  | TraceMark;

/** The words of the wire for the steps for a checkpoint. */
const WIRE_STEPS = {
  take: 'remember',
  suspend: 'suspend',
  restore: 'goBack',
  resume: 'resume',
  drop: 'forget',
} as const;

/** A step for which the supervisor asks all programs of a network. */
export type CheckpointStep = keyof typeof WIRE_STEPS;

/** An order for a checkpoint of the whole network. */
export type CheckpointOrder = { readonly action: 'take' } | { readonly action: 'restore'; readonly number: number };

type WireStep = (typeof WIRE_STEPS)[CheckpointStep];

/** An order for a checkpoint in the words of the wire. */
type WireOrder = { readonly action: 'take' } | { readonly action: 'revert'; readonly number: number };

/** Returns the message that asks a process for a step. */
export function checkpointRequest(id: number, step: CheckpointStep, checkpoint: number): CheckpointRequest {
  return { step: id, do: WIRE_STEPS[step], to: checkpoint };
}

/** Returns the step that a message asks for. */
export function stepOf({ do: word }: CheckpointRequest): CheckpointStep {
  const step = STEPS.find((each) => WIRE_STEPS[each] === word);
  if (step === undefined) throw new Error(`unknown step for a checkpoint: ${word}`);
  return step;
}

const STEPS = Object.keys(WIRE_STEPS) as readonly CheckpointStep[];

/** Returns an order for a checkpoint in the words of the wire. */
export function wireOrder(order: CheckpointOrder): WireOrder {
  return order.action === 'take' ? order : { action: 'revert', number: order.number };
}

/** Returns the order that a message of a process has. */
export function orderOf(point: WireOrder): CheckpointOrder {
  return point.action === 'take' ? point : { action: 'restore', number: point.number };
}

/** Reads a message of a process; undefined if it is malformed. Any program of this user may have sent it. */
export function processMessage(value: unknown): ProcessMessage | undefined {
  if (!isRecord(value)) return undefined;
  const { task, step, progress, id, to, flushed, stepped, point, error, reply, result, fault, nonce, isOver } = value;
  if (typeof task === 'string') return { task };
  if ('mark' in value) return readTraceMark(value);
  const why = typeof error === 'string' ? { error } : {};
  if (Number.isSafeInteger(flushed)) return { flushed: Number(flushed), ...why };
  if (Number.isSafeInteger(stepped)) return { stepped: Number(stepped), ...why };
  if (Number.isSafeInteger(reply)) return readL1Answer(Number(reply), result, error);
  if (typeof fault === 'string' && Number.isSafeInteger(nonce)) {
    return { fault, nonce: Number(nonce), isOver: isOver === true };
  }
  if (isRecord(point) && Number.isSafeInteger(id)) {
    const order = readOrder(point);
    return order && { id: Number(id), point: order };
  }
  if (Number.isSafeInteger(id) && isTime(to)) return { id: Number(id), to };
  return Number.isSafeInteger(step) && isProgress(progress) ? { step: Number(step), progress } : undefined;
}

function readL1Answer(reply: number, result: unknown, error: unknown): ProcessMessage | undefined {
  if (typeof error === 'string') return { reply, error };
  return isL1Answer(result) ? { reply, result } : undefined;
}

function readOrder({ action, number }: Readonly<Record<string, unknown>>): WireOrder | undefined {
  if (action === 'take') return { action };
  return action === 'revert' && Number.isSafeInteger(number) ? { action, number: Number(number) } : undefined;
}

/** Whether a message to a process answers one of its orders. */
export function isOrderAnswer(value: unknown): value is OrderAnswer {
  return isRecord(value) && 'id' in value && ('at' in value || 'error' in value);
}

/** Whether a message asks a process to flush. */
export function isFlushRequest(value: unknown): value is FlushRequest {
  return isRecord(value) && Number.isSafeInteger(value['flush']);
}

/** Whether a message asks a process for a step for a checkpoint. */
export function isCheckpointRequest(value: unknown): value is CheckpointRequest {
  if (!isRecord(value)) return false;
  const { do: word, to, step } = value;
  return STEPS.some((each) => WIRE_STEPS[each] === word) && [to, step].every(Number.isSafeInteger);
}

/** Whether a message to a process announces a state of the clock. */
export function isClockPush(value: unknown): value is ClockPush {
  return (
    isClockState(value) &&
    Number.isSafeInteger(value['step']) &&
    typeof value['watched'] === 'boolean' &&
    isSkew(value['skew'])
  );
}

function isSkew(value: unknown): boolean {
  return value === undefined || (typeof value === 'number' && Number.isSafeInteger(value));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
