import type { DriverOptions } from './driver/driver.ts';
import type { RollupNodeOptions } from './options/index.ts';
import type { Conductor } from './sequencer/conductor.ts';

/** Engines that sync by their own peers also after finality (op-node: `SupportsPostFinalizationELSync`). */
const SYNCS_AFTER_FINALITY = { geth: false, reth: true, erigon: true };

/** Returns the driver's settings by the options (op-node: `NewDriverConfig`). */
export function driverOptions(
  options: RollupNodeOptions,
  conductor: Conductor | undefined,
): Pick<DriverOptions, 'verifierConfirmations' | 'engineSync' | 'sequencer'> {
  return {
    verifierConfirmations: options.verifierL1Confs,
    engineSync:
      options.syncMode === 'execution-layer' ? { afterFinality: SYNCS_AFTER_FINALITY[options.engineKind] } : undefined,
    sequencer: options.sequencerEnabled
      ? {
          confirmations: options.sequencerL1Confs,
          maxSafeLag: options.sequencerMaxSafeLag,
          isRecovering: options.sequencerRecover,
          // A conductor starts the sequencer of its leader.
          isStopped: options.sequencerStopped || options.conductorEnabled,
          commit: conductor && ((envelope) => conductor.commit(envelope)),
        }
      : undefined,
  };
}
