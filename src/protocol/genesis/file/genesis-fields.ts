import { type JsonObject, jsonData } from '../../codec/json.ts';
import { isProtocolError } from '../../errors.ts';
import { ZERO_ADDRESS, ZERO_HASH } from '../../execution/constants.ts';
import type { Hex } from '../../types.ts';
import type { FileContent } from './rollup-file.ts';
import { parseUniqueJson } from './unique-json.ts';

/** Header fields of the genesis block, as genesis.json states them (geth: `core.Genesis`). */
export interface GenesisFields {
  readonly parentHash: Hex;
  readonly coinbase: Hex;
  readonly nonce: bigint;
  readonly timestamp: bigint;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  readonly extraData: Hex;
  readonly mixHash: Hex;
  readonly baseFeePerGas: bigint;
  readonly blobGasUsed: bigint;
  readonly excessBlobGas: bigint;
  readonly parentBeaconBlockRoot: Hex;
}

/** Known keys of a genesis file beside those of {@link GenesisFields}. */
const OTHERS = ['config', 'alloc', 'difficulty', 'number', 'stateHash', 'slotNumber'];
const UINT64S = ['nonce', 'timestamp', 'gasLimit', 'gasUsed', 'blobGasUsed', 'excessBlobGas'] as const;
const DATA = ['parentHash', 'coinbase', 'extraData', 'mixHash', 'parentBeaconBlockRoot'] as const;
const INTEGERS: ReadonlySet<string> = new Set([...UINT64S, 'baseFeePerGas', 'difficulty', 'number', 'balance']);
const FIELD_NAMES: ReadonlySet<string> = new Set([...OTHERS, ...UINT64S, ...DATA, 'baseFeePerGas']);

/** Parses genesis.json. Large JSON integers keep all digits. @throws SyntaxError also if a key stands twice */
export function parseGenesis(text: string): unknown {
  return parseUniqueJson(text, (key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && INTEGERS.has(key) ? (context?.source ?? value) : value,
  );
}

/** Returns the keys that this program does not know. op-geth and op-reth ignore such keys as well. */
export function unknownKeys(json: JsonObject): string[] {
  return Object.keys(json).filter((key) => !FIELD_NAMES.has(key));
}

/**
 * Reads the header fields of genesis.json.
 * Problems are malformed fields, and a genesis block that cannot start a chain here.
 */
export function genesisFields(json: JsonObject): FileContent<GenesisFields> {
  const problems: string[] = [];
  const integer = (key: string, bits: number, absent?: bigint): bigint => {
    const value = json[key] ?? absent;
    const expected = `an integer below 2^${bits}, as a number or as decimal or 0x text`;
    const isInteger = /^(0x[0-9a-fA-F]+|\d+)$/.test(String(value));
    if (isInteger && BigInt(String(value)) < 1n << BigInt(bits)) return BigInt(String(value));
    const fault = value === undefined ? 'is missing' : `is ${JSON.stringify(json[key])}`;
    problems.push(`${key} ${fault}: expected ${expected}`);
    return 0n;
  };
  const data = (key: string, absent: Hex, size?: number): Hex => {
    try {
      return jsonData(json[key] ?? absent, key, size);
    } catch (error) {
      if (!isProtocolError(error)) throw error;
      problems.push(error.message);
      return absent;
    }
  };
  if (integer('difficulty', 256, 0n) !== 0n) problems.push('difficulty is not 0: a chain must be past the merge');
  if (integer('number', 64, 0n) !== 0n) problems.push('number is not 0: a chain begins with block 0');
  if (json['stateHash'] != null) problems.push('it has a stateHash instead of a state, so no block can be executed');
  const value: GenesisFields = {
    parentHash: data('parentHash', ZERO_HASH, 32),
    coinbase: data('coinbase', ZERO_ADDRESS, 20),
    nonce: integer('nonce', 64, 0n),
    timestamp: integer('timestamp', 64, 0n),
    gasLimit: integer('gasLimit', 64),
    gasUsed: integer('gasUsed', 64, 0n),
    extraData: data('extraData', '0x'),
    mixHash: data('mixHash', ZERO_HASH, 32),
    baseFeePerGas: integer('baseFeePerGas', 256, 1_000_000_000n),
    blobGasUsed: integer('blobGasUsed', 64, 0n),
    excessBlobGas: integer('excessBlobGas', 64, 0n),
    parentBeaconBlockRoot: data('parentBeaconBlockRoot', ZERO_HASH, 32),
  };
  return problems.length === 0 ? { ok: true, value } : { ok: false, problems };
}
