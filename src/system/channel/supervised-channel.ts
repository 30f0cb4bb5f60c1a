import { readText } from '../files/folder.ts';
import { parseClockFile } from '../time/clock-state.ts';
import type { Channel } from './channel.ts';
import { Connection } from './connection.ts';
import { isCheckpointRequest, isClockPush, isFlushRequest, isOrderAnswer, wireOrder } from './messages.ts';
import { Orders } from './orders.ts';
import { SupervisedCheckpoints } from './supervised-checkpoints.ts';
import { SupervisedClock } from './supervised-clock.ts';
import { SupervisedQuiesce } from './supervised-quiesce.ts';

/**
 * Opens the channel of a process to its supervisor. The file holds the clock's state at the start, and the path of the
 * supervisor's socket. Without the socket only the clock goes on. `task`: the name of this process in reports.
 */
export function supervisedChannel(file: string, task: string): Channel {
  const fileNow = () => parseClockFile(readText(file) ?? '');
  const initial = fileNow();
  const clock = new SupervisedClock(initial ?? { at: Date.now(), wall: Date.now(), rate: 1 });
  const connection = new Connection({
    path: () => fileNow()?.socket,
    connected() {
      quiesce.connected();
      connection.send({ task });
    },
    receive(message) {
      if (isOrderAnswer(message)) orders.receive(message);
      else if (isFlushRequest(message)) void quiesce.flush(message.keep);
      else if (isCheckpointRequest(message)) void checkpoints.receive(message);
      else if (isClockPush(message)) {
        clock.receive(message);
        quiesce.look();
      }
    },
    lost() {
      checkpoints.lose();
      orders.lose();
    },
  });
  const quiesce = new SupervisedQuiesce(connection, () => clock.state);
  const checkpoints = new SupervisedCheckpoints(connection);
  const orders = new Orders(connection);
  const hasSupervisor = initial?.socket !== undefined;
  if (hasSupervisor) void connection.open();
  return {
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
    wallUntil: (time) => clock.wallUntil(time),
    onMoved: (listener) => clock.onMoved(listener),
    activity: () => quiesce.activity(),
    report: (progress) => quiesce.report(progress),
    onFlush: (flush) => quiesce.onFlush(flush),
    onCheckpoints: (next) => checkpoints.onCheckpoints(next),
    ...(hasSupervisor && {
      move: (to: number) => orders.send({ to }),
      checkpoint: (order) => orders.send({ point: wireOrder(order) }),
    }),
    close() {
      clock.close();
      connection.close();
    },
  };
}
