import { Writable } from 'node:stream';
import type { KubeConfig, PortForward } from '@kubernetes/client-node';
import { messageOf } from '../../../system/failure.ts';
import { acceptAt, allAcceptors } from '../../../system/net/acceptor.ts';
import type { Place } from '../../../system/net/relay.ts';
import { HOST } from '../../plan/reach.ts';
import type { Passage, Passages } from '../engine/engine.ts';
import { podOf } from './pod.ts';

type Take = Parameters<typeof acceptAt>[1];
type Connection = Parameters<Take>[0];

/**
 * Opens ports of this machine that lead to pods. Each connection is a stream of its own through the cluster, and goes
 * to the pod that has the name then: a pod that was replaced needs nothing.
 */
export async function openForwards(
  config: KubeConfig,
  namespace: string,
  passages: readonly Passage[],
  report: (line: string) => void,
): Promise<Passages> {
  const { PortForward: Forward } = await import('@kubernetes/client-node');
  const forward = new Forward(config);
  const starts = passages.map(({ unit, port, local }) => () => {
    const target = { host: podOf(unit), port };
    return acceptAt({ host: HOST, port: local }, (socket) => carry(forward, namespace, target, socket, report));
  });
  const acceptors = await allAcceptors(starts);
  return {
    ports: acceptors.map(({ port }) => port),
    async stop() {
      await Promise.all(acceptors.map((acceptor) => acceptor.stop()));
    },
  };
}

/** Joins a connection with a port of a pod. Either end closes both. */
function carry(
  forward: PortForward,
  namespace: string,
  { host: pod, port }: Place,
  socket: Connection,
  report: (line: string) => void,
): void {
  const fail = (reason: string) => {
    if (!socket.destroyed) report(`no way to port ${port} of the pod ${pod}: ${reason}`);
    socket.destroy();
  };
  const problems = new Writable({
    write(chunk: Buffer, _, done) {
      if (chunk.length > 0) fail(chunk.toString().trim());
      done();
    },
  });
  socket.setNoDelay(true).on('error', () => socket.destroy());
  forward.portForward(namespace, pod, [port], socket, problems, socket).then(
    (stream) => {
      if (typeof stream === 'function') return;
      stream.onclose = () => socket.destroySoon();
      socket.once('close', () => stream.close());
      if (socket.destroyed) stream.close();
    },
    (error: unknown) => fail(messageOf(error) || 'the cluster refuses it'),
  );
}
