import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { present } from '../../../protocol/present.ts';
import { requestAddress } from '../../../rpc/server/request-address.ts';
import { messageOf } from '../../../system/failure.ts';
import { writeAtomic } from '../../../system/files/atomic-write.ts';
import { isFolder } from '../../../system/files/folder.ts';
import type { Logger } from '../../../system/program/log.ts';
import { pause } from '../../../system/time/pause.ts';
import type { ListenAddress } from '../../service/host-origin.ts';
import { listen } from '../../service/listen.ts';
import { type ProfileKind, type Recording, record } from './profiler.ts';

/** Settings of the profiles (op-service: `oppprof.CLIConfig`). */
export interface PprofOptions {
  /** undefined: no server. */
  readonly server: ListenAddress | undefined;
  /** Profile of the whole run, written at its end. */
  readonly file: { readonly kind: ProfileKind; readonly path: string | undefined } | undefined;
  readonly log: Logger;
}

/** The running profiles. */
export interface Pprof {
  /** undefined: no server. */
  readonly port: number | undefined;
  /** Writes the profile of the run. */
  stop(): Promise<void>;
}

/** Default length of a profile in seconds. */
const SECONDS: Readonly<Record<ProfileKind, number>> = { cpu: 30, heap: 0, allocs: 5 };
const MOST_SECONDS = 600;
const PATHS: Readonly<Record<string, ProfileKind>> = {
  '/debug/pprof/profile': 'cpu',
  '/debug/pprof/heap': 'heap',
  '/debug/pprof/allocs': 'allocs',
};
const INDEX = `profiles of this process, for go tool pprof:
/debug/pprof/profile?seconds=30  CPU
/debug/pprof/heap                objects alive that were made since the server started
/debug/pprof/allocs?seconds=5    objects made in the time, alive or not
`;

/**
 * Starts the profiles and the server of the options `pprof.*` (op-service: `oppprof.Service`).
 * @throws Failure `listen` on a port that is taken
 */
export async function startPprof({ server, file, log }: PprofOptions): Promise<Pprof> {
  const whole = file && (await record(file.kind));
  // A heap profile covers only objects that were allocated after its start.
  let heap: Recording | undefined;
  const isHeapFree = file?.kind !== 'heap' && file?.kind !== 'allocs';
  if (server && isHeapFree) heap = await record('heap');
  /** Profiles run one after another. */
  let busy: Promise<unknown> = Promise.resolve();

  async function profile(kind: ProfileKind, seconds: number, signal: AbortSignal): Promise<Uint8Array> {
    if (kind === 'cpu') return window(kind, seconds, signal);
    if (!isHeapFree) throw new Error(`the heap is being recorded into a file (--pprof.type=${file?.kind})`);
    if (kind === 'allocs') {
      await heap?.stop();
      heap = undefined;
      const allocations = await window('allocs', seconds, signal);
      heap = await record('heap');
      return allocations;
    }
    if (seconds > 0) await pause(seconds * 1000, signal);
    if (!heap) throw new Error('no heap profile is running');
    const alive = await heap.stop();
    heap = await record('heap');
    return alive;
  }

  async function answer(kind: ProfileKind, url: URL, response: ServerResponse): Promise<void> {
    const text = url.searchParams.get('seconds') ?? String(SECONDS[kind]);
    const seconds = Number(text);
    if (!/^\d+$/.test(text) || seconds > MOST_SECONDS)
      return end(response, 400, `expected seconds from 0 to ${MOST_SECONDS}, found ${JSON.stringify(text)}\n`);
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    const result = busy.then(() => profile(kind, seconds, closed.signal));
    busy = result.catch(() => {});
    try {
      end(response, 200, await result, 'application/octet-stream');
    } catch (error) {
      end(response, 500, `${messageOf(error)}\n`);
    }
  }

  const running =
    server &&
    (await listen('pprof.port', {
      ...server,
      http: false,
      methods: {},
      context: undefined,
      route(request: IncomingMessage, response: ServerResponse) {
        const url = present(requestAddress(request), 'address of a request');
        const kind = PATHS[url.pathname];
        if (kind) void answer(kind, url, response);
        else if (/^\/debug\/pprof\/?$/.test(url.pathname)) end(response, 200, INDEX);
        else end(response, 404, `no profile at ${url.pathname}\n\n${INDEX}`);
        return true;
      },
    }));
  if (running) log.info('pprof listens', { port: running.port });

  return {
    port: running?.port,
    async stop() {
      if (file && whole) {
        const path = fileOf(file);
        try {
          writeAtomic(path, await whole.stop());
          log.info('wrote a profile', { kind: file.kind, path });
        } catch (error) {
          log.error('cannot write the profile', { path, error });
        }
      }
      await running?.close();
    },
  };
}

async function window(kind: ProfileKind, seconds: number, signal: AbortSignal): Promise<Uint8Array> {
  const recording = await record(kind);
  await pause(seconds * 1000, signal);
  return recording.stop();
}

/** Returns the file of a profile (op-service: `buildTargetFilePath`); in a folder it is named after the kind. */
function fileOf({ kind, path }: { readonly kind: ProfileKind; readonly path: string | undefined }): string {
  if (path === undefined) return `${kind}.prof`;
  return path.endsWith('/') || isFolder(path) ? join(path, `${kind}.prof`) : path;
}

function end(response: ServerResponse, status: number, body: string | Uint8Array, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}
