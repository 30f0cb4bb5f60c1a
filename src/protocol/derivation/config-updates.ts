import { toBigInt, toNumber } from '../bytes.ts';
import { keccak256Text } from '../hash.ts';
import { bytesToHex, hexToBytes, sameHex } from '../hex.ts';
import type { Hex, L1Receipt, Log, SystemConfig } from '../types.ts';
import { isValidScalar } from './fee-parameters.ts';
import type { Rollup } from './ports.ts';

/** First topic of the system config's update event. */
export const CONFIG_UPDATE_TOPIC: Hex = bytesToHex(keccak256Text('ConfigUpdate(uint256,uint8,bytes)'));

/** The 32-byte words of an update's data. */
type Words = readonly Uint8Array[];

interface Update {
  readonly words: number;
  /** The config after the update; null where the value is out of its range and the old one stays. */
  apply(config: SystemConfig, words: Words, packedScalar: boolean): SystemConfig | null;
}

/** By update type (specification: System Config Updates). Type 3, the unsafe block signer, is no business of derivation. */
const UPDATES: ReadonlyMap<number, Update> = new Map([
  [0, one((config, word) => withAddress(word, (batcherAddr) => ({ ...config, batcherAddr })))],
  [1, { words: 2, apply: feeScalars }],
  [2, one((config, word) => withUint(word, (gasLimit) => ({ ...config, gasLimit })))],
  [4, one((config, word) => ({ ...config, eip1559Params: bytesToHex(word.subarray(24)) }))],
  [5, one((config, word) => ({ ...config, operatorFeeParams: bytesToHex(word) }))],
  [6, one((config, word) => withUint(word, (minBaseFee) => ({ ...config, minBaseFee })))],
  [7, one((config, word) => withUint(word, (daFootprintGasScalar) => ({ ...config, daFootprintGasScalar }), 0xffff))],
]);

/** The system config after the ConfigUpdate logs of one L1 block's receipts; malformed updates leave it as it was. `l1Time`: that block's, in seconds. */
export function applyConfigUpdates(
  rollup: Rollup,
  config: SystemConfig,
  receipts: readonly L1Receipt[],
  l1Time: number,
): SystemConfig {
  const packedScalar = rollup.rulesAt(l1Time).attributes.scalarEncoding === 'packed';
  const address = rollup.config.l1_system_config_address;
  return receipts
    .filter(({ status }) => status)
    .flatMap(({ logs }) => logs)
    .filter((log) => sameHex(log.address, address) && log.topics[0] === CONFIG_UPDATE_TOPIC)
    .reduce((current, log) => applyUpdate(current, log, packedScalar), config);
}

function applyUpdate(config: SystemConfig, log: Log, packedScalar: boolean): SystemConfig {
  const [, version, type] = log.topics;
  if (log.topics.length !== 3 || BigInt(version!) !== 0n) return config;
  const update = UPDATES.get(Number(BigInt(type!)));
  const words = update && abiWords(hexToBytes(log.data), update.words);
  return (words && update.apply(config, words, packedScalar)) ?? config;
}

/** The words inside ABI-encoded `bytes`: offset 32, the expected length, nothing after. */
function abiWords(data: Uint8Array, count: number): Words | null {
  if (data.length !== 64 + 32 * count) return null;
  const words = Array.from({ length: count + 2 }, (_, index) => data.subarray(32 * index, 32 * index + 32));
  const [offset, length, ...rest] = words;
  return toBigInt(offset!) === 32n && toBigInt(length!) === BigInt(32 * count) ? rest : null;
}

function one(apply: (config: SystemConfig, word: Uint8Array) => SystemConfig | null): Update {
  return { words: 1, apply: (config, [word]) => apply(config, word!) };
}

/** Bytes before the address must be zero. */
function withAddress<T>(word: Uint8Array, then: (address: Hex) => T): T | null {
  return word.subarray(0, 12).some((byte) => byte !== 0) ? null : then(bytesToHex(word.subarray(12)));
}

function withUint<T>(word: Uint8Array, then: (value: number) => T, largest = Number.MAX_SAFE_INTEGER): T | null {
  return toBigInt(word) > BigInt(largest) ? null : then(toNumber(word));
}

function feeScalars(config: SystemConfig, [overhead, scalar]: Words, packedScalar: boolean): SystemConfig | null {
  if (!packedScalar) return { ...config, overhead: bytesToHex(overhead!), scalar: bytesToHex(scalar!) };
  if (!isValidScalar(scalar!)) return null;
  return { ...config, overhead: `0x${'00'.repeat(32)}`, scalar: bytesToHex(scalar!) };
}
