import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { rlpEncode } from '../../../protocol/codec/rlp.ts';
import { EMPTY_TRIE_ROOT } from '../../../protocol/execution/constants.ts';
import { PREDEPLOYS } from '../../../protocol/execution/predeploys.ts';
import { ethereumRulesOf, readBlobSchedule } from '../../../protocol/forks/blob-schedule.ts';
import { type EthereumSchedule, ethereumScheduleOf } from '../../../protocol/forks/ethereum.ts';
import { type ForkSchedule, rulesAt, scheduleOfGenesis } from '../../../protocol/forks/index.ts';
import { genesisConfigProblems, isRollupConfig } from '../../../protocol/genesis/file/genesis-config.ts';
import {
  type GenesisFields,
  genesisFields,
  parseGenesis,
  unknownKeys,
} from '../../../protocol/genesis/file/genesis-fields.ts';
import { headerOfFields } from '../../../protocol/genesis/genesis-file.ts';
import { keccak256Bytes } from '../../../protocol/hash.ts';
import { bytesToHex, hexToBytes, lowerHex } from '../../../protocol/hex.ts';
import { runToCompletion } from '../../../protocol/resumable.ts';
import type { ChainOpConfig, Rules } from '../../../protocol/rules/rules.ts';
import type { Hex, Seconds } from '../../../protocol/types.ts';
import { isJsonObject } from '../../../rpc/json-object.ts';
import { EMPTY_CODE_HASH, encodeAccount } from '../state/account.ts';
import { type ByteKey, byteKey } from '../state/byte-key.ts';
import type { NewNode, StateDiff } from '../state/commit.ts';
import type { Emit } from '../trie/encode.ts';
import { Trie } from '../trie/trie.ts';
import { malformedGenesis } from './malformed-genesis.ts';

/** The definition of a chain: genesis.json without `alloc` (geth: `ChainConfig`). */
export interface ChainDefinition {
  /** The file without the value of `alloc`, as the datadir stores it. */
  readonly text: string;
  readonly chainId: number;
  /** Fork times of a rollup. Empty for plain Ethereum. */
  readonly schedule: ForkSchedule;
  /** Plain Ethereum only: its own forks. */
  readonly ethereum?: EthereumChain;
  readonly optimism: ChainOpConfig | undefined;
  readonly fields: GenesisFields;
  /** Unknown top-level keys of the file. */
  readonly unknownKeys: readonly string[];
}

/** A plain Ethereum chain, from the merge on. */
export interface EthereumChain {
  readonly schedule: EthereumSchedule;
  /** Returns the rules at a time, with the blob counts that the chain states. */
  rulesAt(time: Seconds): Rules;
  /** Address of the deposit contract (EIP-6110), if there is one. */
  readonly depositContract: Hex | undefined;
}

/** State of the genesis block as genesis.json spells it (geth: `GenesisAlloc`). */
export type Alloc = Readonly<
  Record<
    string,
    {
      readonly balance?: string;
      readonly nonce?: string;
      readonly code?: string;
      readonly storage?: Readonly<Record<string, string>>;
    }
  >
>;

/** Roots of the genesis state. */
export interface GenesisRoots {
  readonly stateRoot: Uint8Array;
  /** Storage root of the L2ToL1MessagePasser. */
  readonly messagePasserRoot: Uint8Array;
}

/** Reads the definition of a chain from genesis.json without `alloc`. @throws Failure `genesis` with every problem */
export function defineChain(text: string, path: string): ChainDefinition {
  const json = parsed(text, path);
  if (!isJsonObject(json)) throw malformedGenesis(path, 'expected a map with config, alloc and header fields');
  const { config } = json;
  const fields = genesisFields(json);
  const problems = [...genesisConfigProblems(config), ...(fields.ok ? [] : fields.problems)];
  if (!isJsonObject(config) || !fields.ok || problems.length > 0) throw malformedGenesis(path, problems.join('; '));
  const common = { text, chainId: Number(config['chainId']), fields: fields.value, unknownKeys: unknownKeys(json) };
  return isRollupConfig(config)
    ? { ...common, optimism: config['optimism'] as ChainOpConfig, schedule: scheduleOfGenesis(config) }
    : { ...common, optimism: undefined, schedule: {}, ethereum: ethereumOf(config, path) };
}

function parsed(text: string, path: string): unknown {
  try {
    return parseGenesis(text);
  } catch (cause) {
    throw malformedGenesis(path, 'it is not valid JSON', cause);
  }
}

/** Returns the rules at a time, of a rollup or of plain Ethereum. `schedule` includes the node's overrides. */
export function chainRulesAt(definition: ChainDefinition, schedule: ForkSchedule, time: Seconds): Rules {
  return definition.ethereum === undefined ? rulesAt(schedule, time) : definition.ethereum.rulesAt(time);
}

