import type Docker from 'dockerode';
import type { ContainerInfo } from 'dockerode';
import { EXIT, Failure } from '../../../system/failure.ts';
import { LABELS } from '../../export/compose/labels.ts';
import type { Engine, FoundNetwork, Passage } from '../engine/engine.ts';
import { inTime, noDevnet, severalDevnets } from '../engine/failures.ts';
import type { DockerAddress } from './address.ts';
import { followContainer } from './log.ts';
import { filesOfFolder } from './read-folder.ts';

/** Label by which Compose marks the containers of a project. */
const PROJECT = 'com.docker.compose.project';

/** Where a container has the files of its network. */
const NETWORK_FOLDER = '/devnet';

/** Returns the daemon of an address as an engine. Asks it nothing yet. */
export async function dockerEngine(address: DockerAddress): Promise<Engine> {
  const { default: Client } = await import('dockerode');
  const docker = new Client({ socketPath: address.socket });
  return {
    words: `the Docker context ${address.context}`,
    find: () => findNetwork(docker, address),
    // All its ports are published.
    open: () => Promise.resolve({ ports: [], stop: () => Promise.resolve() }),
    async follow(request) {
      const containers = await containersOf(docker, address);
      const container = containers.find(({ Labels }) => Labels[LABELS.unit] === request.unit);
      if (container === undefined) throw new Error('it has no container');
      await followContainer(docker.getContainer(container.Id), request);
    },
  };
}

/** Lists the containers of exported networks, those that stand still too: of all projects, or of one. */
async function containersOf(docker: Docker, { project }: DockerAddress): Promise<readonly ContainerInfo[]> {
  const label = [LABELS.unit, ...(project === undefined ? [] : [`${PROJECT}=${project}`])];
  return await docker.listContainers({ all: true, filters: { label } });
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
  const containers = await ask(containersOf(docker, address));
  const projects = [...new Set(containers.map(({ Labels }) => Labels[PROJECT] ?? ''))];
  const [project, ...others] = projects;
  const first = containers.find(({ Labels }) => Labels[LABELS.unit] === 'l1') ?? containers[0];
  if (project === undefined || first === undefined) throw noDevnet(words, `docker ps -a --filter label=${LABELS.unit}`);
  if (others.length > 0)
    throw severalDevnets(words, projects, 'attach one by its file: `devnet attach FOLDER/attach.yaml`');
  const still = containers.find(({ State }) => State !== 'running');
  if (still !== undefined) throw notRunning(still);
  return {
    devnet: first.Labels[LABELS.devnet] ?? '',
    version: first.Labels[LABELS.version] ?? 'unknown',
    files: await ask(filesOfFolder(docker.getContainer(first.Id), NETWORK_FOLDER)),
    published: containers.flatMap(publishedBy),
    carries: false,
    address: { ...address, project },
  };
}

function publishedBy({ Labels, Ports }: ContainerInfo): readonly Passage[] {
  const unit = Labels[LABELS.unit] ?? '';
  return Ports.flatMap(({ PrivatePort: port, PublicPort: local, Type }) =>
    Type === 'tcp' && local !== undefined ? [{ unit, port, local }] : [],
  );
}

function notRunning({ Labels, State, Id }: ContainerInfo): Failure<'attach'> {
  const unit = Labels[LABELS.unit] ?? '';
  return new Failure('attach', `the container of ${unit} is ${State}`, {
    exit: EXIT.notReady,
    data: { reason: 'not-running', unit, state: State },
    hint: `\`docker logs ${Id.slice(0, 12)}\` shows why; \`docker compose up -d\` starts it`,
  });
}

function noAnswer({ context, socket }: DockerAddress, cause: unknown): Failure<'attach'> {
  return new Failure('attach', `the daemon of the Docker context ${context} at ${socket} does not answer`, {
    exit: EXIT.notReady,
    data: { reason: 'no-answer', context, socket },
    hint: `\`docker --context ${context} info\` asks the same daemon; nothing was attached`,
    cause,
  });
}
