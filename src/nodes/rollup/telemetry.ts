import type { RpcClient } from '../../rpc/client/client.ts';
import type { MethodTable } from '../../rpc/method.ts';
import { VERSION } from '../../system/program/common-options.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Clock } from '../../system/time/clock.ts';
import { hostOriginPolicy } from '../service/host-origin.ts';
import { type Metricer, NOOP_METRICER } from './metrics/metricer.ts';
import type { MetricsSource } from './metrics/scrape.ts';
import type { RollupNodeOptions } from './options/index.ts';

/** The node's metrics and profiles, as the options enable them. */
export interface Telemetry {
  readonly meter: Metricer;
  /** Wraps methods, so that their calls are counted (op-service: `RecordRPCServerRequest`). */
  methods<Context>(table: MethodTable<Context>): MethodTable<Context>;
  /** Wraps the engine's client, so that its calls are counted (op-service: `InstrumentedRPCClient`). */
  client(rpc: RpcClient): RpcClient;
  /** Starts the servers. @throws Failure `listen` on a port that is taken */
  start(source: MetricsSource): Promise<void>;
  /** Closes the server and writes the profile of the run. */
  stop(): Promise<void>;
}

/** Creates the telemetry (op-node: `initMetricsServer`, `initPProf`). The code of a disabled part is not loaded. */
export async function openTelemetry(
  options: RollupNodeOptions,
  blockTime: number,
  clock: Clock,
  log: Logger,
): Promise<Telemetry> {
  const served = hostOriginPolicy(options);
  const metrics = options.metricsEnabled
    ? (await import('./metrics/service.ts')).createMetrics({
        version: VERSION,
        blockTime,
        now: () => clock.now(),
        log,
      })
    : undefined;
  const isProfiled = options.pprofEnabled || options.pprofType !== undefined;
  const pprof = isProfiled
    ? await (await import('./pprof/service.ts')).startPprof({
        server: options.pprofEnabled ? { host: options.pprofAddr, port: options.pprofPort, ...served } : undefined,
        file: options.pprofType === undefined ? undefined : { kind: options.pprofType, path: options.pprofPath },
        log,
      })
    : undefined;
  const meter = metrics?.meter ?? NOOP_METRICER;
  let server: { close(): Promise<void> } | undefined;
  return {
    meter,
    methods: (table) => (metrics ? meteredMethods(table, meter) : table),
    client: (rpc) => (metrics ? meteredClient(rpc, meter) : rpc),
    async start(source) {
      server = await metrics?.start({ host: options.metricsAddr, port: options.metricsPort, ...served }, source);
    },
    async stop() {
      await Promise.all([server?.close(), pprof?.stop()]);
    },
  };
}

const since = (from: number) => (performance.now() - from) / 1000;

function meteredMethods<Context>(table: MethodTable<Context>, meter: Metricer): MethodTable<Context> {
  return Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [
      name,
      {
        ...entry,
        async handle(...call: Parameters<typeof entry.handle>) {
          const from = performance.now();
          try {
            return await entry.handle(...call);
          } finally {
            meter.recordServerRequest(name, since(from));
          }
        },
      },
    ]),
  );
}

function meteredClient(rpc: RpcClient, meter: Metricer): RpcClient {
  return {
    ...rpc,
    async call<Result>(...call: Parameters<RpcClient['call']>): Promise<Result> {
      const from = performance.now();
      try {
        const result = await rpc.call<Result>(...call);
        meter.recordClientRequest(call[0], since(from), undefined);
        return result;
      } catch (error) {
        meter.recordClientRequest(call[0], since(from), error);
        throw error;
      }
    },
  };
}
