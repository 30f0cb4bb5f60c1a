import { Failure } from '../../system/failure.ts';
import { connectUnix, readMessages } from '../../system/net/socket.ts';
import { timeLimit } from '../../system/time/time-limit.ts';
import type { Event } from '../state/events.ts';
import { failureLines } from '../state/failure-report.ts';
import { mustBeOwnSocket } from '../state/sockets.ts';
import { isAnswer, mustBeResult } from './answers.ts';
import { ANSWER_CODES } from './refusals.ts';
import type { AnsweredRequest, EventsRequest, Request } from './requests.ts';
import type { Answer } from './supervisor-protocol.ts';

/** A request without its number. */
type Ask = AnsweredRequest extends infer Each ? (Each extends AnsweredRequest ? Omit<Each, 'id'> : never) : never;

export interface ControlClient {
  /** @throws Failure with the supervisor's error and its code, or `control` if that has none or no answer came */
  ask<Result>(request: Ask, timeoutMs?: number): Promise<Result>;
  /** Calls back for each event; resolves when the supervisor ends the connection. */
  events(receive: (event: Event) => void, method?: EventsRequest['method']): Promise<void>;
  close(): void;
}

/**
 * Connects to a devnet's supervisor. Resolves with undefined if none listens.
 * @throws Failure `home` (exit 4) if the socket may be another user's
 */
export async function connectControl(path: string): Promise<ControlClient | undefined> {
  mustBeOwnSocket(path);
  const socket = await connectUnix(path);
  if (socket === undefined) return undefined;
  let nextId = 1;
  const waiting = new Map<number, (answer: Answer | undefined) => void>();
  let isClosed = false;
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('error', () => socket.destroy());
  void closed.then(() => {
    isClosed = true;
    for (const settle of waiting.values()) settle(undefined);
  });
  readMessages<Answer>(
    socket,
    (answer) => {
      if (isAnswer(answer)) waiting.get(answer.id)?.(answer);
      else socket.destroy();
    },
    () => socket.destroy(),
  );
  return {
    async ask<Result>(request: Ask, timeoutMs = 120_000) {
      const id = nextId++;
      const timer = Promise.withResolvers<'late'>();
      const stopLimit = timeLimit(timeoutMs, () => timer.resolve('late'));
      const answered = new Promise<Answer | undefined>((resolve) =>
        // The supervisor may have ended since the connection was opened.
        isClosed ? resolve(undefined) : waiting.set(id, resolve),
      );
      socket.write(JSON.stringify({ id, ...request }) + '\n');
      const answer = await Promise.race([answered, timer.promise]);
      stopLimit();
      waiting.delete(id);
      if (answer === 'late') throw new Failure('control', `the supervisor did not answer within ${timeoutMs / 1000} s`);
      if (answer === undefined) throw new Failure('control', 'the supervisor ended without an answer');
      if ('error' in answer) throw failureOf(answer);
      if ('event' in answer) throw new Failure('control', 'the supervisor sent an event instead of an answer');
      mustBeResult(request.method, answer.result, path);
      return answer.result as Result;
    },
    async events(receive, method = 'events') {
      const id = nextId++;
      waiting.set(id, (answer) => {
        if (answer && 'event' in answer) receive(answer.event);
      });
      socket.write(JSON.stringify({ id, method } satisfies Request) + '\n');
      await closed;
    },
    close: () => socket.destroy(),
  };
}

/** Returns the failure that an answer describes. A newer supervisor may name a code that is not known here. */
function failureOf({ error, code, data, failure }: Extract<Answer, { error: string }>): Failure {
  const answerCode = ANSWER_CODES.find((each) => each === code) ?? 'control';
  return new Failure(answerCode, failure ? failureLines(failure).join('\n') : error, data && { data });
}
