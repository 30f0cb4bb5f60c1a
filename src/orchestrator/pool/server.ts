import type { IncomingMessage, ServerResponse } from 'node:http';
import { end, type RunningServer, readBody } from '../../rpc/server/listener.ts';
import { EXIT, Failure, messageOf } from '../../system/failure.ts';
import { serveLocally } from '../control/serve-locally.ts';
import type { Assignment, Networks } from './pool.ts';

/** Port of a pool if it is free. */
const PREFERRED_PORT = 9502;
/** Bytes of a request's body. */
const MAX_BODY = 16 * 1024;
/** Characters of the logs that one answer holds: the last ones. */
const MAX_LOGS = 4 * 1024 * 1024;

/** `/WORKER/VERB`. A worker is any short word: `1`, `gw0`, `ci-shard_3`. */
const PATH = /^\/([A-Za-z0-9][A-Za-z0-9_-]{0,38})\/(start|stop|restart|logs)$/;

const ADDRESSES = 'expected /, or /WORKER/start, stop, restart or logs; WORKER has a-z, 0-9, - and _, at most 39';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Serves a pool on loopback: GET or POST `/WORKER/start`, `/WORKER/stop`, `/WORKER/restart`, `/WORKER/logs`; `/` lists
 * the workers. Answers are JSON, but those of the logs. Host and Origin are checked first.
 * @throws Failure `port` (exit 4)
 */
export function servePool(port: number | undefined, limit: number, networks: Networks): Promise<RunningServer> {
  function answerOf(assignment: Assignment): Answer {
    if (assignment.kind === 'network') return { status: 200, body: assignment.network.env };
    if (assignment.kind === 'full')
      return refusal(
        429,
        'pool',
        `${limit} networks are up, the most that this pool has`,
        'stop one, or raise --limit',
      );
    return refusal(409, 'interrupted', 'the start was stopped before the network was ready');
  }

  async function answer(worker: string, verb: string): Promise<Answer> {
    if (verb === 'start') return answerOf(await networks.start(worker));
    if (verb === 'restart') return answerOf(await networks.restart(worker));
    return { status: 200, body: { stopped: await networks.stop(worker) } };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '/'] = (request.url ?? '/').split('?');
    if (request.method !== 'GET' && request.method !== 'POST')
      return send(response, refusal(405, 'usage', 'expected GET or POST'));
    const body = await readBody(request, MAX_BODY);
    if (body === undefined || body.length > 0)
      return send(
        response,
        refusal(body === undefined ? 413 : 400, 'usage', 'expected no body', 'the pool was started with all options'),
      );
    if (path === '/') return send(response, { status: 200, body: { limit, workers: networks.list() } });
    const [, worker, verb] = PATH.exec(path) ?? [];
    if (worker === undefined || verb === undefined) return send(response, refusal(404, 'usage', ADDRESSES));
    try {
      if (verb !== 'logs') return send(response, await answer(worker, verb));
      const network = networks.find(worker);
      if (network === undefined)
        return send(response, refusal(404, 'pool', `${worker} has no network`, `start it by /${worker}/start`));
      const text = network.logs().join('\n');
      end(response, 200, `${text.slice(-MAX_LOGS)}\n`, { 'content-type': 'text/plain; charset=utf-8' });
    } catch (error) {
      send(response, failed(error));
    }
  }

  return serveLocally({ exact: port, first: PREFERRED_PORT }, handle);
}

function failed(error: unknown): Answer {
  if (!(error instanceof Failure)) return refusal(500, 'pool', messageOf(error));
  const { code, exit, hint, data } = error;
  return refusal(exit === EXIT.usage ? 400 : 502, code, messageOf(error), hint, data);
}

function refusal(status: number, code: string, message: string, hint?: string, data: object = {}): Answer {
  return { status, body: { error: { code, message, ...(hint === undefined ? {} : { hint }), data } } };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  // Keys of accounts are in it: no cache keeps it.
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  end(response, status, `${JSON.stringify(body, null, 2)}\n`, headers);
}
