import { EXIT, Failure } from '../../../system/failure.ts';
import type { EngineAddress } from '../engine/engine.ts';
import { type Environment, hostOfContext } from './context.ts';

export type DockerAddress = Extract<EngineAddress, { kind: 'docker' }>;

/**
 * Returns the daemon of a Docker context.
 * @throws Failure `attach`: an unknown context (exit 2), or one that is reached in another way (exit 4)
 */
export function dockerAddress({ env }: { readonly env: Environment }, context: string): DockerAddress {
  const { host, certificates, skipTlsVerify } = hostOfContext(env, context);
  const agent = env['SSH_AUTH_SOCK'];
  const isUsable = /^(unix:\/\/\/.|tcp:\/\/.|ssh:\/\/.)/.test(host) && URL.canParse(host);
  if (!isUsable)
    throw new Failure('attach', `the Docker context ${context} has the address ${host}`, {
      exit: EXIT.lacking,
      data: { reason: 'address', context, host },
      hint: 'expected unix:///path/of/docker.sock, ssh://user@host or tcp://host:2376',
    });
  return {
    kind: 'docker',
    context,
    host,
    ...(certificates !== undefined && { certificates }),
    ...(skipTlsVerify && { skipTlsVerify }),
    ...(agent !== undefined && host.startsWith('ssh:') && { agent }),
  };
}

/** Whether the ports that a daemon publishes on its loopback are ports of this machine. */
export function isOfThisMachine({ host }: Pick<DockerAddress, 'host'>): boolean {
  return host.startsWith('unix:');
}
