import type Docker from 'dockerode';
import type { ContainerInfo } from 'dockerode';
import { EXIT, Failure, messageOf } from '../../../system/failure.ts';
import { LABELS } from '../../export/compose/labels.ts';
import type { Engine, FoundNetwork } from '../engine/engine.ts';
import { inTime, noDevnet, severalDevnets } from '../engine/failures.ts';
import type { DockerAddress } from './address.ts';
import { openCarrier } from './carrier.ts';
import { dockerClient } from './client.ts';
import { composeNetwork, projectOf } from './compose.ts';
import { followContainer, followService } from './log.ts';
import { type Service, stackNetwork, stackOf } from './stack.ts';

/** Returns the daemon of an address as an engine. Asks it nothing yet. */
export async function dockerEngine(address: DockerAddress): Promise<Engine> {
  const docker = await dockerClient(address);
  return {
    words: `the Docker context ${address.context}`,
    find: () => findNetwork(docker, address),
    async open(passages, report) {
      const { found } = address;
      // All ports of a daemon of this machine are published.
      if (found === undefined || passages.length === 0) return { ports: [], stop: () => Promise.resolve() };
      return await openCarrier(docker, found, passages, report);
    },
    async follow(request) {
      const { kind, name } = address.found ?? {};
      if (kind === 'stack') {
        const services = await servicesOf(docker);
        const service = services.find((each) => stackOf(each) === name && unitOf(each.Spec?.Labels) === request.unit);
        if (service === undefined) throw new Error('it has no service');
        return await followService(docker, service.ID, request);
      }
      const containers = await containersOf(docker);
      const container = containers.find((each) => projectOf(each) === name && unitOf(each.Labels) === request.unit);
      if (container === undefined) throw new Error('it has no container');
      await followContainer(docker.getContainer(container.Id), request);
    },
  };
}

function unitOf(labels: Readonly<Record<string, string>> | undefined): string | undefined {
  return labels?.[LABELS.unit];
}

/** Lists containers that Compose made for exported networks, those that stand still too. */
async function containersOf(docker: Docker): Promise<readonly ContainerInfo[]> {
  const all = await docker.listContainers({ all: true, filters: { label: [LABELS.unit] } });
  return all.filter((each) => projectOf(each) !== undefined);
}

async function servicesOf(docker: Docker): Promise<readonly Service[]> {
  return await docker.listServices({ filters: { label: [LABELS.unit] } });
}

async function findNetwork(docker: Docker, address: DockerAddress): Promise<FoundNetwork> {
  const words = `the Docker context ${address.context}`;
  const silent = (cause: unknown) => noAnswer(address, cause);
  const ask = <T>(answer: Promise<T>) =>
    inTime(
      answer.catch((error: unknown) => {
        throw silent(error);
      }),
      silent,
    );
  const { Swarm: swarm } = await ask<DaemonInfo>(docker.info());
  const containers = await ask(containersOf(docker));
  const services = swarm?.ControlAvailable === true ? await ask(servicesOf(docker)) : [];
  const names = [...new Set([...containers.map(projectOf), ...services.map(stackOf)])].filter(
    (name) => name !== undefined,
  );
  const [name, ...others] = names;
  if (name === undefined) {
    if (swarm?.LocalNodeState === 'active' && swarm.ControlAvailable !== true) throw worker(words);
    throw noDevnet(words, `docker ps -a --filter label=${LABELS.unit}`);
  }
  if (others.length > 0)
    throw severalDevnets(words, names, 'attach one by its file: `devnet attach FOLDER/attach.yaml`');
  return services.length > 0
    ? await stackNetwork(docker, address, name, services, ask)
    : await composeNetwork(docker, address, name, containers, ask);
}

/** What a daemon says of its part in a swarm. */
interface DaemonInfo {
  readonly Swarm?: { readonly LocalNodeState?: string; readonly ControlAvailable?: boolean };
}

function worker(words: string): Failure<'attach'> {
  return new Failure('attach', `${words} is a worker of a swarm, which knows nothing of the other machines`, {
    exit: EXIT.usage,
    data: { reason: 'worker' },
    hint: 'give the context of a manager; `docker node ls` there lists all machines',
  });
}

function noAnswer({ context, host }: DockerAddress, cause: unknown): Failure<'attach'> {
  // The last line is that of ssh.
  const why = host.startsWith('unix:') ? '' : `: ${messageOf(cause).trim().split('\n').at(-1)}`;
  return new Failure('attach', `the daemon of the Docker context ${context} at ${host} does not answer${why}`, {
    exit: EXIT.notReady,
    data: { reason: 'no-answer', context, host },
    hint: `\`docker --context ${context} info\` asks the same daemon; nothing was attached`,
    cause,
  });
}
