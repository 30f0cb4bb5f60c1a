import { fstatSync } from 'node:fs';

/** Calls back for each interrupting signal. Returns the unsubscription, after which signals end the process again. */
export function onInterrupt(listener: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const handlers = signals.map((signal) => [signal, () => listener(signal)] as const);
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

/**
 * Calls back when whoever holds the other end of our standard input is gone. Only where that is a pipe or a socket: a terminal sends SIGHUP
 * instead, and reading it would suspend a job in the background; a file or /dev/null has nobody at its end.
 */
export function onInputEnd(listener: () => void): () => void {
  let piped = false;
  try {
    const input = fstatSync(0);
    piped = input.isFIFO() || input.isSocket();
  } catch {
    // Closed from the start: nobody was there.
  }
  if (!piped) return () => undefined;
  process.stdin.once('end', listener).once('error', listener).resume();
  return () => {
    process.stdin.off('end', listener).off('error', listener);
    process.stdin.destroy();
  };
}

/** Calls back when nobody reads our standard output any more: what goes on for ever has to end then. */
export function onOutputGone(listener: () => void): () => void {
  process.stdout.once('error', listener);
  return () => process.stdout.off('error', listener);
}
