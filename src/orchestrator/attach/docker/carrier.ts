import { Duplex, PassThrough } from 'node:stream';
import type Docker from 'dockerode';
import { EXIT, Failure, messageOf } from '../../../system/failure.ts';
import { acceptAt, allAcceptors } from '../../../system/net/acceptor.ts';
import { carryWithin, type StreamCarrier } from '../../../system/net/multiplex.ts';
import { ENTRY } from '../../export/unit-program.ts';
import { HOST } from '../../plan/reach.ts';
import type { DockerProject, Passage, Passages } from '../engine/engine.ts';
import { inTime } from '../engine/failures.ts';

/** Label of a container that carries connections. Its value is the project to whose units they lead. */
const CARRIER = 'rollup-devnet.carrier';

/** Memory (bytes) above which the daemon ends it. */
const MEMORY_BYTES = 256_000_000;

/**
 * Opens ports of this machine that lead to the units of a network by its daemon alone, wherever that is.
 * A container joins the network, and the daemon's own connection to its input and output carries all others. It ends
 * with that connection, and the daemon removes it. A later connection starts another one.
 */
export async function openCarrier(
  docker: Docker,
  project: DockerProject,
  passages: readonly Passage[],
  report: (line: string) => void,
): Promise<Passages> {
  let carrier = start();
  function start(): Promise<StreamCarrier> {
    return startCarrier(docker, project, passages, report);
  }
  await carrier;
  /** Returns the carrier that runs, and starts one if none does. */
  async function running(): Promise<StreamCarrier> {
    const before = carrier;
    const isOver = await before.then(
      ({ isOver }) => isOver(),
      () => true,
    );
    if (isOver && carrier === before) carrier = start();
    return await carrier;
  }
  const starts = passages.map(({ unit, port, local }) => () => {
    return acceptAt({ host: HOST, port: local }, (socket) => {
      socket.setNoDelay(true).on('error', () => socket.destroy());
      running().then(
        (carried) => carried.carry(socket, { host: unit, port }),
        (error: unknown) => {
          report(`no way to port ${port} of ${unit}: ${messageOf(error)}`);
          socket.destroy();
        },
      );
    });
  });
  const stop = async () => (await carrier.catch(() => undefined))?.stop();
  try {
    const acceptors = await allAcceptors(starts);
    return {
      ports: acceptors.map(({ port }) => port),
      async stop() {
        await Promise.all([stop(), ...acceptors.map((acceptor) => acceptor.stop())]);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @throws Failure `attach` (exit 3) with the words of the daemon or of the container */
async function startCarrier(
  docker: Docker,
  { name, network, image }: DockerProject,
  passages: readonly Passage[],
  report: (line: string) => void,
): Promise<StreamCarrier> {
  let words = '';
  const failed = (cause: unknown) =>
    new Failure('attach', `no container can join ${name}: ${words.trim() || messageOf(cause)}`, {
      exit: EXIT.notReady,
      data: { reason: 'carrier', image },
      hint: `the daemon needs the image ${image}: \`docker load\` or \`docker pull\` brings it there`,
      cause,
    });
  try {
    const container = await inTime(docker.createContainer(containerOf(name, network, image, passages)), failed);
    const stream = await container.attach({ stream: true, stdin: true, stdout: true, stderr: true, hijack: true });
    const output = new PassThrough();
    const problems = new PassThrough().on('data', (bytes: Buffer) => {
      words = `${words}${bytes}`.slice(-2000);
    });
    container.modem.demuxStream(stream, output, problems);
    stream.once('close', () => output.end());
    await container.start();
    const joined = Duplex.from({ readable: output, writable: stream });
    const carried = carryWithin(joined, ({ host, port }, reason) =>
      report(`no way to port ${port} of ${host}: ${reason}`),
    );
    await inTime(carried.open, failed);
    return carried;
  } catch (error) {
    throw error instanceof Failure ? error : failed(error);
  }
}

function containerOf(name: string, network: string, image: string, passages: readonly Passage[]) {
  const places = passages.map(({ unit, port }) => `${unit}:${port}`);
  return {
    Image: image,
    Entrypoint: [...ENTRY, `--carry=${places.join(',')}`],
    Labels: { [CARRIER]: name },
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    OpenStdin: true,
    StdinOnce: true,
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      AutoRemove: true,
      NetworkMode: network,
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      Memory: MEMORY_BYTES,
      Init: true,
      // Its output is that of connections.
      LogConfig: { Type: 'none', Config: {} },
    },
  };
}
