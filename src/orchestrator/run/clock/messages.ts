import type { ClockMessage } from '../../../system/network-clock.ts';

/** A report of a process: idle at a step of the clock, with its view of the network. */
export type ClockReport = Extract<ClockMessage, { step: number }>;

/** Reads a message of a process; undefined where it is malformed. Any program of this user may have sent it. */
export function clockMessage(value: unknown): ClockMessage | undefined {
  if (!isRecord(value)) return undefined;
  const { task, step, seen, id, to, kept, error } = value;
  if (typeof task === 'string') return { task };
  if (Number.isSafeInteger(kept)) return { kept: Number(kept), ...(typeof error === 'string' ? { error } : {}) };
  if (Number.isSafeInteger(id) && Number.isFinite(to)) return { id: Number(id), to: Number(to) };
  if (!Number.isSafeInteger(step) || !isRecord(seen) || !Object.values(seen).every(isScalar)) return undefined;
  return { step: Number(step), seen: seen as ClockReport['seen'] };
}

const isScalar = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value);

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
