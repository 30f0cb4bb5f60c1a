import { Socket } from 'node:net';

/**
 * File descriptors of the two pipes for messages between a process of our package and the one that started it.
 * They are no standard streams: code that `NODE_OPTIONS` loads, and any library, may print to those. There are two,
 * because a write to a process that is gone destroys a socket with what is unread in it.
 */
export const MESSAGE_PIPES = { toProcess: 3, toStarter: 4 } as const;

/**
 * Names the file descriptor of a lifeline in the environment of a process. A lifeline is a pipe that only the starter
 * of the process writes to. It breaks however the starter ends, also without `/proc` and without signals from the
 * kernel.
 */
export const LIFELINE = 'DEVNET_LIFELINE';

/** The message pipes of a process, as it sees them. */
export interface MessagePipes {
  readonly input: Socket;
  readonly output: Socket;
}

/** Opens the message pipes to the process that started this one by `startPiped`. @throws Error if there are none */
export function pipesToStarter(): MessagePipes {
  return {
    input: new Socket({ fd: MESSAGE_PIPES.toProcess, readable: true, writable: false }),
    output: new Socket({ fd: MESSAGE_PIPES.toStarter, readable: false, writable: true }),
  };
}

/**
 * Resolves when everything that an ended process wrote to a message pipe is read.
 * The end of the stream is no condition: a process that inherited its other side may hold it for ever.
 */
export async function readToLast(stream: Socket): Promise<void> {
  stream.resume();
  for (let before = -1; !stream.destroyed && stream.bytesRead !== before; ) {
    before = stream.bytesRead;
    // A whole turn of the event loop, in which the system reports everything that is there.
    for (let turn = 0; turn < 2; turn++) await new Promise((next) => setImmediate(next));
  }
}
