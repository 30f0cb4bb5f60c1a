import type { Hex } from '../../../protocol/types.ts';
import { Failure } from '../../../system/failure.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Metricer } from '../metrics/metricer.ts';
import { formatVersion, type OutdatedLevel, outdatedBy, SUPPORTED } from '../metrics/protocol-version.ts';
import type { L1Client } from './client.ts';

/**
 * Storage slots of the versions that L1 signals: keccak-256 of `protocolversion.required` and `….recommended`, less 1.
 * Counterpart in op-node: `RequiredProtocolVersionStorageSlot`, `RecommendedProtocolVersionStorageSlot`.
 */
const REQUIRED_SLOT: Hex = '0x4aaefe95bd84fd3f32700cf3b7566bc944b73138e41958b5785826df2aecace0';
const RECOMMENDED_SLOT: Hex = '0xe314dfc40f0025322aacc0ba8ef420b62fb3b702cf01e0cdf3d829117ac2ff1a';

/** Levels of `rollup.halt`, the strictest last. */
export const HALT_LEVELS = ['none', 'major', 'minor', 'patch'] as const;
/** A level of `rollup.halt`. */
export type HaltLevel = (typeof HALT_LEVELS)[number];

/** Settings of the check, and the parts that it works with. */
export interface ProtocolVersionCheckOptions {
  readonly l1: Pick<L1Client, 'storageAt'>;
  /** undefined: the rollup has no such contract, and nothing is read. */
  readonly contract: Hex | undefined;
  readonly level: HaltLevel;
  readonly meter: Metricer;
  readonly log: Logger;
}

/**
 * Creates a check of the protocol versions that L1 signals (op-node: `handleProtocolVersionsUpdate`).
 * @throws Failure `halt` if this node is behind the required version by the step of `rollup.halt` or a larger one
 */
export function protocolVersionCheck({
  l1,
  contract,
  level,
  meter,
  log,
}: ProtocolVersionCheckOptions): () => Promise<void> {
  let lastNotice: string | undefined;
  return async () => {
    if (contract === undefined) return;
    const [required, recommended] = await Promise.all(
      [REQUIRED_SLOT, RECOMMENDED_SLOT].map((slot) => l1.storageAt(contract, slot, 'latest')),
    );
    if (required === undefined || recommended === undefined) return;
    meter.reportProtocolVersions(SUPPORTED, recommended, required);
    if (lastNotice === required + recommended) return;
    lastNotice = required + recommended;
    const versions = {
      ours: formatVersion(SUPPORTED),
      required: formatVersion(required),
      recommended: formatVersion(recommended),
    };
    const behind = outdatedBy(required);
    if (outdatedBy(recommended)) log.warn('a newer protocol version is recommended on L1', versions);
    if (behind === undefined) return;
    log.error('L1 requires a newer protocol version', { ...versions, behind });
    if (haltMaybe(level, behind))
      throw new Failure('halt', `rollup-node: L1 requires protocol ${versions.required}, this is ${versions.ours}`, {
        data: versions,
        hint: 'run a newer rollup node; --rollup.halt=none goes on regardless',
      });
  };
}

/** Tells whether a missing step of the version halts a node at this level (op-node: `haltMaybe`). */
function haltMaybe(level: HaltLevel, behind: OutdatedLevel): boolean {
  const levels: readonly string[] = HALT_LEVELS;
  const at = levels.indexOf(behind);
  return at > 0 && at <= levels.indexOf(level);
}
