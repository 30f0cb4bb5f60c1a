import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { EXIT, Failure } from '../../../system/failure.ts';
import { exists, namesIn, readText } from '../../../system/files/folder.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A daemon as Docker's client names it. */
export interface DockerHost {
  /** `unix:///run/docker.sock`, `ssh://user@host` or `tcp://host:2376`. */
  readonly host: string;
  /** Folder of the certificates with which a connection by TCP is made; absent: without TLS. */
  readonly certificates?: string;
  /** By TLS, and the daemon's certificate is not checked. */
  readonly skipTlsVerify?: true;
}

/** What Docker keeps of a context. */
const meta = z.object({
  Name: z.string(),
  Endpoints: z.object({ docker: z.object({ Host: z.string(), SkipTLSVerify: z.exactOptional(z.boolean()) }) }),
});

/**
 * Returns the daemon of a context of Docker's client. `default` is that of `$DOCKER_HOST`, else the usual one.
 * @throws Failure `attach` (exit 2) if there is no such context
 */
export function hostOfContext(env: Environment, context: string): DockerHost {
  const folder = env['DOCKER_CONFIG'] || join(env['HOME'] ?? '/', '.docker');
  if (context === 'default') {
    const host = env['DOCKER_HOST'] || 'unix:///var/run/docker.sock';
    return env['DOCKER_TLS_VERIFY'] ? { host, certificates: env['DOCKER_CERT_PATH'] || folder } : { host };
  }
  const digest = createHash('sha256').update(context).digest('hex');
  const all = join(folder, 'contexts', 'meta');
  const entry = readMeta(join(all, digest, 'meta.json'));
  if (entry === undefined) throw unknown(context, all);
  const { Host: host, SkipTLSVerify: skips } = entry.Endpoints.docker;
  const certificates = join(folder, 'contexts', 'tls', digest, 'docker');
  return { host, ...(exists(certificates) && { certificates }), ...(skips && { skipTlsVerify: true }) };
}

function unknown(context: string, folder: string): Failure<'attach'> {
  const all = exists(folder) ? namesIn(folder).map((name) => readMeta(join(folder, name, 'meta.json'))?.Name) : [];
  const names = ['default', ...all.filter((name) => name !== undefined)];
  return new Failure('attach', `there is no Docker context ${JSON.stringify(context)}`, {
    exit: EXIT.usage,
    data: { reason: 'context', contexts: names },
    hint: `expected one of ${names.join(', ')}; \`docker context ls\` lists them`,
  });
}

function readMeta(path: string): z.output<typeof meta> | undefined {
  const text = readText(path);
  return text === undefined ? undefined : meta.parse(JSON.parse(text));
}
