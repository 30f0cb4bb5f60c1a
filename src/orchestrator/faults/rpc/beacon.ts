import type { IncomingMessage, ServerResponse } from 'node:http';
import { httpGet } from '../../../rpc/client/http-rest.ts';
import { upstream } from '../../../rpc/gateway/upstream.ts';
import { connectionServer, end, readBody } from '../../../rpc/server/listener.ts';
import type { RpcFault } from '../../state/faults.ts';
import type { InterceptedServer, Interceptor } from './interceptor.ts';
import { StaleAnswers, withoutBlob } from './wrong-answers.ts';

/** Time (ms) and bytes of an answer of the beacon node. */
const LIMITS = { timeoutMs: 10_000, maxBytes: 64 * 1024 * 1024 };

/** Bytes of a request of the beacon API. */
const MAX_BEACON_REQUEST = 1024 * 1024;

const JSON_TYPE = { 'content-type': 'application/json' };

interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** Serves the connections of a link to a beacon node with wrong answers of some paths. Others pass unchanged. */
export function interceptBeacon({ url, name, healed }: InterceptedServer, faults: readonly RpcFault[]): Interceptor {
  const behind = upstream(url, name, () => false);
  const stale = new StaleAnswers<HttpAnswer>();
  const read = (path: string) =>
    httpGet(new URL(path, url).href, { ...LIMITS, headers: { accept: 'application/json' } });

  async function answerOf({ id, method, answer }: RpcFault, path: string): Promise<HttpAnswer> {
    switch (answer) {
      case 'stale':
        return stale.to(method, () => read(path));
      case 'missing-blob': {
        const { status, text } = await read(path);
        return { status, text: status === 200 ? JSON.stringify(withoutBlob(JSON.parse(text))) : text };
      }
      case 'timeout':
        await new Promise((resolve) => healed.addEventListener('abort', resolve, { once: true }));
        break;
      default:
    }
    return { status: 500, text: JSON.stringify({ code: 500, message: `fault ${id}: ${method} fails` }) };
  }

  async function request(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? '/';
    const words = path.replace(/\?.*$/, '').split('/');
    const fault = faults.find(({ method }) => words.includes(method));
    const body = await readBody(incoming, MAX_BEACON_REQUEST);
    if (fault === undefined) return behind.forward(incoming, body ?? Buffer.alloc(0), response);
    const { status, text } = await answerOf(fault, path);
    end(response, status, text, JSON_TYPE);
  }

  return { accept: connectionServer({ virtualHosts: ['*'] }, { request }), close: () => behind.close() };
}
