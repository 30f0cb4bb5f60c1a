import type { Quiesce } from '../../system/channel/quiesce.ts';
import { Failure } from '../../system/failure.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Clock } from '../../system/time/clock.ts';
import type { Driver } from './driver/driver.ts';
import type { NodeFiles } from './files.ts';
import type { L1Connection } from './l1/connect.ts';
import { protocolVersionCheck } from './l1/halt.ts';
import { type L1Watch, watchHeadChanges } from './l1/watch.ts';
import type { RollupNodeOptions } from './options/index.ts';
import type { RuntimeConfig } from './p2p/runtime-config.ts';
import type { Telemetry } from './telemetry.ts';

/** The parts that receive L1 heads, and those that read them. */
export interface L1HeadsOptions {
  readonly options: RollupNodeOptions;
  readonly files: NodeFiles;
  readonly l1: L1Connection;
  readonly driver: Driver;
  readonly runtime: RuntimeConfig;
  readonly telemetry: Telemetry;
  readonly clock: Clock & Quiesce;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The watch of L1, and the reason to halt. */
export interface L1Heads {
  readonly watch: L1Watch;
  /** Resolves with a Failure if the node must halt (`--rollup.halt`), and never otherwise. */
  readonly halted: Promise<Failure>;
}

/**
 * Passes each L1 head to the driver, reloads the runtime configuration, and checks the protocol versions.
 * Counterpart in op-node: `OnNewL1Head`, `OnNewL1Safe`, `OnNewL1Finalized`.
 */
export function followL1Heads(context: L1HeadsOptions): L1Heads {
  const { options, files, l1, driver, runtime, telemetry, clock, log, signal } = context;
  const { promise: halting, resolve: halt } = Promise.withResolvers<Failure>();
  const isVersionRead = options.rollupHalt !== 'none' || options.metricsEnabled;
  const checkVersion = protocolVersionCheck({
    l1: l1.client,
    contract: isVersionRead ? files.rollup.config.protocol_versions_address : undefined,
    level: options.rollupHalt,
    meter: telemetry.meter,
    log,
  });
  const watch = watchHeadChanges({
    client: l1.client,
    socket: l1.socket,
    headPollMs: options.httpPoll,
    epochPollMs: options.epochPoll,
    clock,
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
  return { watch, halted: halting };
}
