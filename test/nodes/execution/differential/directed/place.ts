import { publicKeyOf, sign } from '../../../../../src/nodes/crypto/secp256k1.ts';
import { concat, u256be, uintBe } from '../../../../../src/protocol/bytes.ts';
import { type RlpItem, rlpEncode, rlpUint } from '../../../../../src/protocol/codec/rlp.ts';
import {
  encodeTransaction,
  signingPayload,
  type TransactionField,
} from '../../../../../src/protocol/codec/transaction.ts';
import { keccak256Bytes } from '../../../../../src/protocol/hash.ts';
import { bytesToHex } from '../../../../../src/protocol/hex.ts';
import { type Alloc, CHAIN_ID } from '../../support/genesis.ts';
import { syntheticBlock } from '../block.ts';
import { BASE_FEE } from '../transactions.ts';
import { Assembler, type Surroundings } from './assembler.ts';
import type { Authorization, Contract, Program, Who } from './program.ts';

/** Gas of a transaction, unless its program states another. */
const GAS = 5_000_000;
const CONTRACTS: readonly Contract[] = ['A', 'B', 'C'];
const KEYS = { S: 1, D: 2, F: 3 } as const;
const INDICES: Readonly<Record<string, number>> = { A: 0xa, B: 0xb, C: 0xc, E: 0xe, X: 0xf };

/** A program with its accounts and its signed transactions, at a place of a block. */
export interface Placed {
  readonly program: Program;
  readonly alloc: Alloc;
  readonly transactions: readonly Uint8Array[];
}

/** Places a program. Programs at different places share no account but the coinbase. */
export function place(program: Program, at: number): Placed {
  const around = surroundings(program, at);
  const address = (who: Who) => bytesToHex(around.address(who));
  const storage = { [bytesToHex(u256be(0))]: bytesToHex(u256be(5)), [bytesToHex(u256be(1))]: bytesToHex(u256be(6)) };
  const alloc: Alloc = {
    [address('S')]: { balance: `0x${(10n ** 20n).toString(16)}` },
    [address('E')]: { balance: '0x9' },
    // An authority that has no account yet refunds nothing, so one of the two has.
    [address('D')]: { balance: '0x7', ...delegationOf(program, 'D', around) },
    [bytesToHex(around.address('coinbase'))]: { balance: '0x1' },
  };
  if (program.delegated?.F !== undefined) alloc[address('F')] = delegationOf(program, 'F', around);
  for (const name of CONTRACTS) {
    const frames = program.contracts[name];
    const code = frames.length > 0 ? Assembler.contract(frames, around) : Uint8Array.of(0);
    alloc[address(name)] = { balance: '0x3e8', nonce: '0x1', code: bytesToHex(code), storage };
  }
  const nonces = program.isRepeated ? [0, 1] : [0];
  return { program, alloc, transactions: nonces.map((nonce) => signedBy(program, at, around, nonce)) };
}

function delegationOf(program: Program, by: 'D' | 'F', around: Surroundings): Alloc[string] {
  const to = program.delegated?.[by];
  return to === undefined ? {} : { code: `0xef0100${Buffer.from(around.address(to)).toString('hex')}`, nonce: '0x1' };
}

function surroundings(program: Program, at: number): Surroundings {
  const around: Surroundings = {
    address(who) {
      if (who === 'zero') return new Uint8Array(20);
      if (who === 'coinbase') return Buffer.from(syntheticBlock(0).coinbase.slice(2), 'hex');
      if (typeof who === 'number') return uintBe(who, 20);
      if (who === 'S' || who === 'D' || who === 'F') return accountOf(keyOf(who, at));
      return uintBe(0xd1_0000_0000n + BigInt(at * 16 + INDICES[who]!), 20);
    },
    init: (index) => Assembler.init(program.inits[index]!, around),
  };
  return around;
}

const keyOf = (who: keyof typeof KEYS, at: number) => 0x1000 + at * 4 + KEYS[who];
const accounts = new Map<number, Uint8Array>();

function accountOf(key: number): Uint8Array {
  let account = accounts.get(key);
  if (account === undefined) {
    account = keccak256Bytes(publicKeyOf(u256be(key))).subarray(12);
    accounts.set(key, account);
  }
  return account;
}

function signedBy(program: Program, at: number, around: Surroundings, nonce: number): Uint8Array {
  const { to, frame = 0, value = 0n, gas = GAS, accessList = [], authorizations } = program;
  const type = authorizations !== undefined ? 4 : 2;
  const isCreation = typeof to === 'object';
  const fields: Partial<Record<TransactionField, RlpItem>> = {
    chainId: rlpUint(CHAIN_ID),
    nonce: rlpUint(nonce),
    maxFeePerGas: rlpUint(BASE_FEE * 2n),
    maxPriorityFeePerGas: rlpUint(1),
    gas: rlpUint(gas),
    to: isCreation ? new Uint8Array(0) : around.address(to),
    value: rlpUint(value),
    data: isCreation ? around.init(to.init) : u256be(frame),
    accessList: accessList.map(({ of, slots }) => [around.address(of), slots.map(u256be)]),
    ...(authorizations ? { authorizationList: authorizations.map((one) => authorized(one, program, at, around)) } : {}),
  };
  const { signature, recovery } = sign(keccak256Bytes(signingPayload({ type, fields })), u256be(keyOf('S', at)));
  const [r, s] = [stripped(signature.subarray(0, 32)), stripped(signature.subarray(32))];
  return encodeTransaction({ type, fields: { ...fields, v: rlpUint(recovery), r, s } });
}

function authorized(
  { by, to, ahead = 0, chainId, isBroken }: Authorization,
  ...where: [Program, number, Surroundings]
) {
  const [program, at, around] = where;
  // The nonce of the sender is raised before the authorizations are read.
  const nonce = by === 'S' || program.delegated?.[by] !== undefined ? 1 : 0;
  const list = [rlpUint(chainId ?? CHAIN_ID), around.address(to), rlpUint(nonce + ahead)];
  const { signature, recovery } = sign(
    keccak256Bytes(concat(Uint8Array.of(5), rlpEncode(list))),
    u256be(keyOf(by, at)),
  );
  const [r, s] = [stripped(signature.subarray(0, 32)), stripped(signature.subarray(32))];
  return [...list, rlpUint(isBroken ? 5 : recovery), r, s];
}

function stripped(bytes: Uint8Array): Uint8Array {
  const from = bytes.findIndex((byte) => byte !== 0);
  return from < 0 ? new Uint8Array(0) : bytes.subarray(from);
}
