import { setTimeout as sleep } from 'node:timers/promises';
import { httpGet } from '../../rpc/client/http-rest.ts';
import { EXIT, Failure, messageOf } from '../../system/failure.ts';
import { writeAtomic } from '../../system/files/atomic-write.ts';
import { exists, readText } from '../../system/files/folder.ts';
import type { Logger } from '../../system/program/log.ts';
import { genesisTimeOf } from '../spec/resolve/genesis-time.ts';
import type { Spec } from '../spec/schema/types.ts';

/** Pause (ms) between two questions to a beacon node that does not answer, and timeout of one. */
const RETRY_PAUSE_MS = 500;
const TIMEOUT_MS = 2000;

/** Failed questions between two lines of the log. */
const FAILURES_PER_LINE = 20;

/**
 * Returns the genesis time of the network, Unix seconds: that of the first start on an empty data folder.
 * The file survives a kill, so that every later start gives the same.
 * @throws Failure `unit` (exit 4) if the file is damaged
 */
export function genesisTimeOfVolume(path: string, spec: Spec, now: number): number {
  if (exists(path)) {
    const text = readText(path)?.trim() ?? '';
    if (/^\d{1,12}$/.test(text)) return Number(text);
    throw new Failure('unit', `${path} holds no genesis time: ${JSON.stringify(text)}`, {
      exit: EXIT.lacking,
      hint: 'begin the network anew with empty volumes',
    });
  }
  const time = genesisTimeOf(spec, now);
  writeAtomic(path, `${time}\n`, 0o600);
  return time;
}

/** Asks the beacon node of L1 for the genesis time, Unix seconds, until it answers or the signal aborts. */
export async function genesisTimeOfBeacon(url: string, signal: AbortSignal, log: Logger): Promise<number> {
  for (let failures = 0; ; failures++) {
    try {
      const { status, text } = await httpGet(`${url}/eth/v1/beacon/genesis`, {
        timeoutMs: TIMEOUT_MS,
        maxBytes: 10_000,
      });
      const time = /"genesis_time":\s*"(\d{1,12})"/.exec(text)?.[1];
      if (status === 200 && time !== undefined) return Number(time);
      throw new Error(`answers HTTP ${status}: ${text.slice(0, 60)}`);
    } catch (error) {
      signal.throwIfAborted();
      if (failures % FAILURES_PER_LINE === FAILURES_PER_LINE - 1)
        log.warn('L1 does not answer yet', { url, error: messageOf(error) });
      await sleep(RETRY_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
