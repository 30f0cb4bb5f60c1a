import { Socket } from 'node:net';

/**
 * File descriptor of the pipe for messages between a process of our package and the one that started it.
 * It is no standard stream: code that `NODE_OPTIONS` loads, and any library, may print to those.
 */
export const MESSAGE_PIPE = 3;

/** Opens the message pipe to the process that started this one by `startPiped`. @throws Error where there is none */
export function pipeToStarter(): Socket {
  return new Socket({ fd: MESSAGE_PIPE, readable: true, writable: true, allowHalfOpen: true });
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