/** Keys of `config` for forks that this program does not implement. */
const NOT_OFFERED = /^(bpo([06-9]|\d\d+)|amsterdam)Time$/;

/**
 * Reads the definition of a plain Ethereum chain.
 * @throws Failure `genesis` on a chain before the merge, on unknown forks or on unsound blob parameters
 */
export function ethereumOf(config: Readonly<Record<string, unknown>>, path: string): EthereumChain {
  if (Number(config['terminalTotalDifficulty'] ?? 0) !== 0)
    throw malformedGenesis(
      path,
      'it has no config.optimism, and a plain Ethereum chain must be past the merge: terminalTotalDifficulty 0',
    );
  const unknown = Object.keys(config).find((key) => NOT_OFFERED.test(key) && config[key] != null);
  if (unknown !== undefined)
    throw malformedGenesis(path, `config.${unknown} is a fork that this program does not implement`);
  const blobs = readBlobSchedule(config);
  if (blobs.problems.length > 0) throw malformedGenesis(path, blobs.problems.join('; '));
  const schedule = ethereumScheduleOf(config);
  const contract = config['depositContractAddress'] ?? undefined;
  if (contract !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(String(contract)))
    throw malformedGenesis(
      path,
      `config.depositContractAddress: expected an address of 20 bytes, found ${String(contract)}`,
    );
  return {
    schedule,
    rulesAt: ethereumRulesOf(schedule, blobs.schedule),
    depositContract: contract === undefined ? undefined : lowerHex(String(contract)),
  };
}

/** Computes the genesis state of `alloc` as trie nodes to store (geth: `flushAlloc`). */
export function genesisState(alloc: Alloc): StateDiff & GenesisRoots {
  const nodes: NewNode[] = [];
  /** By the text of genesis.json: about two thousand proxies share one code and two slots. */
  const codes = new Map<string, { hash: Uint8Array; code: Uint8Array }>();
  const slotKeys = new Map<string, Uint8Array>();
  const storageRoots = new Map<ByteKey, Uint8Array>();
  const emit: Emit = (hash, rlp, node) => void nodes.push({ hash, rlp, node });
  const nothing = {
    node: () => {
      throw new Error('genesis starts from an empty state');
    },
  };
  const accounts = new Trie(nothing);
  for (const [key, { balance = '0', nonce = '0', code = '0x', storage = {} }] of Object.entries(alloc)) {
    const address = hexToBytes(key.startsWith('0x') ? key.toLowerCase() : `0x${key.toLowerCase()}`);
    const words = new Trie(nothing);
    for (const [slot, value] of Object.entries(storage)) {
      const word = stripZeros(hexToBytes(value));
      if (word.length > 0) words.put(memo(slotKeys, slot, hashedSlot), rlpEncode(word));
    }
    const storageRoot = runToCompletion(words.commit(emit));
    storageRoots.set(byteKey(address), storageRoot);
    const codeHash = code === '0x' ? EMPTY_CODE_HASH : memo(codes, code, hashedCode).hash;
    accounts.put(
      keccak256Bytes(address),
      encodeAccount({ nonce: BigInt(nonce), balance: BigInt(balance), storageRoot, codeHash }),
      words.top,
    );
  }
  const root = runToCompletion(accounts.commit(emit));
  const messagePasserRoot =
    storageRoots.get(byteKey(hexToBytes(PREDEPLOYS.l2ToL1MessagePasser))) ?? hexToBytes(EMPTY_TRIE_ROOT);
  return { root, stateRoot: root, messagePasserRoot, nodes, codes: [...codes.values()], storageRoots };
}

function memo<Value>(cache: Map<string, Value>, text: string, make: (text: string) => Value): Value {
  let value = cache.get(text);
  if (value === undefined) {
    value = make(text);
    cache.set(text, value);
  }
  return value;
}

function hashedSlot(slot: string): Uint8Array {
  return keccak256Bytes(hexToBytes(`0x${slot.slice(2).padStart(64, '0')}`));
}

function hashedCode(text: string): { hash: Uint8Array; code: Uint8Array } {
  const code = hexToBytes(text);
  return { hash: keccak256Bytes(code), code };
}

/** Returns the header of block 0. */
export function genesisHeader(definition: ChainDefinition, roots: GenesisRoots): BlockHeader {
  const { fields } = definition;
  const { header } = chainRulesAt(definition, definition.schedule, fields.timestamp);
  return headerOfFields(fields, header, {
    stateRoot: bytesToHex(roots.stateRoot),
    messagePasserRoot: bytesToHex(roots.messagePasserRoot),
  });
}

function stripZeros(bytes: Uint8Array): Uint8Array {
  let from = 0;
  while (from < bytes.length && bytes[from] === 0) from++;
  return bytes.subarray(from);
}
