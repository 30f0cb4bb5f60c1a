import type { ExecutionPayload, L1BlockRef, L2BlockRef } from '../../types.ts';
import type { Rollup } from '../ports.ts';
import { l1InfoOf } from './l1-info.ts';
import { isGenesis } from './system-config.ts';

/**
 * Returns the reference of an L2 block (op-node: `PayloadToBlockRef`, kona: `L2BlockInfo::from_payload_and_genesis`).
 * L1 origin and sequence number come from its L1 attributes, those of genesis from the configuration.
 * @throws DerivationError (fatal) if it is no block of this rollup
 */
export function blockRefOf(rollup: Rollup, payload: ExecutionPayload): L2BlockRef {
  const { blockHash: hash, blockNumber: number, parentHash } = payload;
  const timestamp = Number(payload.timestamp);
  if (isGenesis(rollup, payload)) {
    return { hash, number, parentHash, timestamp, l1origin: rollup.config.genesis.l1, sequenceNumber: 0 };
  }
  const info = l1InfoOf(rollup, payload);
  const l1origin = { hash: info.hash, number: info.number };
  return { hash, number, parentHash, timestamp, l1origin, sequenceNumber: info.sequenceNumber };
}

/**
 * Returns the reference alone of an L1 block that has more fields, such as a header (op-service: `InfoToL1BlockRef`).
 */
export function l1RefOf({ hash, number, parentHash, timestamp }: L1BlockRef): L1BlockRef {
  return { hash, number, parentHash, timestamp };
}
