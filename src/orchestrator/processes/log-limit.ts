import { basename } from 'node:path';
import { messageOf } from '../../system/failure.ts';
import { sizeOf } from '../../system/files/lines.ts';
import { olderPart, rotateLog } from '../../system/files/rotate.ts';
import type { Emit } from '../state/events.ts';

/** Pauses (ms) between two checks of the logs' sizes. `fast` follows a check that found one growing fast. */
const CHECK_PAUSE_MS = { usual: 200, fast: 20 };

/** Time (ms) without further events about a log's rotation. */
const NOTICE_INTERVAL_MS = 60_000;

/** A log and its writer. */
interface Logged {
  readonly task: { readonly id: string; readonly log: string };
  logStart: number;
}

/**
 * Rotates logs that have reached the limit.
 * Logs are the processes' own descriptors: no output passes through the supervisor, and a dead supervisor blocks no
 * process. So logs are emptied from outside.
 */
export function limitLogs(tasks: () => Iterable<Logged>, limit: number, emit: Emit): { close(): void } {
  const sizes = new Map<string, number>();
  const rotating = new Set<string>();
  const lastNotices = new Map<string, number>();
  let timer: NodeJS.Timeout;

  function look(): void {
    let pause = CHECK_PAUSE_MS.usual;
    for (const live of tasks()) {
      const { log } = live.task;
      const size = sizeOf(log);
      if (size - (sizes.get(log) ?? size) > limit / 8) pause = CHECK_PAUSE_MS.fast;
      sizes.set(log, size);
      if (size >= limit && !rotating.has(log)) void rotate(live);
    }
    timer = setTimeout(look, pause).unref();
  }

  async function rotate(live: Logged): Promise<void> {
    const { id, log } = live.task;
    rotating.add(log);
    try {
      const dropped = await rotateLog(log, limit, () => {
        live.logStart = 0;
        sizes.set(log, 0);
      });
      tell(
        id,
        `${id}: its log reached ${limit} bytes and was rotated: the lines before are in ${basename(olderPart(log))}`,
        dropped,
      );
    } catch (error) {
      tell(id, `${id}: cannot rotate ${log}: ${messageOf(error)}`, 0);
    } finally {
      rotating.delete(log);
    }
  }

  function tell(id: string, text: string, dropped: number): void {
    const now = performance.now();
    if (now - (lastNotices.get(id) ?? Number.NEGATIVE_INFINITY) < NOTICE_INTERVAL_MS) return;
    lastNotices.set(id, now);
    emit({ event: 'notice', text: dropped === 0 ? text : `${text}; ${dropped} bytes were dropped` });
  }

  look();
  return { close: () => clearTimeout(timer) };
}
