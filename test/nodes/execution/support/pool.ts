import { FLAVOURS } from '../../../../src/nodes/execution/flavours/index.ts';
import type { HeadState } from '../../../../src/nodes/execution/pool/head-state.ts';
import { TransactionPool } from '../../../../src/nodes/execution/pool/pool.ts';
import type { PoolEntry } from '../../../../src/nodes/execution/pool/pooled-transaction.ts';
import type { PoolSettings, SlotLimits, SubPoolLimits } from '../../../../src/nodes/execution/pool/settings.ts';
import type { SignedTransaction } from '../../../../src/nodes/execution/transaction/transaction.ts';
import { rulesAt } from '../../../../src/protocol/forks/index.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { CHAIN_ID, upTo } from './genesis.ts';

export const ETHER = 10n ** 18n;
export const GWEI = 10n ** 9n;

/** Returns an address by number. */
export function sender(number: number): Uint8Array {
  const address = new Uint8Array(20);
  address[18] = number >> 8;
  address[19] = number & 255;
  return address;
}

let count = 0;

/** Returns a decoded transfer with a placeholder signature. */
export function transfer(
  from: number,
  nonce: number | bigint,
  fields: Partial<SignedTransaction> & { bytes?: number } = {},
): SignedTransaction {
  const { bytes = 110, ...rest } = fields;
  return {
    type: 2,
    hash: `0x${(++count).toString(16).padStart(64, '0')}`,
    raw: new Uint8Array(bytes).fill(2),
    sender: sender(from),
    chainId: BigInt(CHAIN_ID),
    nonce: BigInt(nonce),
    gasLimit: 21_000n,
    maxFeePerGas: 10n * GWEI,
    maxPriorityFeePerGas: GWEI,
    to: sender(999),
    value: 0n,
    data: new Uint8Array(0),
    accessList: [],
    authorizationList: [],
    ...rest,
  };
}

/** Returns a transfer as an entry that is not in the pool yet. */
export function entryOf(
  from: number,
  nonce: number | bigint,
  { fields = {}, ...rest }: Partial<PoolEntry> & { readonly fields?: Partial<SignedTransaction> } = {},
): PoolEntry {
  return {
    transaction: transfer(from, nonce, fields),
    arrival: count,
    key: keyOf(from),
    fixedCost: 0n,
    cost: 1n,
    slots: 1,
    authorities: [],
    condition: undefined,
    local: true,
    since: 0,
    subPool: undefined,
    ...rest,
  };
}

interface Account {
  readonly nonce?: number;
  readonly balance?: bigint;
  readonly code?: Uint8Array;
}

/** Returns a head state from a table. Other accounts have 100 ether. */
export function headOf(
  accounts: Readonly<Record<number, Account>> = {},
  head: Partial<HeadState> & { fork?: Parameters<typeof upTo>[0] } = {},
): HeadState {
  const { fork = 'jovian', ...rest } = head;
  const byAddress = new Map(Object.entries(accounts).map(([number, account]) => [keyOf(Number(number)), account]));
  const account = (address: Uint8Array) => byAddress.get(bytesToHex(address));
  return {
    chainId: CHAIN_ID,
    rules: rulesAt(upTo(fork), 1),
    gasLimit: 29_930_000n,
    baseFee: GWEI,
    nonce: (address) => BigInt(account(address)?.nonce ?? 0),
    balance: (address) => account(address)?.balance ?? 100n * ETHER,
    code: (address) => account(address)?.code ?? new Uint8Array(0),
    extraFee: () => 1000n,
    ...rest,
  };
}

export function keyOf(from: number): Hex {
  return bytesToHex(sender(from));
}

export interface ScriptedPool {
  readonly pool: TransactionPool;
  /** Advances the pool's clock. */
  wait(milliseconds: number): void;
  /** Returns the hashes that became pending since the last call. */
  announced(): Hex[];
}

/** Returns a pool over a scripted head state and clock. */
export function poolOf(
  flavour: 'go' | 'rust',
  options: {
    view?: HeadState;
    settings?: Partial<PoolSettings>;
    slots?: Partial<SlotLimits>;
    subpools?: Partial<SubPoolLimits>;
  } = {},
): ScriptedPool {
  const behaviour = FLAVOURS[flavour].pool;
  const { defaults } = behaviour;
  let now = 0;
  const limits = { ...defaults.limits, ...options.slots, ...options.subpools } as PoolSettings['limits'];
  const settings = { ...defaults, limits, ...options.settings };
  const pool = new TransactionPool(options.view ?? headOf(), behaviour, settings, () => now);
  let hashes: Hex[] = [];
  pool.onPending(({ hash }) => hashes.push(hash));
  return {
    pool,
    wait(milliseconds) {
      now += milliseconds;
    },
    announced() {
      const batch = hashes;
      hashes = [];
      return batch;
    },
  };
}

/** Returns a sender's pending and queued nonces. */
export function noncesOf(pool: TransactionPool, from: number): { pending: number[]; queued: number[] } {
  const { pending, queued } = pool.content(keyOf(from));
  const nonces = (list: readonly SignedTransaction[] | undefined) => (list ?? []).map(({ nonce }) => Number(nonce));
  return { pending: nonces(pending.get(keyOf(from))), queued: nonces(queued.get(keyOf(from))) };
}
