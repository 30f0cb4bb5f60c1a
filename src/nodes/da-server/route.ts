import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DaCommitment, decodeCommitment } from '../../protocol/derivation/da-commitment.ts';
import { hexToBytes } from '../../protocol/hex.ts';
import { readBody } from '../../rpc/server/listener.ts';
import type { Logger } from '../../system/program/log.ts';
import type { DaStore } from './store.ts';

/** Most bytes of data behind one commitment. */
const MAX_DATA = 16 * 1024 * 1024;

/** An answer of the DA server. */
interface Answer {
  readonly status: number;
  readonly body: Uint8Array | string;
}

/** Serves `GET /get/…`, `POST /put` and `POST /put/…` (op-alt-da: `DAServer`). Returns true if it took the request. */
export function daRoute(store: DaStore, log: Logger): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const [, action, encoded, more] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    const isGet = action === 'get' && request.method === 'GET';
    const isPut = action === 'put' && (request.method === 'POST' || request.method === 'PUT');
    if (more !== undefined || !(isGet || isPut)) return false;
    const done = isGet ? Promise.resolve(read(store, encoded)) : write(store, encoded, request);
    void done
      .catch((error: unknown): Answer => {
        log.warn('cannot serve the data', { error });
        return { status: 500, body: `${String(error)}\n` };
      })
      .then(({ status, body }) => {
        response.writeHead(status, {
          'content-type': 'application/octet-stream',
          'content-length': Buffer.byteLength(body),
        });
        response.end(body);
      });
    return true;
  };
}

function read(store: DaStore, encoded: string | undefined): Answer {
  const commitment = commitmentOf(encoded);
  if (commitment === undefined) return { status: 400, body: 'expected /get/ and a commitment in hex\n' };
  const body = store.get(commitment);
  return body === undefined ? { status: 404, body: 'no data of this commitment\n' } : { status: 200, body };
}

async function write(store: DaStore, encoded: string | undefined, request: IncomingMessage): Promise<Answer> {
  const data = await readBody(request, MAX_DATA);
  if (data === undefined) return { status: 413, body: `expected at most ${MAX_DATA} bytes\n` };
  if (data.length === 0) return { status: 400, body: 'expected data\n' };
  if (encoded === undefined || encoded === '') return { status: 200, body: hexToBytes(store.put(data).encoded) };
  const commitment = commitmentOf(encoded);
  if (commitment === undefined || !store.putAs(commitment, data))
    return { status: 400, body: 'expected the keccak commitment to this data\n' };
  return { status: 200, body: '' };
}

function commitmentOf(encoded: string | undefined): DaCommitment | undefined {
  if (encoded === undefined || !/^0x(?:[\da-fA-F]{2}){2,200}$/.test(encoded)) return undefined;
  try {
    return decodeCommitment(Buffer.from(encoded.slice(2), 'hex'));
  } catch {
    return undefined;
  }
}
