import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { EXIT, Failure } from '../../../system/failure.ts';
import { exists, namesIn, readText } from '../../../system/files/folder.ts';
import type { EngineAddress } from '../engine/engine.ts';

export type DockerAddress = Extract<EngineAddress, { kind: 'docker' }>;

type Environment = Readonly<Record<string, string | undefined>>;

/** What Docker keeps of a context. */
const meta = z.object({
  Name: z.string(),
  Endpoints: z.object({ docker: z.object({ Host: z.string() }) }),
});

/**
 * Returns the daemon of a Docker context. `default` is that of `$DOCKER_HOST`, else the usual one, as for docker.
 * @throws Failure `attach`: an unknown context (exit 2), or a daemon of another machine (exit 4)
 */
export function dockerAddress({ env }: { readonly env: Environment }, context: string): DockerAddress {
  const host =
    context === 'default' ? env['DOCKER_HOST'] || 'unix:///var/run/docker.sock' : hostOf(contextsOf(env), context);
  if (host.startsWith('unix://')) return { kind: 'docker', context, socket: host.slice('unix://'.length) };
  throw new Failure('attach', `the Docker context ${context} at ${host} is not a socket of this machine`, {
    exit: EXIT.lacking,
    data: { reason: 'remote', context, host },
    hint: 'its ports are published on its own loopback: lead them here by `ssh -L`, and attach the attach.yaml',
  });
}

function contextsOf(env: Environment): string {
  return join(env['DOCKER_CONFIG'] || join(env['HOME'] ?? '/', '.docker'), 'contexts', 'meta');
}

function hostOf(folder: string, context: string): string {
  const digest = createHash('sha256').update(context).digest('hex');
  const entry = readMeta(join(folder, digest, 'meta.json'));
  if (entry !== undefined) return entry.Endpoints.docker.Host;
  const all = exists(folder) ? namesIn(folder).map((name) => readMeta(join(folder, name, 'meta.json'))?.Name) : [];
  const names = ['default', ...all.filter((name) => name !== undefined)];
  throw new Failure('attach', `there is no Docker context ${JSON.stringify(context)}`, {
    exit: EXIT.usage,
    data: { reason: 'context', contexts: names },
    hint: `expected one of ${names.join(', ')}; \`docker context ls\` lists them`,
  });
}

function readMeta(path: string): z.output<typeof meta> | undefined {
  const text = readText(path);
  return text === undefined ? undefined : meta.parse(JSON.parse(text));
}
