import { beforeAll, describe, expect, it } from 'vitest';
import { applyTransaction, resultOf, settleGas } from '../../../../src/nodes/execution/block/transition.ts';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import type { SignedTransaction } from '../../../../src/nodes/execution/transaction/transaction.ts';
import { FEE_RECIPIENTS } from '../../../../src/protocol/execution/predeploys.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import type { Alloc } from '../support/genesis.ts';
import { stateOf } from '../support/memory-state.ts';
import { type EthereumFork, openBlock, openEthereumBlock } from '../support/open-block.ts';
import { keyOf, sender, transfer } from '../support/pool.ts';

beforeAll(prepareCrypto);

const SENDER = keyOf(1);
const DELEGATION = `0xef0100${keyOf(9).slice(2)}`;
const MAX_NONCE = 2n ** 64n - 1n;
const hash = (version: number) => new Uint8Array(32).fill(version);
const blobs = (count: number, maxFeePerBlobGas = 1n) => ({
  type: 3 as const,
  blobVersionedHashes: Array.from({ length: count }, () => hash(1)),
  maxFeePerBlobGas,
});

interface Case {
  readonly fork?: EthereumFork;
  readonly account?: Alloc[string];
  readonly nonce?: bigint;
  readonly fields?: Partial<SignedTransaction>;
  readonly gasLeft?: bigint;
  /** undefined: it runs. */
  readonly error?: string;
}

