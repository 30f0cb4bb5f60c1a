import { concat } from '../bytes.ts';
import { keccak256 } from '../hash.ts';
import { hexToSized } from '../hex.ts';
import type { Hex } from '../types.ts';

/** Version of the output root, 32 zero bytes. */
const OUTPUT_VERSION = new Uint8Array(32);

/**
 * Computes the output root of an L2 block (op-service: `OutputRoot`, `OutputV0`; kona: `OutputRoot`).
 * It is keccak-256 of version ‖ state root ‖ message passer storage root ‖ block hash. Specification: Proposals, L2
 * Output Commitment.
 */
export function outputRoot(stateRoot: Hex, messagePasserStorageRoot: Hex, blockHash: Hex): Hex {
  return keccak256(
    concat(
      OUTPUT_VERSION,
      hexToSized(stateRoot, 32),
      hexToSized(messagePasserStorageRoot, 32),
      hexToSized(blockHash, 32),
    ),
  );
}
