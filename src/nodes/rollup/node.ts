import { rollupOf } from '../../protocol/derivation/rollup.ts';
import type { ExecutionPayloadEnvelope } from '../../protocol/types.ts';
import { httpClient } from '../../rpc/http-client.ts';
import { rateLimitByAddress } from '../../rpc/rate-limit.ts';
import { serve } from '../../rpc/server.ts';
import { webSocketClient } from '../../rpc/websocket-client.ts';
import { clockOf, loggerOf, VERSION } from '../../system/common-options.ts';
import { Failure } from '../../system/failure.ts';
import { readOrCreateJwtSecret } from '../../system/files.ts';
import { pause } from '../../system/pause.ts';
import type { Running } from '../../system/program.ts';
import { hostOriginPolicy } from '../shared/host-origin.ts';
import { openAdminState } from './admin-state.ts';
import { conductorClient } from './conductor.ts';
import { loadBundles, loadRollupConfig } from './config.ts';
import { daStorageOf } from './da-storage.ts';
import { createDriver } from './driver/driver.ts';
import { engineClient } from './engine/client.ts';
import { openEventListeners } from './event-listeners.ts';
import { protocolVersionCheck } from './halt.ts';
import { loadDependencySet } from './interop/dependency-set.ts';
import { loadBlobSchedule } from './l1/blob-schedule.ts';
import { connectL1 } from './l1/connect.ts';
import { watchHeadChanges } from './l1/watch.ts';
import { adminMethods } from './methods/admin.ts';
import { consensusMethods } from './methods/consensus.ts';
import { opstackMethods } from './methods/opstack.ts';
import { peernetMethods } from './methods/peernet.ts';
import { nodeApi } from './node-api.ts';
import { checkForChain } from './options/chain-checks.ts';
import type { RollupNodeOptions } from './options.ts';
import { createNodeP2P } from './p2p.ts';
import { runtimeConfig } from './runtime-config.ts';
import { openSafeDb } from './safedb.ts';
import { openTelemetry } from './telemetry.ts';

/** Where the JWT secret lies when no option names it. */
const DEFAULT_SECRET = 'jwt.txt';

/** Whether an engine of a kind can sync by its own peers although it has final blocks. */
const SYNCS_AGAIN = { geth: { afterFinality: false }, reth: { afterFinality: true }, erigon: { afterFinality: true } };

/** Requests that one address may make in a second: several times what a poller needs, less than what would occupy the node. */
const REQUEST_RATE = 2000;

/** Milliseconds that a stop waits for peers and the engine; all state is safe without it. */
const STOP_GRACE = 300;

/** A running rollup node and the ports that it got. */
export interface RunningRollupNode extends Running {
  readonly rpcPort: number;
}

