import type Docker from 'dockerode';
import type { ContainerInfo } from 'dockerode';
import { EXIT, Failure } from '../../../system/failure.ts';
import { LABELS } from '../../export/compose/labels.ts';
import type { FoundNetwork, Passage } from '../engine/engine.ts';
import { type DockerAddress, isOfThisMachine } from './address.ts';
import { filesOfFolder } from './read-folder.ts';

/** Label by which Compose marks the containers of a project. */
const PROJECT = 'com.docker.compose.project';

/** Where a container has the files of its network. */
const NETWORK_FOLDER = '/devnet';

/** Returns the project of Compose to which a container belongs. */
export function projectOf({ Labels }: Pick<ContainerInfo, 'Labels'>): string | undefined {
  return Labels[PROJECT];
}

/** Reads a network that Compose runs. `ask`: explains that the daemon does not answer. */
export async function composeNetwork(
  docker: Docker,
  address: DockerAddress,
  name: string,
  containers: readonly ContainerInfo[],
  ask: <T>(answer: Promise<T>) => Promise<T>,
): Promise<FoundNetwork> {
  const first = containers.find(({ Labels }) => Labels[LABELS.unit] === 'l1') ?? containers[0];
  if (first === undefined) throw new Error(`the project ${name} has no container`);
  const still = containers.find(({ State }) => State !== 'running');
  if (still !== undefined) throw notRunning(still);
  const isHere = isOfThisMachine(address);
  const [network = ''] = Object.values(first.NetworkSettings?.Networks ?? {}).map(({ NetworkID }) => NetworkID);
  return {
    devnet: first.Labels[LABELS.devnet] ?? '',
    version: first.Labels[LABELS.version] ?? 'unknown',
    files: await ask(filesOfFolder(docker.getContainer(first.Id), NETWORK_FOLDER)),
    // Those of another machine are on its loopback.
    published: isHere ? containers.flatMap(publishedBy) : [],
    carries: !isHere,
    address: { ...address, found: { kind: 'compose', name, network, image: first.ImageID } },
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
