import { PassThrough } from 'node:stream';
import type Docker from 'dockerode';
import type { Container } from 'dockerode';
import { FIRST_LINES, type LogRequest } from '../engine/engine.ts';
import { LineSplitter } from '../engine/lines.ts';

type Reader = Omit<LogRequest, 'unit'>;

/** Follows the log of a container until it ends. */
export async function followContainer(container: Container, reader: Reader): Promise<void> {
  await readLines(container.modem, await container.logs(optionsOf(reader)), reader);
}

/** Follows the log of all tasks of a service, on whatever machine they run, until the daemon ends it. */
export async function followService(docker: Docker, service: string, reader: Reader): Promise<void> {
  // The types know the log of a service as a whole text alone.
  const logs = docker.getService(service).logs(optionsOf(reader)) as unknown as Promise<NodeJS.ReadableStream>;
  await readLines(docker.modem, await logs, reader);
}

function optionsOf({ since }: Reader) {
  const part = since === undefined ? { tail: FIRST_LINES } : { since: Date.parse(since) / 1000 };
  return { follow: true, stdout: true, stderr: true, timestamps: true, ...part } as const;
}

async function readLines(
  modem: Docker['modem'],
  stream: NodeJS.ReadableStream,
  { signal, line }: Reader,
): Promise<void> {
  const splitter = new LineSplitter(line);
  const output = new PassThrough().on('data', (bytes: Buffer) => splitter.push(bytes));
  modem.demuxStream(stream, output, output);
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
    stream.once('end', resolve).once('close', resolve).once('error', reject);
    if (signal.aborted) stop();
  });
}
