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
 * Calls back when the other end of standard input is closed. Returns the unsubscription.
 * Only a pipe or a socket is watched. A terminal sends SIGHUP instead, and reading it would suspend a background job. A
 * file and /dev/null have no other end.
 */
export function onInputEnd(listener: () => void): () => void {
  let piped = false;
  try {
    const input = fstatSync(0);
    piped = input.isFIFO() || input.isSocket();
  } catch {
    // Standard input was closed from the start.
  }
  if (!piped) return () => undefined;
  process.stdin.once('end', listener).once('error', listener).resume();
  return () => {
    process.stdin.off('end', listener).off('error', listener);
    process.stdin.destroy();
  };
}

/** Calls back when the reader of standard output is gone, for commands without an end. Returns the unsubscription. */
export function onOutputGone(listener: () => void): () => void {
  process.stdout.once('error', listener);
  return () => process.stdout.off('error', listener);
}

/**
 * Calls back for each key on the terminal of standard input, which then echoes nothing and sends no signals. Returns
 * the unsubscription, which restores the terminal; undefined if standard input is no terminal.
 */
export function onKey(listener: (key: string) => void): (() => void) | undefined {
  const { stdin } = process;
  if (!stdin.isTTY) return undefined;
  const receive = (bytes: Buffer) => listener(bytes.toString('utf8'));
  // A terminal that was closed cannot be read; SIGHUP ends the process.
  const ignore = () => undefined;
  stdin.setRawMode(true);
  stdin.on('error', ignore).on('data', receive).resume();
  return () => {
    stdin.off('data', receive).pause();
    if (!stdin.destroyed) stdin.setRawMode(false);
  };
}
