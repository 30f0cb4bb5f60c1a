import { Duplex } from 'node:stream';

/** Returns standard input and output of this process as one stream. */
export function standardStreams(): Duplex {
  return Duplex.from({ readable: process.stdin, writable: process.stdout });
}
