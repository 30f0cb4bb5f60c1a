import { createHash } from 'node:crypto';
import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { rlpEncode } from '../../../protocol/codec/rlp.ts';
import {
  EMPTY_REQUESTS_HASH,
  EMPTY_TRIE_ROOT,
  ZERO_ADDRESS,
  ZERO_HASH,
} from '../../../protocol/execution/constants.ts';
import { PREDEPLOYS } from '../../../protocol/execution/predeploys.ts';
import type { ForkSchedule } from '../../../protocol/forks/index.ts';
import { rulesAt, scheduleOfGenesis } from '../../../protocol/forks/index.ts';
import { keccak256Bytes } from '../../../protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { ChainOpConfig } from '../../../protocol/parts/rules.ts';
import type { Hex } from '../../../protocol/types.ts';
import { Failure } from '../../../system/failure.ts';
import { EMPTY_CODE_HASH, encodeAccount } from '../state/account.ts';
import type { StateDiff } from '../state/commit.ts';
import { Trie } from '../trie/trie.ts';

/** What a chain is, beside its first state: genesis.json without `alloc`. */
export interface ChainDefinition {
  /** The text before `"alloc"`, closed to a JSON object: what is kept in the datadir. */
  readonly text: string;
  readonly chainId: number;
  readonly schedule: ForkSchedule;
  readonly optimism: ChainOpConfig | undefined;
  readonly fields: GenesisFields;
}

interface GenesisFields {
  readonly timestamp?: string;
  readonly extraData?: string;
  readonly gasLimit?: string;
  readonly mixHash?: string;
  readonly coinbase?: string;
  readonly baseFeePerGas?: string;
  readonly parentBeaconBlockRoot?: string;
}

/** genesis.json in two parts; its `alloc` is parsed only where no cache has the state. */
export interface GenesisFile {
  readonly definition: ChainDefinition;
  /** sha256 of the text from `"alloc"` on, hex. */
  readonly allocKey: string;
  alloc(): Alloc;
}

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

/** Roots of the first state. */
export interface GenesisRoots {
  readonly stateRoot: Uint8Array;
  /** Storage root of the L2ToL1MessagePasser. */
  readonly messagePasserRoot: Uint8Array;
}

/** Splits genesis.json, whose last key is `alloc`. @throws Failure `genesis` */
export function readGenesis(bytes: Buffer, path: string): GenesisFile {
  const at = bytes.indexOf('"alloc"');
  if (at < 0) throw malformed(path, 'it has no "alloc"');
  const head = bytes.subarray(0, at).toString('utf8').trimEnd().replace(/,$/, '');
  return {
    definition: defineChain(`${head}}`, path),
    allocKey: createHash('sha256').update(bytes.subarray(at)).digest('hex'),
    alloc() {
      try {
        return (JSON.parse(bytes.toString('utf8')) as { alloc: Alloc }).alloc;
      } catch (cause) {
        throw malformed(path, 'it is no JSON', cause);
      }
    },
  };
}

/** Reads what a chain is from genesis.json without `alloc`. @throws Failure `genesis` */
export function defineChain(text: string, path: string): ChainDefinition {
  let parsed: GenesisFields & { config?: Record<string, unknown> };
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch (cause) {
    throw malformed(path, 'what stands before "alloc" is no JSON; "alloc" must be the last key', cause);
  }
  const { config, ...fields } = parsed;
  const chainId = config?.['chainId'];
  if (config === undefined || typeof chainId !== 'number') throw malformed(path, 'config.chainId must be a number');
  const optimism = config['optimism'] as ChainOpConfig | undefined;
  if (optimism === undefined) throw malformed(path, 'config.optimism is missing, so this is no rollup');
  return { text, chainId, schedule: scheduleOfGenesis(config), optimism, fields };
}

/** The first state of `alloc`, to be written to a store. */
export function genesisState(alloc: Alloc): StateDiff & GenesisRoots {
  const nodes: { hash: Uint8Array; rlp: Uint8Array }[] = [];
  /** By the text of genesis.json: its two thousand proxies share one code and two slots. */
  const codes = new Map<string, { hash: Uint8Array; code: Uint8Array }>();
  const slotKeys = new Map<string, Uint8Array>();
  const storageRoots = new Map<string, Uint8Array>();
  const emit = (hash: Uint8Array, rlp: Uint8Array) => void nodes.push({ hash, rlp });
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
    const storageRoot = words.commit(emit);
    storageRoots.set(bytesToHex(address), storageRoot);
    const codeHash = code === '0x' ? EMPTY_CODE_HASH : memo(codes, code, hashedCode).hash;
    accounts.put(
      keccak256Bytes(address),
      encodeAccount({ nonce: BigInt(nonce), balance: BigInt(balance), storageRoot, codeHash }),
    );
  }
  const root = accounts.commit(emit);
  const messagePasserRoot = storageRoots.get(PREDEPLOYS.l2ToL1MessagePasser) ?? hexToBytes(EMPTY_TRIE_ROOT);
  return { root, stateRoot: root, messagePasserRoot, nodes, codes: [...codes.values()], storageRoots };
}

function memo<Value>(known: Map<string, Value>, text: string, make: (text: string) => Value): Value {
  let value = known.get(text);
  if (value === undefined) {
    value = make(text);
    known.set(text, value);
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

/** Header of block 0 (specification: genesis block). */
export function genesisHeader({ fields, schedule }: ChainDefinition, roots: GenesisRoots): BlockHeader {
  const timestamp = Number(fields.timestamp ?? 0);
  const { header } = rulesAt(schedule, timestamp);
  const withdrawalsRoot = {
    absent: undefined,
    empty: EMPTY_TRIE_ROOT as Hex,
    'message-passer': bytesToHex(roots.messagePasserRoot),
  }[header.withdrawalsRoot];
  return {
    parentHash: ZERO_HASH,
    beneficiary: lower(fields.coinbase ?? ZERO_ADDRESS),
    stateRoot: bytesToHex(roots.stateRoot),
    transactionsRoot: EMPTY_TRIE_ROOT,
    receiptsRoot: EMPTY_TRIE_ROOT,
    logsBloom: `0x${'00'.repeat(256)}`,
    number: 0,
    gasLimit: Number(fields.gasLimit ?? 30_000_000),
    gasUsed: 0,
    timestamp,
    extraData: lower(fields.extraData ?? '0x'),
    mixHash: lower(fields.mixHash ?? ZERO_HASH),
    baseFeePerGas: BigInt(fields.baseFeePerGas ?? 1_000_000_000),
    ...(withdrawalsRoot === undefined ? {} : { withdrawalsRoot }),
    ...(header.beaconRoot
      ? { blobGasUsed: 0, excessBlobGas: 0, parentBeaconBlockRoot: lower(fields.parentBeaconBlockRoot ?? ZERO_HASH) }
      : {}),
    ...(header.requestsHash ? { requestsHash: EMPTY_REQUESTS_HASH as Hex } : {}),
  };
}

const lower = (text: string): Hex => text.toLowerCase() as Hex;

function stripZeros(bytes: Uint8Array): Uint8Array {
  let from = 0;
  while (from < bytes.length && bytes[from] === 0) from++;
  return bytes.subarray(from);
}

function malformed(path: string, problem: string, cause?: unknown): Failure {
  return new Failure('genesis', `cannot use the genesis file ${path}: ${problem}`, { data: { path }, cause });
}
