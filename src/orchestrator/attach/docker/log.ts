import { PassThrough } from 'node:stream';
import type { Container } from 'dockerode';
import { FIRST_LINES, type LogRequest } from '../engine/engine.ts';
import { LineSplitter } from '../engine/lines.ts';

/** Follows the log of a container until it ends. */
export async function followContainer(
  container: Container,
  { since, signal, line }: Omit<LogRequest, 'unit'>,
): Promise<void> {
  const part = since === undefined ? { tail: FIRST_LINES } : { since: Date.parse(since) / 1000 };
  const stream = await container.logs({ follow: true, stdout: true, stderr: true, timestamps: true, ...part });
  const splitter = new LineSplitter(line);
  const output = new PassThrough().on('data', (bytes: Buffer) => splitter.push(bytes));
  container.modem.demuxStream(stream, output, output);
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
