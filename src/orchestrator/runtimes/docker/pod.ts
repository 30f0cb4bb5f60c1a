import type { ContainerCreateOptions } from 'dockerode';
import { remove } from '../../../system/files/folder.ts';
import { giveFile, type Owner } from '../../../system/files/ownership.ts';
import { type Place, passOn } from '../../../system/net/relay.ts';
import type { Server } from '../../../system/net/socket.ts';
import type { Plan, Task } from '../../plan/plan.ts';
import { linkSocket, type Paths } from '../../state/paths.ts';
import { serveSocket } from '../../state/sockets.ts';
import type { Daemon } from './connect.ts';
import { exitOf, ignoreGone } from './container.ts';
import { failureOfAnswer, takenPort } from './errors.ts';
import { labelsOf, type Mark, nameOf } from './labels.ts';
import { LINKED, type LinkOrder } from './link.ts';
import { CONFINED, UNCHECKED } from './options.ts';
import { followOutput } from './output.ts';

/** First port that the link listens at in its container. Clients of the devnet have lower ones, or ephemeral ones. */
const FIRST_INNER = 61_000;

/** What all containers of a devnet share: a network, and a container with its addresses and published ports. */
export interface Pod {
  /** Name of the container whose network the others use. */
  readonly container: string;
  /** Resolves when the container has ended. */
  readonly exit: Promise<unknown>;
  /** Removes the container and the network. */
  close(): Promise<void>;
}

/** Returns the ports that a task of the devnet opens, without those of other transports. */
const placesOf = ({ ports }: Task): readonly Place[] =>
  ports.filter(({ transport }) => transport === 'tcp').map(({ host, port }) => ({ host, port }));

/** Returns the places of the machine that containers connect to: of tasks that run as processes, and in arguments. */
export function placesOutside(plan: Plan): readonly Place[] {
  const [inside, outside] = [
    plan.tasks.filter(({ container }) => container !== undefined),
    plan.tasks.filter(({ container }) => container === undefined),
  ];
  const inner = new Set(inside.flatMap(placesOf).map(keyOf));
  const mentions = inside.flatMap(({ command }) => [...command.argv, ...Object.values(command.env)].flatMap(placesIn));
  const all = [...outside.flatMap(placesOf), ...mentions].filter((place) => !inner.has(keyOf(place)));
  return [...new Map(all.map((place) => [keyOf(place), place])).values()];
}

const keyOf = ({ host, port }: Place) => `${host}:${port}`;

/** Finds the loopback addresses in a word of a command line: of URLs and of multiaddrs. */
function placesIn(word: string): readonly Place[] {
  return [...word.matchAll(/(?:\/\/|\/ip4\/)(127(?:\.\d{1,3}){3}|localhost)(?::|\/tcp\/)(\d{1,5})/g)].map(
    ([, host = '', port]) => ({ host: host === 'localhost' ? '127.0.0.1' : host, port: Number(port) }),
  );
}

/** What the link of a devnet is made of. */
export interface LinkContainer {
  readonly plan: Plan;
  readonly paths: Paths;
  readonly mark: Required<Mark>;
  readonly user: Owner;
  readonly hasInit: boolean;
}

/** Returns the options of the link's container, which is on the devnet's network. */
export function linkOptions({ plan, paths, mark, user, hasInit }: LinkContainer): ContainerCreateOptions {
  const inside = plan.tasks.filter(({ container }) => container !== undefined).flatMap(({ ports }) => ports);
  const outward = placesOutside(plan);
  const socket = linkSocket(paths);
  const inward = inside.map(({ transport, host, port }, index) => ({
    port: FIRST_INNER + index,
    transport,
    to: { host, port },
  }));
  const order: LinkOrder = { inward, outward, socket };
  return {
    Image: plan.image,
    Entrypoint: ['node'],
    Cmd: ['/opt/rollup-devnet/dist/link.js', JSON.stringify(order)],
    User: `${user.uid}:${user.gid}`,
    Labels: labelsOf(mark, paths, 'link'),
    Hostname: paths.name,
    ...UNCHECKED,
    ExposedPorts: Object.fromEntries(inward.map(({ port, transport }) => [`${port}/${transport}`, {}])),
    HostConfig: {
      Init: hasInit,
      NetworkMode: nameOf(paths),
      PortBindings: Object.fromEntries(
        inward.map(({ port, transport, to }) => [
          `${port}/${transport}`,
          [{ HostIp: to.host, HostPort: String(to.port) }],
        ]),
      ),
      Binds: outward.length === 0 ? [] : [`${socket}:${socket}`],
      ...CONFINED,
    },
  };
}

/** Makes the network and starts the container that publishes the ports. @throws Failure `spawn` (exit 4) */
export async function startPod(
  { docker, user, hasInit }: Daemon,
  plan: Plan,
  paths: Paths,
  mark: Required<Mark>,
): Promise<Pod> {
  const name = nameOf(paths);
  const outward = placesOutside(plan);
  const socket = linkSocket(paths);
  let server: Server | undefined;
  if (outward.length > 0) {
    server = await serveSocket(socket, (connection) => passOn(connection, outward));
    giveFile(socket, user);
  }
  const network = await docker
    .createNetwork({ Name: name, CheckDuplicate: true, Labels: labelsOf(mark, paths) })
    .catch((error: unknown) => {
      throw failureOfAnswer(error, 'the network of the devnet');
    });
  const container = `${name}-link`;
  const close = async () => {
    server?.close();
    remove(socket);
    await docker.getContainer(container).remove({ force: true, v: true }).catch(ignoreGone);
    await network.remove().catch(ignoreGone);
  };
  let exit: Promise<unknown>;
  try {
    const linkContainer = await docker.createContainer({
      name: container,
      ...linkOptions({ plan, paths, mark, user, hasInit }),
    });
    const output = followOutput(linkContainer, `${paths.folder}/nodes/link.log`, LINKED);
    await output.attached;
    await linkContainer.start();
    exit = exitOf(linkContainer, output.end);
    if (server !== undefined) await output.until;
  } catch (error) {
    // What is left here stays for the guard, and for the next start.
    await close().catch(() => undefined);
    const failure = failureOfAnswer(error, plan.image);
    const port = takenPort(error);
    throw port === undefined ? failure : Object.assign(failure, { data: { ...failure.data, ports: [port] } });
  }
  return { container, exit, close };
}
