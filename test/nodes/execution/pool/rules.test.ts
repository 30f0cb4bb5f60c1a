import { describe, expect, test } from 'vitest';
import type { HeadState } from '../../../../src/nodes/execution/pool/head-state.ts';
import { PoolError } from '../../../../src/nodes/execution/pool/pool-error.ts';
import type { PoolSettings } from '../../../../src/nodes/execution/pool/settings.ts';
import {
  type Authorization,
  authorityOf,
  type SignedTransaction,
} from '../../../../src/nodes/execution/transaction/transaction.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { ETHER, GWEI, headOf, keyOf, poolOf, sender, transfer } from '../support/pool.ts';

const DELEGATION = Uint8Array.of(0xef, 1, 0, ...sender(9));
const FUNDS = 'insufficient funds for gas * price + value';
const signed = await ACCOUNTS[0]!.signAuthorization({ chainId: 0, contractAddress: bytesToHex(sender(9)), nonce: 0 });
const AUTHORIZATION: Authorization = {
  chainId: 0n,
  address: sender(9),
  nonce: 0n,
  yParity: BigInt(signed.yParity!),
  r: BigInt(signed.r),
  s: BigInt(signed.s),
};
/** Gas at 10 gwei, and the other fees. */
const COST = 21_000n * 10n * GWEI + 1000n;

interface Case {
  readonly send: SignedTransaction;
  /** Pooled transactions before. */
  readonly before?: readonly SignedTransaction[];
  readonly view?: HeadState;
  readonly settings?: Partial<PoolSettings>;
  /** Message. undefined: accepted. */
  readonly go: string | undefined;
  /** Code and message. undefined: accepted. */
  readonly rust: readonly [number, string] | undefined;
}

const one = transfer(1, 0);
const delegated = { view: headOf({ 1: { code: DELEGATION } }) };

