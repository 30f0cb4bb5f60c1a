import { toBigInt, toNumber } from '../../bytes.ts';
import { keccak256Text } from '../../hash.ts';
import { bytesToHex, hexToBytes, sameHex } from '../../hex.ts';
import type { Hex, L1Header, L1Receipt, Log, SystemConfig } from '../../types.ts';
import type { DerivationLog, Rollup } from '../ports.ts';
import { isValidScalar } from './fee-parameters.ts';

/** First topic of the system config's update event (op-node: `ConfigUpdateEventABIHash`). */
export const CONFIG_UPDATE_TOPIC: Hex = bytesToHex(keccak256Text('ConfigUpdate(uint256,uint8,bytes)'));

interface Update {
  /** Length of the value, in words of 32 bytes. */
  readonly words: number;
  /** The config after the update; null if the value is out of its range and the old one stays. */
  apply(config: SystemConfig, value: Uint8Array, packedScalar: boolean): SystemConfig | null;
}

/**
 * Handlers by update type (specification: System Config Updates). Derivation ignores type 3, the unsafe block signer.
 */
const UPDATES: ReadonlyMap<number, Update> = new Map([
  [0, one((config, word) => withAddress(word, (batcherAddr) => ({ ...config, batcherAddr })))],
  [1, { words: 2, apply: feeScalars }],
  [2, one((config, word) => withUint(word, (gasLimit) => ({ ...config, gasLimit })))],
  [4, one((config, word) => ({ ...config, eip1559Params: bytesToHex(word.subarray(24)) }))],
  [5, one((config, word) => ({ ...config, operatorFeeParams: bytesToHex(word) }))],
  [6, one((config, word) => withUint(word, (minBaseFee) => ({ ...config, minBaseFee })))],
  [7, one((config, word) => withUint(word, (daFootprintGasScalar) => ({ ...config, daFootprintGasScalar }), 0xffff))],
]);

/** Type of the unsafe block signer, which nodes read from the contract's storage. */
const UNSAFE_BLOCK_SIGNER = 3;

/**
 * Returns the system config after the ConfigUpdate logs of the receipts of one L1 block, `l1`.
 * Counterparts: `UpdateSystemConfigWithL1Receipts` (op-node), `SystemConfig::update_with_receipts` (kona).
 * A malformed or out-of-range update changes nothing and is logged. No log on L1 can be corrected, so derivation must
 * not wait for it.
 */
export function applyConfigUpdates(
  rollup: Rollup,
  config: SystemConfig,
  receipts: readonly L1Receipt[],
  l1: Pick<L1Header, 'number' | 'timestamp'>,
  tell?: DerivationLog,
): SystemConfig {
  const packedScalar = rollup.rulesAt(l1.timestamp).attributes.scalarEncoding === 'packed';
  const address = rollup.config.l1_system_config_address;
  let current = config;
  for (const log of receipts.flatMap((receipt) => (receipt.status ? receipt.logs : []))) {
    if (!sameHex(log.address, address) || log.topics[0] !== CONFIG_UPDATE_TOPIC) continue;
    const updated = updatedBy(log, current, packedScalar);
    if (typeof updated === 'object') current = updated;
    else
      tell?.('warn', 'a ConfigUpdate on L1 is ignored', {
        l1: l1.number,
        log: log.logIndex,
        type: log.topics[2] === undefined ? null : BigInt(log.topics[2]),
        reason: updated,
      });
  }
  return current;
}

/**
 * Returns the config after an update, or the reason why there is none (op-node: `ProcessSystemConfigUpdateLogEvent`).
 */
function updatedBy(log: Log, config: SystemConfig, packedScalar: boolean): SystemConfig | string {
  if (log.topics.length !== 3) return `expected 3 topics, found ${log.topics.length}`;
  const [version, type] = log.topics.slice(1).map(Number);
  if (version !== 0) return `expected version 0, found ${version}`;
  if (type === UNSAFE_BLOCK_SIGNER) return config;
  const update = UPDATES.get(Number(type));
  if (update === undefined) return 'unknown update type';
  const value = abiBytes(hexToBytes(log.data), 32 * update.words);
  if (value === null) return `expected ${update.words} ABI-encoded words, found ${log.data}`;
  return update.apply(config, value, packedScalar) ?? `the value is out of its range: ${log.data}`;
}

/** Returns the value inside ABI-encoded `bytes`: offset 32, the expected length, nothing after. */
function abiBytes(data: Uint8Array, length: number): Uint8Array | null {
  if (data.length !== 64 + length) return null;
  const isExpected = toBigInt(data.subarray(0, 32)) === 32n && toBigInt(data.subarray(32, 64)) === BigInt(length);
  return isExpected ? data.subarray(64) : null;
}

function one(apply: (config: SystemConfig, word: Uint8Array) => SystemConfig | null): Update {
  return { words: 1, apply };
}

/** Bytes before the address must be zero. */
function withAddress<T>(word: Uint8Array, then: (address: Hex) => T): T | null {
  return word.subarray(0, 12).some((byte) => byte !== 0) ? null : then(bytesToHex(word.subarray(12)));
}

function withUint<T>(word: Uint8Array, then: (value: number) => T, largest = Number.MAX_SAFE_INTEGER): T | null {
  return toBigInt(word) > BigInt(largest) ? null : then(toNumber(word));
}

function feeScalars(config: SystemConfig, value: Uint8Array, packedScalar: boolean): SystemConfig | null {
  const scalar = value.subarray(32);
  if (!packedScalar) return { ...config, overhead: bytesToHex(value.subarray(0, 32)), scalar: bytesToHex(scalar) };
  if (!isValidScalar(scalar)) return null;
  return { ...config, overhead: `0x${'00'.repeat(32)}`, scalar: bytesToHex(scalar) };
}