/** Starts the whole node. @throws Failure on files it cannot use, the listen error on a port that is taken */
export async function startRollupNode(options: RollupNodeOptions): Promise<RunningRollupNode> {
  const log = loggerOf(options);
  const clock = clockOf(options);
  const stopping = new AbortController();
  const { signal } = stopping;
  const config = loadRollupConfig(options.rollupConfig as string, options.forkOverrides);
  const rollup = rollupOf(config, {
    bundles: loadBundles(config, options.upgradeBundles),
    ...(options.l1ChainConfig === undefined ? {} : { l1BlobSchedule: loadBlobSchedule(options.l1ChainConfig) }),
  });
  checkForChain(options, rollup);
  const storage = daStorageOf(config, options);
  const secretFile = options.jwtSecret ?? DEFAULT_SECRET;
  const jwtSecret = readOrCreateJwtSecret(secretFile, (message) => log.warn(message));
  const adminState = openAdminState(options.adminState);
  const safedb = options.safedb === undefined ? undefined : openSafeDb(options.safedb);
  const dependencySet =
    options.interopSet === undefined ? undefined : loadDependencySet(options.interopSet, config.l2_chain_id);
  const records = openEventListeners(options, clock, log);

  const telemetry = await openTelemetry(options, config.block_time, clock, log);
  const { meter } = telemetry;

  const url = options.l2 as string;
  const rpc = (/^ws/.test(url) ? webSocketClient : httpClient)({ url, jwtSecret, timeoutMs: options.engineTimeout });
  const client = engineClient({ rpc: telemetry.client(rpc), rollup, url, secretFile });
  const l1 = connectL1({
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
  const runtime = runtimeConfig(l1.client, config.l1_system_config_address, options.runtimeReload, log, signal);

  const conductor = options.conductorEnabled
    ? conductorClient({ url: options.conductorRpc, timeoutMs: options.conductorTimeout }, log, signal)
    : undefined;
  const isVersionRead = options.rollupHalt !== 'none' || options.metricsEnabled;
  const checkVersion = protocolVersionCheck({
    l1: l1.client,
    contract: isVersionRead ? config.protocol_versions_address : undefined,
    level: options.rollupHalt,
    meter,
    log,
  });

  const driver = createDriver({
    rollup,
    l1,
    client,
    clock,
    log,
    signal,
    verifierConfirmations: options.verifierL1Confs,
    engineSync: options.syncMode === 'execution-layer' ? SYNCS_AGAIN[options.engineKind] : undefined,
    safedb,
    adminState,
    daStorage: storage,
    sequencer: options.sequencerEnabled
      ? {
          confirmations: options.sequencerL1Confs,
          maxSafeLag: options.sequencerMaxSafeLag,
          isRecovering: options.sequencerRecover,
          isStopped: options.sequencerStopped,
          commit: conductor && ((envelope: ExecutionPayloadEnvelope) => conductor.commit(envelope)),
          publish(envelope: ExecutionPayloadEnvelope) {
            meter.countSequencedTxs(envelope);
            peers.publish(envelope);
          },
        }
      : undefined,
    request: (number, hash) => peers.request(number, hash),
    meter,
    onEvent: (event) => records.onEvent(event),
  });
  const peers = createNodeP2P({
    options,
    rollup,
    clock,
    log,
    signal,
    runtime,
    meter,
    onBlock(envelope) {
      meter.recordReceivedUnsafePayload(envelope);
      driver.onUnsafe(envelope);
    },
    async payloadByNumber(number) {
      return driver.engine.isReady && number <= driver.engine.heads().unsafe.number
        ? client.payloadByNumber(number)
        : null;
    },
  });
  const api = nodeApi({
    rollup,
    driver,
    client,
    log,
    adminState,
    safedb,
    dependencySet,
    peers,
    conductor,
    options,
  });
  const server = await serve({
    host: options.rpcAddr,
    port: options.rpcPort,
    http: true,
    websocket: true,
    ...hostOriginPolicy(options),
    methods: telemetry.methods({
      ...consensusMethods,
      ...peernetMethods,
      ...(options.rpcAdmin ? adminMethods : {}),
      ...(options.sequencerApi ? opstackMethods : {}),
    }),
    rateLimit: rateLimitByAddress(REQUEST_RATE),
    context: api,
    onInternalError: (name, error) => log.warn('an RPC method failed', { method: name, error }),
  });
  await records.start(api, client);
  await telemetry.start({
    syncStatus: () => api.syncStatus(),
    peers: async () => peers.network()?.peers(true),
    streams: () => peers.network()?.streams() ?? 0,
    buffered: () => driver.unsafe.buffered(),
    queued: () => driver.unsafe.lowestQueuedUnsafeBlock(),
  });
  log.info('rollup node', {
    version: VERSION,
    rpc: server.port,
    l2ChainId: config.l2_chain_id,
    sequencer: options.sequencerEnabled,
  });

  const { promise: halting, resolve: halt } = Promise.withResolvers<Failure>();
  watchHeadChanges({
    client: l1.client,
    socket: l1.socket,
    headPollMs: options.httpPoll,
    epochPollMs: options.epochPoll,
    log,
    signal,
    onBlock(label, header) {
      driver.onL1Block(label, header);
      // A new signer must be known before the first block that it signs arrives.
      if (label !== 'latest') return;
      void runtime.reload().catch(() => {});
      checkVersion().catch((error: unknown) => {
        if (error instanceof Failure) halt(error);
        else log.debug('cannot read the protocol versions', { error });
      });
    },
  });

  const failed = new Promise<never>((_, reject) => {
    halting.then(reject);
    driver.loop.done.catch((error: unknown) => reject(ended('chain', 'derivation cannot go on', error)));
    // Its code takes a while to load: what waits for L1 and the engine goes first.
    setImmediate(() => peers.start().catch(reject));
    if (!options.beaconIgnore)
      l1.beaconAnswers(signal).catch((error: unknown) =>
        reject(ended('beacon', 'the beacon node does not answer', error, '--l1.beacon.ignore starts without it')),
      );
  });
  return {
    rpcPort: server.port,
    failed,
    async stop() {
      stopping.abort();
      // Requests under way end with their connections, so that nothing is waited for that may not answer.
      client.close();
      l1.close();
      conductor?.close();
      clock.close();
      const stopped = Promise.all([server.close(), peers.stop(), driver.loop.done.catch(() => {})]);
      await Promise.race([stopped, pause(STOP_GRACE, new AbortController().signal)]);
      await Promise.all([telemetry.stop(), records.stop()]);
    },
  };
}

/** Why a node ended by itself, in words. */
function ended(code: string, what: string, cause: unknown, hint?: string): Failure {
  return new Failure(code, `rollup-node: ${what}`, { cause, ...(hint === undefined ? {} : { hint }) });
}
