import { Failure, type FailureCode } from '../../system/failure.ts';
import { channelOf, loggerOf, VERSION } from '../../system/program/common-options.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Running } from '../../system/program/program.ts';
import { pause } from '../../system/time/pause.ts';
import { rollupCheckpoints } from './checkpoints.ts';
import { initConductor, initEngine, initL1 } from './clients.ts';
import { Driver } from './driver/driver.ts';
import { followSource } from './driver/follow-source.ts';
import { driverOptions } from './driver-options.ts';
import { markGossip } from './engine/marked-client.ts';
import { openEventListeners } from './event-listeners.ts';
import { openNodeFiles } from './files.ts';
import type { L1Connection } from './l1/connect.ts';
import { followL1Heads } from './l1-heads.ts';
import { nodeApi } from './node-api.ts';
import type { RollupNodeOptions } from './options/index.ts';
import { NodeP2P } from './p2p/p2p.ts';
import { runtimeConfig } from './p2p/runtime-config.ts';
import { startRpcServer } from './rpc-server.ts';
import { openTelemetry } from './telemetry.ts';

/** Milliseconds that a stop waits for peers and the engine. No state is lost without them. */
const STOP_GRACE_MS = 300;

/** A running rollup node and the port that it got. */
export interface RunningRollupNode extends Running {
  readonly rpcPort: number;
}

/**
 * Starts the whole node (op-node: `OpNode.init`, `OpNode.Start`; kona: `RollupNode::start`).
 * @throws Failure on a file that it cannot use, the listen error on a port that is taken
 */
export async function startRollupNode(
  options: RollupNodeOptions,
  log: Logger = loggerOf(options),
): Promise<RunningRollupNode> {
  const clock = channelOf(options);
  const stopping = new AbortController();
  const { signal } = stopping;

  const files = openNodeFiles(options, log);
  const { rollup } = files;
  const listeners = openEventListeners(options, clock, log);
  const telemetry = await openTelemetry(options, rollup.config.block_time, clock, log);
  const { meter } = telemetry;

  const client = initEngine(options, files, telemetry, clock.traces);
  const l1 = initL1(options, files, telemetry, log);
  const conductor = initConductor(options, log, signal);
  const runtime = runtimeConfig(l1.client, rollup.config.l1_system_config_address, options.runtimeReload, log, signal);

  const driver = new Driver({
    ...{ ...files, ...driverOptions(options, conductor) },
    ...{ l1, client, clock, log, signal, meter, follow: followSource(options.followSource, signal) },
    publish(envelope) {
      meter.countSequencedTxs(envelope);
      markGossip(clock.traces, 'publish', envelope);
      peers.publish(envelope);
    },
    request: (number, hash) => peers.request(number, hash),
    onEvent: (event) => listeners.onEvent(event),
  });
  const peers = new NodeP2P({
    ...{ options, rollup, clock, log, signal, runtime, meter },
    onBlock(envelope) {
      meter.recordReceivedUnsafePayload(envelope);
      markGossip(clock.traces, 'receive', envelope);
      driver.onUnsafe(envelope);
    },
    async payloadByNumber(number) {
      const isHeld = driver.engine.isReady && number <= driver.engine.heads().unsafe.number;
      return isHeld ? client.payloadByNumber(number) : null;
    },
  });

  const api = nodeApi({ ...files, driver, client, log, peers, conductor, options });
  const server = await startRpcServer(options, api, telemetry, log);
  await listeners.start(api, client);
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
    l2ChainId: rollup.config.l2_chain_id,
    sequencer: options.sequencerEnabled,
  });

  const { watch, halted } = followL1Heads({ options, files, l1, driver, runtime, telemetry, clock, log, signal });
  clock.onCheckpoints(rollupCheckpoints({ driver, peers, watch, runtime }));
  const failed = failureOf({ options, driver, peers, l1, signal, halted });

  return {
    rpcPort: server.port,
    failed,
    async stop() {
      stopping.abort();
      // Closing the connections ends the requests under way: the stop waits for no server that does not answer.
      client.close();
      l1.close();
      conductor?.close();
      clock.close();
      const stopped = Promise.all([server.close(), peers.stop(), driver.loop.done.catch(() => {})]);
      await Promise.race([stopped, pause(STOP_GRACE_MS, new AbortController().signal)]);
      await Promise.all([telemetry.stop(), listeners.stop()]);
    },
  };
}

/** The parts by which a node may fail. */
interface FailureSources {
  readonly options: RollupNodeOptions;
  readonly driver: Driver;
  readonly peers: NodeP2P;
  readonly l1: L1Connection;
  readonly signal: AbortSignal;
  readonly halted: Promise<Failure>;
}

/** Starts the peer-to-peer network, and rejects with the first failure of the node. Never resolves. */
function failureOf({ options, driver, peers, l1, signal, halted }: FailureSources): Promise<never> {
  return new Promise<never>((_, reject) => {
    halted.then(reject);
    driver.loop.done.catch((error: unknown) => reject(endFailure('chain', 'derivation cannot continue', error)));
    // Loading the code of the network takes a while: the requests to L1 and the engine go out first.
    setImmediate(() => peers.start().catch(reject));
    if (!options.beaconIgnore)
      l1.beaconAnswers(signal).catch((error: unknown) =>
        reject(endFailure('beacon', 'the beacon node does not answer', error, '--l1.beacon.ignore starts without it')),
      );
  });
}

/** Returns the failure of a node that ended by itself. */
function endFailure(code: FailureCode, what: string, cause: unknown, hint?: string): Failure {
  return new Failure(code, `rollup-node: ${what}`, { cause, ...(hint === undefined ? {} : { hint }) });
}
