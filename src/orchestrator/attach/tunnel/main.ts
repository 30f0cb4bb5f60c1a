import { messageOf } from '../../../system/failure.ts';
import { appendTo } from '../../../system/files/append-stream.ts';
import { remove } from '../../../system/files/folder.ts';
import { type Running, runUntilSignal } from '../../../system/program/program.ts';
import { terminalText } from '../../../system/program/terminal-text.ts';
import { pause } from '../../../system/time/pause.ts';
import type { Engine } from '../engine/engine.ts';
import { engineAt } from './engines.ts';
import { readTunnelOrder, TUNNEL_OPEN, type TunnelOrder } from './order.ts';

/** Pauses (ms) between two attempts to read an output that ended or that the engine does not give. */
const RETRY_MS = { first: 500, longest: 10_000 };

/** Time (ms) after which a line is written again. */
const REPEAT_MS = 60_000;

/** Runs the tunnel of an attached network until a signal; returns the exit code. */
export async function main(argument: string): Promise<number> {
  process.title = 'devnet-tunnel';
  return await runUntilSignal('tunnel', () => startTunnel(readTunnelOrder(argument), sayOnce()));
}

/** Returns a writer that leaves out the lines of the last minute. Each probe of a pod that is down has one. */
function sayOnce(): (line: string) => void {
  const times = new Map<string, number>();
  return (line) => {
    const now = performance.now();
    for (const [old, at] of times) if (now - at > REPEAT_MS) times.delete(old);
    if (times.has(line)) return;
    times.set(line, now);
    process.stdout.write(`${terminalText(line)}\n`);
  };
}

/** Opens the ports of a network on an engine, and keeps the output of its units in files. */
export async function startTunnel(
  { address, passages, logs }: TunnelOrder,
  report: (line: string) => void,
): Promise<Running> {
  const engine = await engineAt(address);
  const over = new AbortController();
  const opened = await engine.open(passages, report);
  report(`${TUNNEL_OPEN}: ${passages.length} ports of ${engine.words}`);
  const followed = Promise.all(logs.map((log) => keepLog(engine, log, over.signal, report)));
  return {
    failed: new Promise<never>(() => undefined),
    async stop() {
      over.abort();
      await Promise.all([opened.stop(), followed]);
    },
  };
}

/** Writes the output of a unit to a file, also that of the units that take its place, until aborted. */
async function keepLog(
  engine: Engine,
  { unit, path }: TunnelOrder['logs'][number],
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<void> {
  // What a tunnel before has written is read again.
  remove(path);
  const file = appendTo(path);
  let since: string | undefined;
  const writeAfter = (last: string) => (text: string) => {
    const end = text.indexOf(' ');
    const time = text.slice(0, end);
    // An engine repeats the lines of the second that it is asked for.
    if (inNanoseconds(time) <= last) return;
    since = time;
    file.stream.write(`${text.slice(end + 1)}\n`);
  };
  let wait = RETRY_MS.first;
  let reason = '';
  while (!signal.aborted) {
    const before = since;
    const line = writeAfter(since === undefined ? '' : inNanoseconds(since));
    const problem = await engine.follow({ unit, since, signal, line }).then(() => '', messageOf);
    if (signal.aborted) break;
    if (problem !== reason && problem !== '') report(`no output of ${unit}: ${problem}`);
    reason = problem;
    wait = since === before ? Math.min(wait * 2, RETRY_MS.longest) : RETRY_MS.first;
    await pause(wait, signal);
  }
  await new Promise<void>((resolve) => file.end(resolve));
}

/** Writes an RFC 3339 time so that two of them compare as texts. Engines drop zeros at its end. */
function inNanoseconds(time: string): string {
  const [seconds = '', fraction = ''] = time.replace('Z', '').split('.');
  return `${seconds}.${fraction.padEnd(9, '0')}`;
}