const CASES: Readonly<Record<string, Case>> = {
  'a transfer': { send: transfer(1, 0), go: undefined, rust: undefined },
  'the same again': { before: [one], send: one, go: 'already known', rust: [-32000, 'already known'] },
  'a nonce that has passed': {
    view: headOf({ 1: { nonce: 3 } }),
    send: transfer(1, 2),
    go: 'nonce too low: next nonce 3, tx nonce 2',
    rust: [-32000, 'nonce too low: next nonce 3, tx nonce 2'],
  },
  'a nonce far ahead': { send: transfer(1, 50), go: undefined, rust: undefined },
  'the largest nonce': {
    send: transfer(1, 2n ** 64n - 1n),
    go: 'nonce has max value',
    rust: [-32003, 'nonce has max value'],
  },
  'more bytes than 128 KiB': {
    send: transfer(1, 0, { bytes: 131_073 }),
    go: 'oversized data: transaction size 131073, limit 131072',
    rust: [-32000, 'oversized data: transaction size 131073, limit 131072'],
  },
  '128 KiB': { send: transfer(1, 0, { bytes: 131_072 }), go: undefined, rust: undefined },
  'less gas than a transfer costs': {
    send: transfer(1, 0, { gasLimit: 20_999n }),
    go: 'intrinsic gas too low: gas 20999, minimum needed 21000',
    rust: [-32000, 'intrinsic gas too low'],
  },
  'less gas than the floor of its calldata (EIP-7623)': {
    send: transfer(1, 0, { gasLimit: 37_000n, data: new Uint8Array(1000).fill(1) }),
    go: 'insufficient gas for floor data gas cost: gas 37000, minimum needed 61000',
    rust: [-32000, 'intrinsic gas too low'],
  },
  'the same when calldata has no floor yet': {
    view: headOf({}, { fork: 'holocene' }),
    send: transfer(1, 0, { gasLimit: 37_000n, data: new Uint8Array(1000).fill(1) }),
    go: undefined,
    rust: undefined,
  },
  'init code over 48 KiB (EIP-3860)': {
    send: transfer(1, 0, { to: null, gasLimit: 20_000_000n, data: new Uint8Array(49_153) }),
    go: 'max initcode size exceeded: code size 49153, limit 49152',
    rust: [-32000, 'max initcode size exceeded'],
  },
  'as much calldata to an account': {
    send: transfer(1, 0, { gasLimit: 20_000_000n, data: new Uint8Array(49_153) }),
    go: undefined,
    rust: undefined,
  },
  'more gas than a block has beside the L1 attributes': {
    send: transfer(1, 0, { gasLimit: 29_930_001n }),
    go: 'exceeds block gas limit',
    rust: [-32000, 'exceeds block gas limit'],
  },
  'all gas that a block has beside the L1 attributes': {
    send: transfer(1, 0, { gasLimit: 29_930_000n }),
    go: undefined,
    rust: undefined,
  },
  'more gas than a transaction may have at karst (EIP-7825)': {
    view: headOf({}, { fork: 'karst' }),
    send: transfer(1, 0, { gasLimit: 16_777_217n }),
    go: 'transaction gas limit too high (cap: 16777216, tx: 16777217)',
    rust: [-32003, 'gas limit too high'],
  },
  'as much as it may have at karst': {
    view: headOf({}, { fork: 'karst' }),
    send: transfer(1, 0, { gasLimit: 16_777_216n }),
    go: undefined,
    rust: undefined,
  },
  'more gas than the option allows': {
    settings: { maxGas: 100_000n },
    send: transfer(1, 0, { gasLimit: 100_001n }),
    go: 'exceeds maximum per-transaction gas limit: transaction gas 100001, limit 100000',
    rust: [-32000, 'exceeds max transaction gas limit'],
  },
  'a tip over the fee cap': {
    send: transfer(1, 0, { maxFeePerGas: 5n * GWEI, maxPriorityFeePerGas: 6n * GWEI }),
    go: 'max priority fee per gas higher than max fee per gas',
    rust: [-32003, 'max priority fee per gas higher than max fee per gas'],
  },
  'no tip': {
    send: transfer(1, 0, { maxPriorityFeePerGas: 0n }),
    go: 'transaction gas price below minimum: gas tip cap 0, minimum needed 1',
    rust: undefined,
  },
  'a tip below the option, without privileges': {
    settings: { minTip: 5n, noLocals: true },
    send: transfer(1, 0, { maxPriorityFeePerGas: 4n }),
    go: 'transaction gas price below minimum: gas tip cap 4, minimum needed 5',
    rust: [-32003, 'transaction priority fee below minimum required priority fee 5'],
  },
  'a fee cap below what any base fee can be': {
    send: transfer(1, 0, { maxFeePerGas: 6n, maxPriorityFeePerGas: 1n }),
    go: undefined,
    rust: [-32000, 'transaction underpriced'],
  },
  'another chain': {
    send: transfer(1, 0, { chainId: 1n }),
    go: 'invalid sender: invalid chain id for signer: have 1 want 901',
    rust: [-32000, 'invalid chain ID'],
  },
  'no replay protection': {
    send: transfer(1, 0, { type: 0, chainId: undefined }),
    go: 'only replay-protected (EIP-155) transactions allowed over RPC',
    rust: undefined,
  },
  'no replay protection, allowed by the option': {
    settings: { allowUnprotected: true },
    send: transfer(1, 0, { type: 0, chainId: undefined }),
    go: undefined,
    rust: undefined,
  },
  'a fee over the option': {
    send: transfer(1, 0, { gasLimit: 21_000_000n, maxFeePerGas: 50n * GWEI }),
    go: 'tx fee (1.05 ether) exceeds the configured cap (1.00 ether)',
    rust: [-32000, 'tx fee (1050000000000000000 wei) exceeds the configured cap (1000000000000000000 wei)'],
  },
  'a fee over the option, which is off': {
    settings: { feeCap: 0n },
    send: transfer(1, 0, { gasLimit: 21_000_000n, maxFeePerGas: 50n * GWEI }),
    go: undefined,
    rust: undefined,
  },
  'more than the balance, the L1 and operator fees included': {
    view: headOf({ 1: { balance: COST - 1n } }),
    send: transfer(1, 0),
    go: `${FUNDS}: balance ${COST - 1n}, tx cost ${COST}, overshot 1`,
    rust: [-32003, `${FUNDS}: have ${COST - 1n} want ${COST}`],
  },
  'all of the balance': {
    view: headOf({ 1: { balance: COST } }),
    send: transfer(1, 0),
    go: undefined,
    rust: undefined,
  },
  'more than the balance minus earlier transactions (queued when the client parks overdrafts)': {
    view: headOf({ 1: { balance: 2n * COST - 1n } }),
    before: [transfer(1, 0)],
    send: transfer(1, 1),
    go: `${FUNDS}: balance ${2n * COST - 1n}, queued cost ${COST}, tx cost ${COST}, overshot 1`,
    rust: undefined,
  },
  'a raise that the balance does not cover': {
    view: headOf({ 1: { balance: 2n * COST } }),
    before: [transfer(1, 0), transfer(1, 1)],
    send: transfer(1, 0, { maxFeePerGas: 11n * GWEI, maxPriorityFeePerGas: 2n * GWEI }),
    go:
      `${FUNDS}: balance ${2n * COST}, queued cost ${2n * COST}, ` +
      `tx bumped ${21_000n * GWEI}, overshot ${21_000n * GWEI}`,
    rust: undefined,
  },
  'a contract as sender (EIP-3607)': {
    view: headOf({ 1: { code: Uint8Array.of(0x60, 0) } }),
    send: transfer(1, 0),
    go: `sender not an eoa: address ${keyOf(1)}, len(code): 2`,
    rust: [-32003, 'sender is not an EOA'],
  },
  'a delegated account as sender (EIP-7702)': { ...delegated, send: transfer(1, 0), go: undefined, rust: undefined },
  'a delegated account before there is delegation': {
    view: headOf({ 1: { code: DELEGATION } }, { fork: 'holocene' }),
    send: transfer(1, 0),
    go: `sender not an eoa: address ${keyOf(1)}, len(code): 23`,
    rust: [-32003, 'sender is not an EOA'],
  },
  'a gap before a delegated account’s': {
    ...delegated,
    send: transfer(1, 1),
    go: 'gapped-nonce tx from delegated accounts',
    rust: [-32000, 'gapped-nonce tx from delegated accounts'],
  },
  'a second of a delegated account': {
    ...delegated,
    before: [transfer(1, 0)],
    send: transfer(1, 1),
    go: 'in-flight transaction limit reached for delegated accounts',
    rust: [-32000, 'in-flight transaction limit reached for delegated accounts'],
  },
  'a replacement of a delegated account’s': {
    ...delegated,
    before: [transfer(1, 0)],
    send: transfer(1, 0, { maxFeePerGas: 11n * GWEI, maxPriorityFeePerGas: 2n * GWEI }),
    go: undefined,
    rust: undefined,
  },
  'type 4 before its fork': {
    view: headOf({}, { fork: 'holocene' }),
    send: transfer(1, 0, { type: 4, gasLimit: 100_000n, authorizationList: [AUTHORIZATION] }),
    go: 'transaction type not supported: type 4 rejected, pool not yet in Prague',
    rust: [-32003, 'transaction type not supported'],
  },
  'type 4 without an authorization': {
    send: transfer(1, 0, { type: 4 }),
    go: 'set code tx must have at least one authorization tuple',
    rust: [-32000, 'no items in authorization list for EIP7702 transaction'],
  },
  'a replacement of the same price': {
    before: [transfer(1, 0)],
    send: transfer(1, 0),
    go: 'replacement transaction underpriced',
    rust: [-32000, 'replacement transaction underpriced'],
  },
  'a replacement with a fee cap of a tenth more alone': {
    before: [transfer(1, 0)],
    send: transfer(1, 0, { maxFeePerGas: 11n * GWEI }),
    go: 'replacement transaction underpriced',
    rust: [-32000, 'replacement transaction underpriced'],
  },
  'a replacement of a tenth more, less one wei of tip': {
    before: [transfer(1, 0)],
    send: transfer(1, 0, { maxFeePerGas: 11n * GWEI, maxPriorityFeePerGas: (11n * GWEI) / 10n - 1n }),
    go: 'replacement transaction underpriced',
    rust: [-32000, 'replacement transaction underpriced'],
  },
  'a replacement of a tenth more': {
    before: [transfer(1, 0)],
    send: transfer(1, 0, { maxFeePerGas: 11n * GWEI, maxPriorityFeePerGas: (11n * GWEI) / 10n }),
    go: undefined,
    rust: undefined,
  },
  'a replacement of a tenth more, rounded down': {
    before: [transfer(1, 0, { maxFeePerGas: 2_000_000_005n, maxPriorityFeePerGas: 15n })],
    send: transfer(1, 0, { maxFeePerGas: 2_200_000_005n, maxPriorityFeePerGas: 16n }),
    go: undefined,
    rust: [-32000, 'replacement transaction underpriced'],
  },
  'a replacement of one that has no tip': {
    before: [transfer(1, 0, { maxPriorityFeePerGas: 0n })],
    settings: { minTip: 0n },
    send: transfer(1, 0, { maxFeePerGas: 11n * GWEI, maxPriorityFeePerGas: 0n }),
    go: 'replacement transaction underpriced',
    rust: undefined,
  },
  'a replacement with the percentage of the option': {
    before: [transfer(1, 0)],
    settings: { priceBump: 50 },
    send: transfer(1, 0, { maxFeePerGas: 14n * GWEI, maxPriorityFeePerGas: 2n * GWEI }),
    go: 'replacement transaction underpriced',
    rust: [-32000, 'replacement transaction underpriced'],
  },
  'a replacement behind a gap': {
    before: [transfer(1, 5)],
    send: transfer(1, 5),
    go: 'replacement transaction underpriced',
    rust: [-32000, 'replacement transaction underpriced'],
  },
};

