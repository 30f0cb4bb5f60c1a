import type { Hex } from '../types.ts';

/** Chain constants of the OP mainnet family, for chains whose configuration names none. */
export const EIP1559_ELASTICITY = 6;
export const EIP1559_DENOMINATOR = 50;

/**
 * Default `daFootprintGasScalar` of L1 attributes (op-node: `DAFootprintGasScalarDefault`).
 * It applies if the system config's is zero. Specification: jovian, L1 Attributes.
 */
export const DEFAULT_DA_FOOTPRINT_GAS_SCALAR = 400;

/** Root of a trie without entries (geth: `EmptyRootHash`, alloy: `EMPTY_ROOT_HASH`). */
export const EMPTY_TRIE_ROOT: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
/** keccak-256 of no bytes: code hash of an account without code (geth: `EmptyCodeHash`, alloy: `KECCAK_EMPTY`). */
export const EMPTY_CODE_HASH = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
/**
 * keccak-256 of the RLP of an empty list: header ommersHash (geth: `EmptyUncleHash`, alloy: `EMPTY_OMMER_ROOT_HASH`).
 */
export const EMPTY_OMMERS_HASH = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
/**
 * SHA-256 of no bytes: header requestsHash of a block without requests (EIP-7685).
 * Counterparts: `EmptyRequestsHash` (geth), `EMPTY_REQUESTS_HASH` (alloy).
 */
export const EMPTY_REQUESTS_HASH: Hex = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** 32 zero bytes. */
export const ZERO_HASH = '0x0000000000000000000000000000000000000000000000000000000000000000';
/** 20 zero bytes. */
export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';
