import { isTime } from '../../system/numbers/bounds.ts';
import type { CheckpointOrder } from '../../system/time/checkpoints.ts';
import type { ClockMessage } from '../../system/time/network-clock.ts';
import { isProgress } from '../../system/time/progress.ts';

/** A report of a process: idle at a step of the clock, with its progress. */
export type ClockReport = Extract<ClockMessage, { step: number }>;

/** Reads a message of a process; undefined where it is malformed. Any program of this user may have sent it. */
export function clockMessage(value: unknown): ClockMessage | undefined {
  if (!isRecord(value)) return undefined;
  const { task, step, progress, id, to, kept, stepped, point, error } = value;
  if (typeof task === 'string') return { task };
  const why = typeof error === 'string' ? { error } : {};
  if (Number.isSafeInteger(kept)) return { kept: Number(kept), ...why };
  if (Number.isSafeInteger(stepped)) return { stepped: Number(stepped), ...why };
  if (isRecord(point) && Number.isSafeInteger(id)) {
    const order = checkpointOrder(point);
    return order && { id: Number(id), point: order };
  }
  if (Number.isSafeInteger(id) && isTime(to)) return { id: Number(id), to };
  return Number.isSafeInteger(step) && isProgress(progress) ? { step: Number(step), progress } : undefined;
}

function checkpointOrder({ action, number }: Readonly<Record<string, unknown>>): CheckpointOrder | undefined {
  if (action === 'take') return { action };
  return action === 'revert' && Number.isSafeInteger(number) ? { action, number: Number(number) } : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
