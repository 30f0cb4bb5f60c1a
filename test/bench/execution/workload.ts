import { sign } from '../../../src/nodes/crypto/secp256k1.ts';
import { concat, u256be, uintBe } from '../../../src/protocol/bytes.ts';
import { type RlpItem, rlpUint } from '../../../src/protocol/codec/rlp.ts';
import { encodeTransaction, signingPayload, type TransactionField } from '../../../src/protocol/codec/transaction.ts';
import { keccak256Bytes } from '../../../src/protocol/hash.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { ACCOUNTS } from '../../nodes/execution/support/accounts.ts';
import { type Alloc, CHAIN_ID } from '../../nodes/execution/support/genesis.ts';

const at = (value: number): Uint8Array => uintBe(value, 20);

/** Multiplies and adds in a loop until the gas in calldata's first word is left. */
export const ARITHMETIC = at(0xa417);
/** Hashes 64 bytes of memory in a loop, to the same limit. */
export const HASHING = at(0xa5a5);
/** Moves calldata[32..64) from the caller's balance to calldata[0..32)'s, and logs it, as a token does. */
export const TOKEN = at(0x70ce);

/** Pays 1 wei each to calldata[32..64) addresses from calldata[0..32) on. */
export const PAYER = at(0x9a7e);
/** Sets calldata[32..64) slots from calldata[0..32) on, and logs each as a topic. */
export const WRITER = at(0x317e);

export const CONTRACTS: Alloc = {
  // loop: jumpdest, x = x * 3 + 7, if gas > limit jump
  [bytesToHex(ARITHMETIC)]: { code: '0x60015b6003026007016000355a116002575000' },
  // n = count, loop: jumpdest, n = n - 1, call{value: 1}(first + n), if n jump
  [bytesToHex(PAYER)]: { code: '0x6020355b600190036000600060006000600185600035016000f1508060035700' },
  // n = count, loop: jumpdest, n = n - 1, storage[first + n] = 1, log1(first + n), if n jump
  [bytesToHex(WRITER)]: { code: '0x6020355b6001900380600035016001815560006000a18060035700' },
  [bytesToHex(HASHING)]: { code: '0x60005b5060406000206000355a116002575000' },
  [bytesToHex(TOKEN)]: {
    code: `0x${[
      '602035', // amount
      '803354033355', // balance[caller] -= amount
      '80600035540160003555', // balance[to] += amount
      '600052', // memory = amount
      '6000353360206000a2', // log2(caller, to)
      '00',
    ].join('')}`,
  },
};

/** Returns a funded alloc with the contracts. Every account holds tokens. */
export function workloadAlloc(): Alloc {
  const funded = Object.fromEntries(
    ACCOUNTS.map(({ address }) => [address, { balance: `0x${(10n ** 24n).toString(16)}` }]),
  );
  const holdings = Object.fromEntries(
    ACCOUNTS.map(({ address }) => [
      `0x${address.slice(2).toLowerCase().padStart(64, '0')}`,
      bytesToHex(u256be(10n ** 18n)),
    ]),
  );
  return { ...CONTRACTS, ...funded, [bytesToHex(TOKEN)]: { ...CONTRACTS[bytesToHex(TOKEN)], storage: holdings } };
}

/** Signs transactions of the funded accounts in turn, with correct nonces. */
export class Sender {
  readonly #nonces = ACCOUNTS.map(() => 0n);
  #turn = 0;

  call(to: Uint8Array, data: Uint8Array, gas: number, value = 0n): Uint8Array {
    const who = this.#turn++ % ACCOUNTS.length;
    const fields: Partial<Record<TransactionField, RlpItem>> = {
      chainId: rlpUint(CHAIN_ID),
      nonce: rlpUint(this.#nonces[who]!++),
      maxPriorityFeePerGas: rlpUint(1_000_000),
      maxFeePerGas: rlpUint(100_000_000_000),
      gas: rlpUint(gas),
      to,
      value: rlpUint(value),
      data,
      accessList: [],
    };
    const { signature, recovery } = sign(keccak256Bytes(signingPayload({ type: 2, fields })), u256be(who + 1));
    const bare = (part: Uint8Array) =>
      part.subarray(
        Math.max(
          0,
          part.findIndex((byte) => byte !== 0),
        ),
      );
    return encodeTransaction({
      type: 2,
      fields: { ...fields, v: rlpUint(recovery), r: bare(signature.subarray(0, 32)), s: bare(signature.subarray(32)) },
    });
  }

  /** A transfer to an account of its own number. */
  transfer(to: number): Uint8Array {
    return this.call(at(0x1000000 + to), new Uint8Array(0), 21_000, 1n);
  }

  /** A token transfer to a holder of its own number. */
  token(to: number): Uint8Array {
    return this.call(TOKEN, concat(u256be(0x2000000 + to), u256be(1)), 80_000);
  }

  /** Makes `count` accounts of 1 wei, numbered from `first` on. */
  accounts(first: number, count: number): Uint8Array {
    return this.call(PAYER, concat(u256be(0x1000000 + first), u256be(count)), 50_000 + 40_000 * count, BigInt(count));
  }

  /** Sets `count` slots, numbered from `first` on, each with a log. */
  slots(first: number, count: number): Uint8Array {
    return this.call(WRITER, concat(u256be(first), u256be(count)), 50_000 + 30_000 * count);
  }

  /** `gas` of a loop. */
  loop(contract: Uint8Array, gas: number): Uint8Array {
    return this.call(contract, u256be(2000), gas);
  }
}

export const hex = (raw: Uint8Array): Hex => bytesToHex(raw);
