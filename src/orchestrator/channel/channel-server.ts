import { type OrderAnswer, orderOf } from '../../system/channel/messages.ts';
import { messageOf } from '../../system/failure.ts';
import { remove } from '../../system/files/folder.ts';
import type { Server } from '../../system/net/socket.ts';
import type { ClockState } from '../../system/time/clock-state.ts';
import { serveSocket } from '../state/sockets.ts';
import { CheckpointService } from './checkpoint-service.ts';
import { ClockService } from './clock-service.ts';
import { Connections, type NamedMessage } from './connections.ts';
import { QuiesceService } from './quiesce-service.ts';

/** The supervisor's end of the channel to its processes, with three services. */
export interface ChannelServices {
  readonly clock: ClockService;
  readonly quiesce: QuiesceService;
  readonly checkpoints: CheckpointService;
}

export interface ChannelServer extends ChannelServices {
  close(): Promise<void>;
}

/** Serves the channel of a network at a socket. The devnet's lock is held, so an old socket file is stale. */
export async function serveChannel(path: string, initial: ClockState): Promise<ChannelServer> {
  const connections: Connections = new Connections({
    connected(task) {
      clock.announceTo(task);
      quiesce.connected(task);
    },
    receive: (task, message, answer) => receive({ clock, quiesce, checkpoints }, task, message, answer),
    lost(task) {
      checkpoints.lose(task);
      quiesce.lose(task);
    },
  });
  const clock = new ClockService(connections, initial);
  const quiesce = new QuiesceService(connections);
  const checkpoints = new CheckpointService(connections);
  const server: Server = await serveSocket(path, (socket) => connections.accept(socket));
  return {
    clock,
    quiesce,
    checkpoints,
    async close() {
      connections.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      remove(path);
    },
  };
}

/** Hands a message of a process to its service. */
function receive(
  { clock, quiesce, checkpoints }: ChannelServices,
  task: string | undefined,
  message: NamedMessage,
  answer: (message: OrderAnswer) => void,
): void {
  if ('point' in message) void answerOrder(message.id, checkpoints.order(orderOf(message.point)), answer);
  else if ('id' in message) void answerOrder(message.id, clock.move(message.to), answer);
  else if ('kept' in message) quiesce.flushed(task, message.kept, message.error);
  else if ('stepped' in message) checkpoints.stepped(task, message.stepped, message.error);
  else if (task !== undefined) quiesce.receive(task, message);
}

async function answerOrder(id: number, result: Promise<number>, answer: (message: OrderAnswer) => void): Promise<void> {
  answer(
    await result.then(
      (at) => ({ id, at }),
      (error: unknown) => ({ id, error: messageOf(error) }),
    ),
  );
}
