import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { EXIT, Failure, messageOf } from '../../../system/failure.ts';
import type { Daemon } from './connect.ts';
import { DISK_FULL, isDiskFull, statusOf } from './errors.ts';

/** How the package's own image is built. */
export interface OwnImage {
  /** Returns a tar stream with the Dockerfile and the files that it copies. */
  context(): Readable;
  /** Image that it is built upon. Absent: that of the Dockerfile. */
  readonly base?: string;
}

/** Tells what is done about an image now. */
export type Progress = (text: string) => void;

/** Returns whether the daemon has an image. @throws Failure `docker` (exit 4) if it is for another processor */
export async function hasImage({ docker, architecture }: Daemon, name: string): Promise<boolean> {
  try {
    const { Architecture, Os } = await docker.getImage(name).inspect();
    if (!fits(Architecture, architecture))
      throw lacking(`the image ${name} is for ${Os}/${Architecture}, and Docker runs on ${architecture}`, [
        'give an image for this processor: image: …',
      ]);
    return true;
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw error;
  }
}

const ALIASES: Readonly<Record<string, string>> = { x86_64: 'amd64', aarch64: 'arm64', armv7l: 'arm' };

function fits(image: string, daemon: string): boolean {
  return image === '' || daemon === '' || image === (ALIASES[daemon] ?? daemon);
}

/** Pulls an image. @throws Failure `docker` (exit 4) */
export async function pullImage({ docker }: Daemon, name: string, progress: Progress): Promise<void> {
  const tagged = /[:@][^/]*$/.test(name) ? name : `${name}:latest`;
  try {
    const stream = (await docker.pull(tagged)) as Readable;
    await followed(docker, stream, progress);
  } catch (error) {
    throw explainedPull(name, error);
  }
}

/** Builds the package's image. @throws Failure `docker` (exit 4) */
export async function buildImage(
  { docker }: Daemon,
  name: string,
  { context, base }: OwnImage,
  labels: Readonly<Record<string, string>>,
  progress: Progress,
): Promise<void> {
  const files = context();
  try {
    const stream = (await docker.buildImage(files, {
      t: name,
      labels: { ...labels },
      rm: true,
      forcerm: true,
      ...(base === undefined ? {} : { buildargs: { BASE: base } }),
    })) as Readable;
    await followed(docker, stream, progress);
  } catch (error) {
    if (/pull access denied|no such host|dial tcp|i\/o timeout|manifest unknown|TLS|registry/i.test(messageOf(error)))
      throw lacking(`cannot pull the base of the package's image${base === undefined ? '' : ` (${base})`}`, [
        'name one that Docker has, with Node 22.13 or newer and glibc: DEVNET_BASE_IMAGE=…',
        error,
      ]);
    if (isDiskFull(error)) throw lacking(`cannot build the image ${name}: ${DISK_FULL[0]}`, [DISK_FULL[1], error]);
    throw lacking(`cannot build the image ${name}: ${messageOf(error)}`, ['see the messages of the build', error]);
  }
}

interface Step {
  readonly stream?: string;
  readonly status?: string;
  readonly id?: string;
  readonly progress?: string;
  readonly error?: string;
}

/** Follows the steps of a build or a pull to their end. @throws Error with the daemon's words */
function followed(docker: Docker, stream: Readable, progress: Progress): Promise<void> {
  return new Promise((resolve, reject) => {
    docker.modem.followProgress(
      stream,
      (error: Error | null) => (error === null ? resolve() : reject(error)),
      ({ stream: line, status, id, progress: part, error }: Step) => {
        if (error !== undefined) reject(new Error(error));
        const text = (line ?? [id, status, part].filter(Boolean).join(' ')).trim();
        if (text !== '') progress(text);
      },
    );
  });
}

function explainedPull(name: string, error: unknown): Failure {
  const text = messageOf(error);
  if (/no matching manifest|does not match the specified platform/i.test(text))
    return lacking(`the image ${name} exists for other processors only`, [
      'give an image for this one: image: …',
      error,
    ]);
  if (isDiskFull(error)) return lacking(`cannot pull ${name}: ${DISK_FULL[0]}`, [DISK_FULL[1], error]);
  if (/denied|unauthorized|not found|manifest unknown|does not exist/i.test(text))
    return lacking(`cannot pull ${name}: ${text}`, ['correct its name, log in with docker login, or build it', error]);
  return lacking(`cannot pull ${name}: ${text}`, [
    'see the connection to its registry, or load it: docker load',
    error,
  ]);
}

function lacking(what: string, [hint, cause]: readonly [hint: string, cause?: unknown]): Failure {
  return new Failure('docker', what, { exit: EXIT.lacking, hint, ...(cause === undefined ? {} : { cause }) });
}
