import type { Rollup } from '../../../protocol/derivation/ports.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import type { OptionTable } from './table.ts';

/**
 * Checks the options against the chain's configuration (op-node: `initL1BeaconAPI`).
 * As op-node does, a node refuses to start without a beacon node if this fork or a later one allows batches in
 * blobs.
 */
export function checkForChain(options: OptionTable, rollup: Rollup): void {
  const readsBlobs = rollup.rulesAt(Number.MAX_SAFE_INTEGER).batches.blobs;
  if (!readsBlobs || options.beacon !== undefined || options.beaconIgnore) return;
  throw new Failure('usage', 'rollup-node: --l1.beacon is missing: a fork of this chain lets batches be in blobs', {
    exit: EXIT.usage,
    hint: '--l1.beacon.ignore starts without, and derivation ends at the first blob',
  });
}