/** The base fee and the blob base fee are 1 wei, the nonce of the sender 3. */
const CASES: Readonly<Record<string, Case>> = {
  'the nonce of its sender': {},
  'a nonce below': { nonce: 2n, error: `nonce too low: address ${SENDER}, tx: 2 state: 3` },
  'a nonce above': { nonce: 4n, error: `nonce too high: address ${SENDER}, tx: 4 state: 3` },
  'the nonce before the last': { account: { nonce: '0xfffffffffffffffe' }, nonce: MAX_NONCE - 1n },
  'the last nonce': { account: { nonce: '0xffffffffffffffff' }, nonce: MAX_NONCE, error: 'nonce has max value' },
  'a contract as sender': { account: { code: '0x6001' }, error: `sender not an eoa: address ${SENDER}` },
  'a delegated sender': { account: { code: DELEGATION } },
  'a delegated sender before there is delegation': {
    fork: 'cancun',
    account: { code: DELEGATION },
    error: 'sender not an eoa',
  },
  'a tip that is the fee cap': { fields: { maxFeePerGas: 5n, maxPriorityFeePerGas: 5n } },
  'a tip above the fee cap': {
    fields: { maxFeePerGas: 5n, maxPriorityFeePerGas: 6n },
    error: 'max priority fee per gas higher than max fee per gas',
  },
  'a fee cap that is the base fee': { fields: { maxFeePerGas: 1n, maxPriorityFeePerGas: 0n } },
  'a fee cap below the base fee': {
    fields: { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
    error: `max fee per gas less than block base fee: address ${SENDER}, maxFeePerGas: 0, baseFee: 1`,
  },
  'no authorization': { fields: { type: 4 }, error: 'EIP-7702 transaction with empty auth list' },
  'a delegation before its fork': { fork: 'cancun', fields: { type: 4 }, error: 'transaction type not supported' },
  'no chain id': { fields: { type: 0, chainId: undefined } },
  'the chain id of another': {
    fields: { chainId: 902n },
    error: 'invalid chain id for signer: have 902 want 901',
  },
  'the gas of the cap': { fork: 'osaka', fields: { gasLimit: 16_777_216n }, gasLeft: 20_000_000n },
  'gas above the cap': {
    fork: 'osaka',
    fields: { gasLimit: 16_777_217n },
    gasLeft: 20_000_000n,
    error: 'transaction gas limit too high: cap 16777216, tx 16777217',
  },
  'as much before there is a cap': { fields: { gasLimit: 16_777_217n }, gasLeft: 20_000_000n },
  'all gas of the block': { gasLeft: 21_000n },
  'more gas than the block has': { gasLeft: 20_999n, error: 'gas limit reached: have 20999, want 21000' },
  'blobs before their fork': { fork: 'shanghai', fields: blobs(1), error: 'transaction type not supported' },
  'as many blobs as one may have': { fork: 'osaka', fields: blobs(6) },
  'a blob more': { fork: 'osaka', fields: blobs(7), error: 'too many blobs: have 7, at most 6' },
  'no blob': { fields: blobs(0), error: 'blob transaction without or with malformed blob hashes' },
  'no list of blobs': { fields: { type: 3 }, error: 'blob transaction without or with malformed blob hashes' },
  'a blob hash of another version': {
    fields: { ...blobs(1), blobVersionedHashes: [hash(1), hash(2)] },
    error: 'blob transaction without or with malformed blob hashes',
  },
  'a blob fee below the price': {
    fields: blobs(1, 0n),
    error: 'max fee per blob gas less than block blob gas fee: have 0, want 1',
  },
  'no blob fee': {
    fields: { type: 3, blobVersionedHashes: [hash(1)] },
    error: 'max fee per blob gas less than block blob gas fee: have 0, want 1',
  },
  'all of the balance': { account: { balance: '0x5208' }, fields: { maxFeePerGas: 1n, maxPriorityFeePerGas: 0n } },
  'a wei more than the balance': {
    account: { balance: '0x5208' },
    fields: { maxFeePerGas: 1n, maxPriorityFeePerGas: 0n, value: 1n },
    error: `insufficient funds for gas * price + value: address ${SENDER} have 21000 want 21001`,
  },
  'less balance than its fee cap': {
    account: { balance: '0x5208' },
    fields: { maxFeePerGas: 2n, maxPriorityFeePerGas: 0n },
    error: 'have 21000 want 42000',
  },
  'balance for its blobs at their fee cap': {
    account: { balance: '0x85208' },
    fields: { ...blobs(2, 2n), maxFeePerGas: 1n, maxPriorityFeePerGas: 0n },
  },
  'a wei less than its blobs cost at their fee cap': {
    account: { balance: '0x85207' },
    fields: { ...blobs(2, 2n), maxFeePerGas: 1n, maxPriorityFeePerGas: 0n },
    error: 'have 545287 want 545288',
  },
  'less gas than a transfer': { fields: { gasLimit: 20_999n }, error: 'intrinsic gas too low: have 20999, want 21000' },
};

it.each(Object.entries(CASES))('a transaction with %s is checked before it pays', async (_, example) => {
  const { fork = 'prague', account = {}, nonce = 3n, fields = {}, gasLeft = 30_000_000n, error } = example;
  const { vm } = await openEthereumBlock(
    { [SENDER]: { nonce: '3', balance: '0x3635c9adc5dea00000', ...account } },
    fork,
  );
  const before = vm.state.account(sender(1));
  const running = applyTransaction(vm, transfer(1, nonce, fields), null, gasLeft);
  if (error === undefined) {
    expect(await running).toMatchObject({ success: true, gasUsed: 21_000n });
    expect(vm.state.account(sender(1))?.nonce).toBe(nonce + 1n);
  } else {
    await expect(running).rejects.toMatchObject({
      name: 'TransactionInvalid',
      message: expect.stringContaining(error),
    });
    expect(vm.state.account(sender(1))).toEqual(before);
  }
});

it('a blob transaction on a rollup is of no type that it supports', async () => {
  const { vm } = await openBlock('isthmus', stateOf({ [SENDER]: { balance: '0x3635c9adc5dea00000' } }).reader);
  const running = applyTransaction(vm, transfer(1, 0, blobs(1)), { l1Fee: 0n, operatorFee: null }, 30_000_000n);
  await expect(running).rejects.toMatchObject({ code: 'transaction type not supported' });
});

it('a blob transaction offers at least the blob base fee of its block', async () => {
  // The fee is e to the power of the excess over the update fraction: e ** 2 under cancun, rounded down.
  const run = async (maxFeePerBlobGas: bigint) => {
    const { vm } = await openEthereumBlock({ [SENDER]: { balance: '0x3635c9adc5dea00000' } }, 'cancun', 6_676_954n);
    return applyTransaction(vm, transfer(1, 0, blobs(1, maxFeePerBlobGas)), null, 30_000_000n);
  };
  expect((await run(7n)).success).toBe(true);
  await expect(run(6n)).rejects.toThrow('have 6, want 7');
});

it('a transaction without an account has no balance, and the first nonce', async () => {
  const { vm } = await openEthereumBlock({});
  await expect(applyTransaction(vm, transfer(1, 0), null, 30_000_000n)).rejects.toThrow('have 0 want 210000000000000');
  await expect(applyTransaction(vm, transfer(1, 1), null, 30_000_000n)).rejects.toThrow('tx: 1 state: 0');
});

describe('the fees of a transaction', () => {
  const BALANCE = 10n ** 18n;
  const balancesOf = ({ state }: { readonly state: { account(key: Uint8Array): { balance: bigint } | undefined } }) => {
    const { priority, base, l1, operator } = FEE_RECIPIENTS;
    return [SENDER, priority, base, l1, operator].map((address) => state.account(hexToBytes(address))?.balance);
  };
  const FEES = { maxFeePerGas: 1000n, maxPriorityFeePerGas: 30n, gasLimit: 50_000n, value: 9n };
  const rich = (balance = BALANCE) => stateOf({ [SENDER]: { balance: `0x${balance.toString(16)}` } }).reader;

  it('go to the vaults of a rollup, and the rest of the gas and of the operator fee comes back', async () => {
    const { vm } = await openBlock('isthmus', rich(), { baseFee: 100n });
    const fees = { l1Fee: 5n, operatorFee: (gas: bigint) => gas * 2n + 7n };
    await applyTransaction(vm, transfer(1, 0, FEES), fees, 30_000_000n);
    const paid = 21_000n * 130n + 5n + 42_007n + 9n;
    expect(balancesOf(vm)).toEqual([BALANCE - paid, 21_000n * 30n, 2_100_000n, 5n, 42_007n]);
  });

  it('are those of L1 and of gas without an operator fee', async () => {
    const { vm } = await openBlock('granite', rich(), { baseFee: 100n });
    await applyTransaction(vm, transfer(1, 0, FEES), { l1Fee: 5n, operatorFee: null }, 30_000_000n);
    const left = BALANCE - 21_000n * 130n - 5n - 9n;
    expect(balancesOf(vm)).toEqual([left, 21_000n * 30n, 2_100_000n, 5n, undefined]);
  });

  it('must be covered with the operator fee for all gas', async () => {
    const fees = { l1Fee: 5n, operatorFee: (gas: bigint) => gas * 2n + 7n };
    const needed = 50_000n * 1000n + 9n + 5n + 100_007n;
    const run = async (balance: bigint) =>
      applyTransaction((await openBlock('isthmus', rich(balance))).vm, transfer(1, 0, FEES), fees, 30_000_000n);
    expect((await run(needed)).success).toBe(true);
    await expect(run(needed - 1n)).rejects.toThrow(`have ${needed - 1n} want ${needed}`);
  });

  it('burn the base fee and the price of blobs on plain Ethereum', async () => {
    const { vm } = await openEthereumBlock({ [SENDER]: { balance: `0x${BALANCE.toString(16)}` } });
    await applyTransaction(vm, transfer(1, 0, { ...FEES, ...blobs(2, 50n) }), null, 30_000_000n);
    const left = BALANCE - 21_000n * 31n - 2n * 131_072n - 9n;
    expect(balancesOf(vm)).toEqual([left, undefined, undefined, undefined, undefined]);
    expect(vm.state.account(hexToBytes(vm.context.coinbase))?.balance).toBe(21_000n * 30n);
  });
});

describe('the gas that a transaction is charged', () => {
  it.each<[before: bigint, refund: bigint, floor: bigint, charged: bigint]>([
    [100n, 0n, 0n, 100n],
    [100n, 19n, 0n, 81n],
    [100n, 20n, 0n, 80n],
    [100n, 21n, 0n, 80n],
    [99n, 50n, 0n, 80n],
    [100n, 20n, 80n, 80n],
    [100n, 20n, 81n, 81n],
    [100n, 0n, 101n, 101n],
  ])('of %s with a refund of %s and a floor of %s is %s', (before, refund, floor, charged) => {
    expect(settleGas(before, refund, floor)).toBe(charged);
  });

  const CONTRACT: Hex = `0x${'c0'.repeat(20)}`;
  const gasOf = async (code: string, fields: Partial<SignedTransaction> = {}) => {
    // Not an account whose address is that of a precompile: it would be warm anyway.
    const from = 0x1235;
    const rich = { balance: '0x3635c9adc5dea00000' };
    const { vm } = await openEthereumBlock({ [keyOf(from)]: rich, [CONTRACT]: { code, storage: { '0x00': '0x01' } } });
    const call = { to: hexToBytes(CONTRACT), gasLimit: 100_000n, ...fields };
    return (await applyTransaction(vm, transfer(from, 0, call), null, 30_000_000n)).gasUsed;
  };
  const listed = [{ address: hexToBytes(CONTRACT), storageKeys: [hexToBytes(`0x${'00'.repeat(32)}`)] }];
  it.each<[string, string, number, Partial<SignedTransaction>?]>([
    ['an address that nothing named', '0x61123431', 2603],
    ['its sender', '0x3331', 102],
    ['its recipient', '0x3031', 102],
    ['the fee recipient', '0x4131', 102],
    ['a precompile', '0x600131', 103],
    ['a slot', '0x600054', 2103],
    ['a slot of its access list', '0x600054', 4403, { accessList: listed }],
    ['a slot that it clears, with the refund', '0x6000600055', 206],
  ])('for a read of %s is that of EIP-2929 and 3651', async (_, code, gas, fields) => {
    expect(await gasOf(code, fields)).toBe(21_000n + BigInt(gas));
  });

  it('for a read of the fee recipient is that of a cold one before shanghai', async () => {
    const reader = stateOf({ [SENDER]: { balance: '0x3635c9adc5dea00000' }, [CONTRACT]: { code: '0x4131' } }).reader;
    const { vm } = await openBlock('regolith', reader);
    const call = transfer(1, 0, { to: hexToBytes(CONTRACT), gasLimit: 100_000n });
    expect((await applyTransaction(vm, call, { l1Fee: 0n, operatorFee: null }, 30_000_000n)).gasUsed).toBe(23_602n);
  });
});

describe('the message of a transaction', () => {
  const CONTRACT: Hex = `0x${'c0'.repeat(20)}`;
  const RICH = { balance: '0x3635c9adc5dea00000' };
  it.each<[string, string, Partial<SignedTransaction>, bigint]>([
    ['its gas without the intrinsic gas', '0x5a60005260206000f3', {}, 100_000n - 21_000n - 2n],
    ['the hashes of its blobs', '0x60014960005260206000f3', blobs(2), BigInt(bytesToHex(hash(1)))],
    ['no hashes of blobs when it has no blobs', '0x60004960005260206000f3', {}, 0n],
  ])('has %s', async (_, code, fields, word) => {
    const { vm } = await openEthereumBlock({ [SENDER]: RICH, [CONTRACT]: { code } });
    const call = { to: hexToBytes(CONTRACT), gasLimit: 100_000n, ...fields };
    const { returnValue } = await applyTransaction(vm, transfer(1, 0, call), null, 30_000_000n);
    expect(BigInt(bytesToHex(returnValue))).toBe(word);
  });

  it('leaves no contract that it creates and destroys (EIP-6780)', async () => {
    const { vm } = await openEthereumBlock({ [SENDER]: RICH });
    const create = (data: Hex, nonce: number) =>
      applyTransaction(
        vm,
        transfer(1, nonce, { to: null, data: hexToBytes(data), gasLimit: 100_000n }),
        null,
        30_000_000n,
      );
    const [destroyed, kept] = [await create('0x33ff', 0), await create('0x00', 1)];
    expect([destroyed.success, kept.success]).toEqual([true, true]);
    expect(vm.state.account(destroyed.createdAddress!)).toBeUndefined();
    expect(vm.state.account(kept.createdAddress!)).toBeDefined();
  });

  it('runs when the only authorization of its transaction is invalid, which costs gas all the same', async () => {
    const { vm } = await openEthereumBlock({ [SENDER]: RICH });
    const invalid = { chainId: 0n, address: sender(9), nonce: 0n, yParity: 2n, r: 1n, s: 1n };
    const fields = { type: 4 as const, gasLimit: 100_000n, authorizationList: [invalid] };
    const result = await applyTransaction(vm, transfer(1, 0, fields), null, 30_000_000n);
    expect(result).toMatchObject({ success: true, gasUsed: 21_000n + 25_000n });
  });
});

describe('the result of a transaction', () => {
  const log = [sender(1), [], new Uint8Array()] as never;
  const message = { gasUsed: 1n, refund: 0n, logs: [log], returnValue: Uint8Array.of(7) };
  it('has the logs of one that succeeds, and the reason of one that fails', () => {
    const common = { gasUsed: 5n, returnValue: Uint8Array.of(7) };
    expect(resultOf(message, 5n)).toStrictEqual({ ...common, success: true, logs: [log] });
    const fault = { opcode: 1 } as never;
    const createdAddress = sender(4);
    expect(resultOf({ ...message, failure: 'revert', fault, createdAddress }, 5n)).toStrictEqual({
      ...{ ...common, success: false, logs: [], failure: 'revert', fault, createdAddress },
    });
  });
});
