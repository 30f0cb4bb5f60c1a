import { sign } from '../../../../src/nodes/crypto/secp256k1.ts';
import { concat, u256be, uintBe } from '../../../../src/protocol/bytes.ts';
import { type RlpItem, rlpEncode, rlpUint } from '../../../../src/protocol/codec/rlp.ts';
import {
  encodeTransaction,
  signingPayload,
  type TransactionField,
} from '../../../../src/protocol/codec/transaction.ts';
import { HISTORY_STORAGE_ADDRESS } from '../../../../src/protocol/execution/predeploys.ts';
import { keccak256Bytes } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { EvmLevel } from '../../../../src/protocol/rules/rules.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { type Alloc, CHAIN_ID, systemContracts } from '../support/genesis.ts';
import { precompileInputs } from './precompile-inputs.ts';
import { ProgramWriter } from './program.ts';
import { Random } from './random.ts';

/** Base fee in wei of every block. */
export const BASE_FEE = 1_000_000_000n;
/** Keys 1 … 4 send. Keys 6 … 9 only delegate. */
const SENDERS = [1, 2, 3, 4];
const AUTHORITIES = [6, 7, 8, 9];

const address = (value: number) => uintBe(value, 20);
/**
 * Calls the address in calldata[0..32] with the rest of the calldata, then stores and logs the result.
 * The result is the success flag and the hash of the return data.
 */
const CALLER = address(0xca11);
const CALLER_CODE = `0x${[
  '6020360380602060003760006000', // len = calldatasize - 32, memory[0..len) = calldata[32..), then 0, 0
  '82600060006000355af1', // call(gas, calldata[0..32), 0, 0, len, 0, 0)
  '6000553d600060003e', // slot 0 = success; memory = answer
  '3d6000206001553d6000a000', // slot 1 = its hash; log it
].join('')}` as Hex;
/** Returns its calldata. */
const ECHO = address(0xec40);
/** Stores the second calldata word at the first. */
const KEEPER = address(0x5702);
/** Self-destructs to its caller. */
const BOMB = address(0xdead01);
/** Expands memory beyond any gas. */
const GLUTTON = address(0x1009);

/** Number of contracts, each with its own program. */
const PROGRAMS = 12;

export interface Corpus {
  readonly level: EvmLevel;
  readonly alloc: Alloc;
  readonly transactions: readonly Uint8Array[];
}

export interface CorpusOptions {
  /** P256VERIFY is enabled before its own level, as on rollups. */
  readonly p256: boolean;
  /** An authority may be a new account. anvil treats every account as existing, so it cannot compare these. */
  readonly stranger: boolean;
  /** false: no call of the point evaluation, whose trusted setup takes seconds to load. */
  readonly pointEvaluation?: boolean;
}

/** Generates alloc and signed transactions from a seed. All of them are valid in this order. */
export function corpus(seed: number, level: EvmLevel, count: number, options: CorpusOptions): Corpus {
  const random = new Random(seed);
  const precompiles = precompileInputs(level, options.p256).filter(
    ([target]) => options.pointEvaluation !== false || target[19] !== 0x0a,
  );
  const targets = [
    ...[CALLER, ECHO, KEEPER, BOMB, GLUTTON],
    ...Array.from({ length: PROGRAMS }, (_, at) => address(0xc0de00 + at)),
    ...precompiles.map(([target]) => target),
    ...AUTHORITIES.slice(0, -1).map(addressOf),
    address(0xe0a1),
    address(0),
  ];
  const around = { level, targets };
  const alloc: Record<string, Alloc[string]> = {
    ...Object.fromEntries(
      ACCOUNTS.map((account) => [account.address.toLowerCase(), { balance: `0x${(10n ** 24n).toString(16)}` }]),
    ),
    ...Object.fromEntries(
      AUTHORITIES.slice(0, options.stranger ? -1 : undefined).map((key) => [FUNDED[key], { balance: '0x1' }]),
    ),
    // anvil enables set-code transactions from prague on, for any genesis.
    ...(setsCodeAt(level)
      ? { [HISTORY_STORAGE_ADDRESS]: { code: systemContracts()[HISTORY_STORAGE_ADDRESS]!.code! } }
      : {}),
    [bytesToHex(CALLER)]: { code: CALLER_CODE, balance: '0x100' },
    [bytesToHex(ECHO)]: { code: '0x3660006000373660006000f3' },
    [bytesToHex(KEEPER)]: { code: '0x6020356000355560003560206000a1', storage: { [slot(1)]: slot(7) } },
    [bytesToHex(BOMB)]: { code: '0x33ff', balance: '0x9' },
    [bytesToHex(GLUTTON)]: { code: '0x60001951' },
  };
  for (let at = 0; at < PROGRAMS; at++)
    alloc[bytesToHex(address(0xc0de00 + at))] = {
      code: bytesToHex(ProgramWriter.write(random, around, 20)),
      nonce: '0x1',
      balance: '0x1000',
      storage: { [slot(0)]: slot(5), [slot(2)]: slot(1) },
    };
  const nonces = new Map<number, bigint>([...SENDERS, ...AUTHORITIES].map((key) => [key, 0n]));
  const transactions: Uint8Array[] = [];
  for (let index = 0; index < count; index++) transactions.push(next(random, around, precompiles, nonces));
  return { level, alloc, transactions };
}

type Precompiles = ReturnType<typeof precompileInputs>;