/** Returns the error of the pool, or undefined if it accepts the transaction. */
function answer(
  flavour: 'go' | 'rust',
  { before = [], send, view, settings }: Case,
): readonly [number, string] | undefined {
  const { pool } = poolOf(flavour, {
    ...(view === undefined ? {} : { view }),
    ...(settings === undefined ? {} : { settings }),
  });
  for (const transaction of before) pool.add(transaction);
  const size = pool.size;
  try {
    pool.checkSubmission(send);
    pool.add(send);
  } catch (error) {
    if (!(error instanceof PoolError)) throw error;
    const { code, message } = pool.behaviour.rpcError(error.problem);
    expect(pool.size).toBe(size);
    return [code, message];
  }
  expect(pool.get(send.hash)).toBe(send);
  return undefined;
}

describe.each(Object.entries(CASES))('%s', (_, example) => {
  test('go', () => {
    expect(answer('go', example)).toEqual(example.go === undefined ? undefined : [-32000, example.go]);
  });
  test('rust', () => {
    expect(answer('rust', example)).toEqual(example.rust);
  });
});

describe.each(['go', 'rust'] as const)('EIP-7702 authorities, %s', (flavour) => {
  const authority = bytesToHex(authorityOf(AUTHORIZATION)!);
  const setCode = (from: number) =>
    transfer(from, 0, { type: 4, gasLimit: 100_000n, authorizationList: [AUTHORIZATION, AUTHORIZATION] });
  const ofAuthority = (nonce: number) => ({ ...transfer(1, nonce), sender: authorityOf(AUTHORIZATION)! });

  test('an account that has two in the pool cannot be delegated by another’s transaction', () => {
    const { pool } = poolOf(flavour);
    pool.add(ofAuthority(0));
    pool.add(ofAuthority(1));
    expect(() => pool.add(setCode(2))).toThrow('authority already reserved');
  });

  test('an account that has one in the pool can be delegated', () => {
    const { pool } = poolOf(flavour);
    pool.add(ofAuthority(0));
    pool.add(setCode(2));
    expect(pool.size).toBe(2);
  });

  test('an account with a pending delegation has one transaction until the delegation leaves the pool', () => {
    const { pool } = poolOf(flavour);
    const delegating = setCode(2);
    pool.add(delegating);
    pool.add(ofAuthority(0));
    expect(() => pool.add(ofAuthority(1))).toThrow('in-flight transaction limit reached for delegated accounts');
    pool.drop(delegating);
    pool.add(ofAuthority(1));
    expect(pool.content(authority).pending.get(authority)).toHaveLength(2);
  });

  test('a transaction of a delegated account behind a nonce gap is refused', () => {
    const { pool } = poolOf(flavour);
    pool.add(setCode(2));
    expect(() => pool.add(ofAuthority(1))).toThrow('gapped-nonce tx from delegated accounts');
  });
});

test('the balance must cover value, gas at the fee cap, L1 fee and operator fee', () => {
  const balance = COST + ETHER;
  const { pool } = poolOf('go', { view: headOf({ 1: { balance } }) });
  expect(() => pool.add(transfer(1, 0, { value: ETHER + 1n }))).toThrow('overshot 1');
  pool.add(transfer(1, 0, { value: ETHER }));
});
