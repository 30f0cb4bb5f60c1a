import { concat, u256be } from '../bytes.ts';
import { keccak256, keccak256Bytes, keccak256Text } from '../hash.ts';
import { hexToSized } from '../hex.ts';
import type { Hex } from '../types.ts';

/** Domains of source hashes, one for each kind of deposit (specification: Deposits, Source hash computation). */
const SOURCE_DOMAIN = { user: 0, l1Attributes: 1, upgrade: 2 } as const;

/**
 * Computes the source hash of a user deposit (op-node, op-alloy: `UserDepositSource`).
 * `logIndex` counts over all logs of the L1 block.
 */
export function userDepositSourceHash(l1BlockHash: Hex, logIndex: number): Hex {
  return inDomain(SOURCE_DOMAIN.user, keccak256Bytes(concat(hexToSized(l1BlockHash, 32), u256be(logIndex))));
}

/**
 * Computes the source hash of the L1-attributes deposit of the epoch's `sequenceNumber`th block.
 * Counterpart in op-node and op-alloy: `L1InfoDepositSource`.
 */
export function l1AttributesSourceHash(l1BlockHash: Hex, sequenceNumber: number): Hex {
  return inDomain(
    SOURCE_DOMAIN.l1Attributes,
    keccak256Bytes(concat(hexToSized(l1BlockHash, 32), u256be(sequenceNumber))),
  );
}

/** Computes the source hash of a network upgrade transaction (op-node, op-alloy: `UpgradeDepositSource`). */
export function upgradeSourceHash(intent: string): Hex {
  return inDomain(SOURCE_DOMAIN.upgrade, keccak256Text(intent));
}

function inDomain(domain: number, id: Uint8Array): Hex {
  return keccak256(concat(u256be(domain), id));
}
