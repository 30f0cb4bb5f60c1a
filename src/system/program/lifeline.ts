import { Socket } from 'node:net';

/** Names the file descriptor of a lifeline in the environment of the process that holds its other end. */
export const LIFELINE = 'DEVNET_LIFELINE';

/**
 * Resolves when the process that started this one is gone. Undefined for a program that was started by hand.
 * A lifeline is a pipe that only the starter writes to. It breaks however the starter ends, also without `/proc` and
 * without signals from the kernel.
 */
export function lifelineBroken(env: Record<string, string | undefined>): Promise<void> | undefined {
  const fd = Number(env[LIFELINE] ?? Number.NaN);
  delete env[LIFELINE];
  if (!Number.isSafeInteger(fd)) return undefined;
  try {
    const pipe = new Socket({ fd, readable: true, writable: false });
    const broken = new Promise<void>((resolve) => {
      pipe.once('end', resolve).once('close', () => resolve());
      pipe.on('error', () => resolve());
    });
    pipe.resume().unref();
    return broken;
  } catch {
    // The variable came from elsewhere: there is no pipe at that descriptor.
    return undefined;
  }
}

/** Ends this process by SIGTERM when its starter is gone. Without effect if it has no lifeline. */
export function followStarter(env: Record<string, string | undefined>): void {
  void lifelineBroken(env)?.then(() => process.kill(process.pid, 'SIGTERM'));
}
