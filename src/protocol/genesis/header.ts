import { type RlpItem, rlpEncode, rlpUint } from '../codec/rlp.ts';
import { EMPTY_OMMERS_HASH, EMPTY_TRIE_ROOT, ZERO_HASH } from '../execution/constants.ts';
import { keccak256 } from '../hash.ts';
import { hexToBytes } from '../hex.ts';
import type { Hex } from '../types.ts';

/** The header of a block 0. Fields that a fork adds to headers are absent before it. */
export interface GenesisHeader {
  readonly coinbase: Hex;
  readonly stateRoot: Hex;
  readonly gasLimit: number;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly extraData: Hex;
  /** wei */
  readonly baseFeePerGas: bigint;
  readonly withdrawalsRoot?: Hex;
  /** parentBeaconBlockRoot, blobGasUsed and excessBlobGas stand in the header, all zero. */
  readonly beaconRoot: boolean;
  readonly requestsHash?: Hex;
}

const BLOOM = new Uint8Array(256);
const NONCE = new Uint8Array(8);

/**
 * Computes the hash of a genesis block: no transactions, no parent, nothing used.
 * Counterparts: `Genesis.ToBlock` (geth), `make_genesis_header` (reth).
 */
export function genesisHash(header: GenesisHeader): Hex {
  const zero = hexToBytes(ZERO_HASH);
  const none = rlpUint(0);
  const empty = hexToBytes(EMPTY_TRIE_ROOT);
  const fields: RlpItem[] = [
    ...[
      zero,
      hexToBytes(EMPTY_OMMERS_HASH),
      hexToBytes(header.coinbase),
      hexToBytes(header.stateRoot),
      empty,
      empty,
      BLOOM,
    ],
    // difficulty, number
    ...[none, none],
    ...[rlpUint(header.gasLimit), none, rlpUint(header.timestamp), hexToBytes(header.extraData)],
    // mixHash, nonce
    ...[zero, NONCE],
    rlpUint(header.baseFeePerGas),
  ];
  if (header.withdrawalsRoot !== undefined) fields.push(hexToBytes(header.withdrawalsRoot));
  // blobGasUsed, excessBlobGas, parentBeaconBlockRoot
  if (header.beaconRoot) fields.push(none, none, zero);
  if (header.requestsHash !== undefined) fields.push(hexToBytes(header.requestsHash));
  return keccak256(rlpEncode(fields));
}