function next(
  random: Random,
  around: { readonly level: EvmLevel; readonly targets: readonly Uint8Array[] },
  precompiles: Precompiles,
  nonces: Map<number, bigint>,
): Uint8Array {
  const roll = random.below(100);
  const value = BigInt(random.chance(0.7) ? 0 : random.below(1000));
  if (roll < 38) {
    const data = ProgramWriter.write(random, around, 4 + random.below(40));
    return signed(random, around.level, nonces, { to: null, value, data, gas: 100_000 + random.below(900_000) });
  }
  if (roll < 58) {
    const [target, make] = random.pick(precompiles);
    const whole = make(random);
    // Sometimes truncated, extended or corrupted.
    const spoilt = random.chance(0.15) ? whole.subarray(0, random.below(whole.length + 1)) : whole;
    const input = random.chance(0.1) ? concat(spoilt, random.bytes(random.below(64))) : spoilt;
    const complete = random.chance(0.8);
    const data = complete ? concat(new Uint8Array(12), target, input) : input;
    return signed(random, around.level, nonces, {
      to: complete ? CALLER : target,
      value: 0n,
      data,
      gas: 400_000 + random.below(400_000),
    });
  }
  if (roll < 64) {
    const zeros = random.below(1200);
    const data = concat(new Uint8Array(zeros), random.bytes(random.below(800)));
    return signed(random, around.level, nonces, {
      to: address(0xe0a1),
      value,
      data,
      gas: 21_000 + data.length * 40 + random.below(20_000),
    });
  }
  const data = random.chance(0.3)
    ? concat(u256be(random.below(4)), u256be(random.below(3)))
    : random.bytes(random.below(96));
  return signed(random, around.level, nonces, {
    to: random.pick(around.targets),
    value,
    data,
    gas: 90_000 + random.below(500_000),
  });
}

interface Call {
  readonly to: Uint8Array | null;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly gas: number;
}

function signed(random: Random, level: EvmLevel, nonces: Map<number, bigint>, call: Call): Uint8Array {
  const key = random.pick(SENDERS);
  const nonce = nonces.get(key)!;
  nonces.set(key, nonce + 1n);
  const setsCode = setsCodeAt(level) && call.to !== null && random.chance(0.15);
  const type = setsCode ? 4 : random.pick([0, 1, 2] as const);
  const tip = BigInt(random.pick([0, 1, 1_000_000]));
  const fields: Partial<Record<TransactionField, RlpItem>> = {
    chainId: rlpUint(CHAIN_ID),
    nonce: rlpUint(nonce),
    gasPrice: rlpUint(BASE_FEE + tip),
    maxFeePerGas: rlpUint(BASE_FEE * 2n),
    maxPriorityFeePerGas: rlpUint(tip),
    // Gas above the call's own, so that the transaction is always valid.
    gas: rlpUint(call.gas + 60_000 + call.data.length * 40 + (setsCode ? 75_000 : 0)),
    to: call.to ?? new Uint8Array(0),
    value: rlpUint(call.value),
    data: call.data,
    accessList: random.chance(0.4) ? [[random.pick([KEEPER, CALLER, BOMB]), [u256be(0), u256be(random.below(3))]]] : [],
    ...(setsCode ? { authorizationList: authorizations(random, nonces) } : {}),
    v: rlpUint(type === 0 ? (random.chance(0.2) ? 27 : CHAIN_ID * 2 + 35) : 0),
  };
  const { signature, recovery } = sign(keccak256Bytes(signingPayload({ type, fields })), u256be(key));
  const base = type === 0 ? BigInt(`0x${Buffer.from(fields.v as Uint8Array).toString('hex')}`) : 0n;
  return encodeTransaction({
    type,
    fields: {
      ...fields,
      v: rlpUint(base + BigInt(recovery)),
      r: stripped(signature.subarray(0, 32)),
      s: stripped(signature.subarray(32)),
    },
  });
}

const setsCodeAt = (level: EvmLevel) => level === 'prague' || level === 'osaka';

/** One or two authorizations, some with a wrong nonce, chain id or signature. */
function authorizations(random: Random, nonces: Map<number, bigint>): RlpItem[] {
  return Array.from({ length: 1 + random.below(2) }, () => {
    const key = random.pick(AUTHORITIES);
    const chain = rlpUint(random.pick([0, CHAIN_ID, CHAIN_ID, CHAIN_ID, 7]));
    const target = random.pick([address(0xc0de00 + random.below(PROGRAMS)), ECHO, KEEPER, address(0)]);
    const nonce = rlpUint(nonces.get(key)! + BigInt(random.chance(0.15) ? 1 : 0));
    nonces.set(key, nonces.get(key)! + 1n);
    const { signature, recovery } = sign(
      keccak256Bytes(concat(Uint8Array.of(5), rlpEncode([chain, target, nonce]))),
      u256be(key),
    );
    const parity = rlpUint(random.chance(0.05) ? 5 : recovery);
    return [chain, target, nonce, parity, stripped(signature.subarray(0, 32)), stripped(signature.subarray(32))];
  });
}

function addressOf(key: number): Uint8Array {
  return hexToBytes(FUNDED[key]!);
}

const FUNDED: Readonly<Record<number, Hex>> = {
  6: '0xe57bfe9f44b819898f47bf37e5af72a0783e1141',
  7: '0xd41c057fd1c78805aac12b0a94a405c0461a6fbb',
  8: '0xf1f6619b38a98d6de0800f1defc0a6399eb6d30c',
  9: '0xf7edc8fa1ecc32967f827c9043fcae6ba73afa5c',
};

const slot = (value: number): Hex => bytesToHex(u256be(value));

function stripped(bytes: Uint8Array): Uint8Array {
  const from = bytes.findIndex((byte) => byte !== 0);
  return from < 0 ? new Uint8Array(0) : bytes.subarray(from);
}
