import { readyRoute } from '../../rpc/server/ready-route.ts';
import { type RunningServer, type ServerOptions, serve } from '../../rpc/server/server.ts';
import { asError, EXIT, Failure, systemCode } from '../../system/failure.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Scheduler } from './evm/scheduler.ts';
import type { Flavour } from './flavours/interface/flavour.ts';
import type { NodeContext } from './methods/context.ts';
import { AUTHENTICATED, isScheduled, tableOf } from './methods/namespaces.ts';
import { scheduleMethods } from './methods/schedule-methods.ts';
import { testTime } from './methods/test-time.ts';

/** One listener of the public RPC. */
interface Listener {
  readonly host: string;
  readonly port: number;
  readonly api: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly virtualHosts: readonly string[];
}

/** Settings of a node's servers. */
export interface ServerSettings {
  readonly flavour: Flavour;
  readonly log: Logger;
  readonly http?: Listener;
  readonly websocket?: Listener;
  readonly engine: {
    readonly host: string;
    readonly port: number;
    readonly jwtSecret: Uint8Array;
    readonly virtualHosts: readonly string[];
  };
}

/** Ports of a node. A port is 0 if its listener is off. */
export interface Ports {
  readonly http: number;
  readonly websocket: number;
  readonly engine: number;
}

/** Limits of the authenticated port. Only memory bounds it. */
const UNLIMITED = {
  maxBody: 128 * 1024 * 1024,
  maxMessage: 128 * 1024 * 1024,
  maxResponse: Number.POSITIVE_INFINITY,
  maxBatchResponse: Number.POSITIVE_INFINITY,
};

/** The servers of a node: the Engine API, and the public RPC over HTTP and WebSocket (geth: `startRPC`). */
export class Servers {
  readonly #settings: ServerSettings;
  readonly #context: NodeContext;
  readonly #reads: Scheduler;
  readonly #running: RunningServer[] = [];

  /** `reads` schedules the methods that read the chain or run code. */
  constructor(settings: ServerSettings, context: NodeContext, reads: Scheduler) {
    this.#settings = settings;
    this.#context = context;
    this.#reads = reads;
  }

  /** Opens the ports. HTTP and WebSocket may share one. @throws Failure if a port is in use or an API unknown */
  async open(): Promise<Ports> {
    const { http, websocket, engine } = this.#settings;
    const shared = http !== undefined && websocket !== undefined && http.port !== 0 && http.port === websocket.port;
    return {
      engine: await this.#listen('authrpc', {
        ...engine,
        methods: AUTHENTICATED,
        onRefusedToken: refusedTokens(this.#settings.log),
        http: true,
        websocket: true,
        ...UNLIMITED,
      }),
      http:
        http === undefined
          ? 0
          : await this.#listen('http', {
              ...http,
              methods: this.#methods('http.api', http.api),
              http: true,
              route: readyRoute(),
              websocket: shared,
              ...(shared ? { websocketMethods: this.#methods('ws.api', websocket.api) } : {}),
            }),
      websocket:
        websocket === undefined || shared
          ? (websocket?.port ?? 0)
          : await this.#listen('ws', {
              ...websocket,
              methods: this.#methods('ws.api', websocket.api),
              http: false,
              websocket: true,
            }),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map((server) => server.close()));
  }

  #methods(option: string, api: readonly string[]) {
    return scheduleMethods(methodsIn(option, api, this.#settings), this.#reads, isScheduled);
  }

  /** Returns the port. Without limits of its own the server has those of the node. */
  async #listen(name: string, server: Omit<ServerOptions<NodeContext>, 'context'>): Promise<number> {
    const context = this.#context;
    const { limits, flavour, log } = context;
    const running = await serve({
      envelope: flavour.envelope,
      maxBody: limits.body,
      maxMessage: limits.message,
      maxBatch: limits.batch,
      maxResponse: limits.response,
      maxBatchResponse: limits.batchResponse,
      maxConnections: limits.connections,
      onInternalError: (method, error) => log.error('request failed', { method, error: asError(error) }),
      ...server,
      context,
    }).catch((cause: unknown) => {
      throw listenFailure(name, server.host, server.port, cause);
    });
    this.#running.push(running);
    return running.port;
  }
}

/** Time (ms) between two log lines about refused tokens. A rollup node asks again many times a second. */
const REFUSAL_LOG_MS = 5000;

/** Logs why tokens of the Engine API are refused, from time to time. */
function refusedTokens(log: Logger): (reason: string) => void {
  let logAt = 0;
  return (reason) => {
    const now = performance.now();
    if (now < logAt) return;
    logAt = now + REFUSAL_LOG_MS;
    log.warn('refuses a token of the Engine API: are both clocks, and both JWT secrets, the same?', { reason });
  };
}

/** Returns the methods of the namespaces that an option names. @throws Failure `api` on an unknown namespace */
function methodsIn(option: string, api: readonly string[], { flavour, log }: ServerSettings) {
  const served = api.filter((namespace) => flavour.namespaces.includes(namespace));
  const unserved = api.filter((namespace) => flavour.unservedApi.includes(namespace));
  const unknown = api.filter((namespace) => !served.includes(namespace) && !unserved.includes(namespace));
  if (unknown.length > 0)
    throw new Failure('api', `--${option} names ${unknown.join(', ')}; served are ${flavour.namespaces.join(', ')}`, {
      data: { unknown },
      exit: EXIT.usage,
    });
  if (unserved.length > 0) log.warn('namespaces are not served', { option, namespaces: unserved.join(',') });
  return { ...tableOf(served, flavour), ...testTime };
}

function listenFailure(name: string, host: string, port: number, cause: unknown): Failure {
  const isInUse = systemCode(cause) === 'EADDRINUSE';
  return new Failure(
    'listen',
    `cannot listen on ${host}:${port} for --${name}${isInUse ? ': the port is in use' : ''}`,
    {
      data: { name, host, port },
      exit: EXIT.lacking,
      hint: isInUse ? `stop the process on that port, or choose another --${name}.port` : 'check the address',
      cause,
    },
  );
}
