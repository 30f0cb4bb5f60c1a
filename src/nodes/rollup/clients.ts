import { httpClient } from '../../rpc/client/http-client.ts';
import { webSocketClient } from '../../rpc/client/websocket-client.ts';
import type { Traces } from '../../system/channel/supervised-traces.ts';
import type { Logger } from '../../system/program/log.ts';
import type { EngineClient } from './engine/client.ts';
import { MarkedEngineClient } from './engine/marked-client.ts';
import type { NodeFiles } from './files.ts';
import { connectL1, type L1Connection } from './l1/connect.ts';
import type { RollupNodeOptions } from './options/index.ts';
import { type Conductor, conductorClient } from './sequencer/conductor.ts';
import type { Telemetry } from './telemetry.ts';

/** Creates the client of the execution client's Engine API (op-node: `initL2`). It connects with the first call. */
export function initEngine(
  options: RollupNodeOptions,
  files: NodeFiles,
  telemetry: Telemetry,
  traces: Traces,
): EngineClient {
  const { l2: url, engineTimeout: timeoutMs } = options;
  const { rollup, jwtSecret, jwtFile: secretFile } = files;
  const rpc = (url.startsWith('ws') ? webSocketClient : httpClient)({ url, jwtSecret, timeoutMs });
  return new MarkedEngineClient({ rpc: telemetry.client(rpc), rollup, url, secretFile }, traces);
}

/**
 * Creates the clients of L1 and its beacon nodes (op-node: `OpNode.initL1`, `initL1BeaconAPI`).
 * They connect with the first call.
 */
export function initL1(
  options: RollupNodeOptions,
  { rollup: { config } }: NodeFiles,
  { meter }: Telemetry,
  log: Logger,
): L1Connection {
  return connectL1({
    url: options.l1,
    maxBatch: options.maxBatch,
    maxConcurrency: options.maxConcurrency,
    rateLimit: options.rateLimit,
    cacheSize: options.cacheSize || Math.ceil((config.seq_window_size * 3) / 2),
    trusted: options.trustRpc,
    kind: options.rpcKind,
    beacons: [...(options.beacon === undefined ? [] : [options.beacon]), ...options.beaconFallbacks],
    beaconHeader: options.beaconHeader,
    fetchAllSidecars: options.beaconFetchAll,
    slotDuration: options.beaconSlotDuration,
    onRequest: meter.recordL1Request,
    log,
  });
}

/** Creates the client of op-conductor, if the options enable one (op-node: `NewConductorClient`). */
export function initConductor(options: RollupNodeOptions, log: Logger, signal: AbortSignal): Conductor | undefined {
  if (!options.conductorEnabled) return undefined;
  return conductorClient({ url: options.conductorRpc, timeoutMs: options.conductorTimeout }, log, signal);
}
