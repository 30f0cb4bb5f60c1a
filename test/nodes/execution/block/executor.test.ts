import { beforeAll, describe, expect, it } from 'vitest';
import { BlockExecutor } from '../../../../src/nodes/execution/block/executor.ts';
import { CONSOLIDATION_QUEUE, WITHDRAWAL_QUEUE } from '../../../../src/nodes/execution/block/requests.ts';
import { requestsHash } from '../../../../src/nodes/execution/block/requests-hash.ts';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import { contractAddress } from '../../../../src/protocol/accounts/contract-address.ts';
import { decodeDeposit, depositHash } from '../../../../src/protocol/codec/deposit.ts';
import { orderedTrieRoot } from '../../../../src/protocol/codec/trie.ts';
import { FEE_RECIPIENTS, PREDEPLOYS } from '../../../../src/protocol/execution/predeploys.ts';
import { ethereumRulesAt } from '../../../../src/protocol/forks/ethereum.ts';
import { rulesAt } from '../../../../src/protocol/forks/index.ts';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { deposit } from '../support/driver.ts';
import { type Alloc, CHAIN_ID, GENESIS_TIME, LOGGER, l1BlockStorage, upTo } from '../support/genesis.ts';
import { stateOf } from '../support/memory-state.ts';
import { openBlock, openEthereumBlock } from '../support/open-block.ts';
import { keyOf, sender, transfer } from '../support/pool.ts';
import { signTransaction } from '../support/sign-transaction.ts';
import { addressOf, hashOf } from '../views/sample-block.ts';

beforeAll(prepareCrypto);

const ONE = ACCOUNTS[0]!;
const FROM = ONE.address.toLowerCase() as Hex;
const RICH = { balance: '0x3635c9adc5dea00000' };
const ALLOC: Alloc = {
  [FROM]: RICH,
  [keyOf(1)]: RICH,
  [LOGGER]: { code: '0x366000600037600035366000a100' },
  [PREDEPLOYS.l1Block]: { nonce: '0x1', storage: l1BlockStorage(true) },
};
const rollup = (fork: Parameters<typeof openBlock>[0], options: Parameters<typeof openBlock>[2] = {}) =>
  openBlock(fork, stateOf(ALLOC).reader, options);
const blobs = (count: number) => ({
  type: 3 as const,
  blobVersionedHashes: Array.from({ length: count }, () => hexToBytes(hashOf(1))),
  maxFeePerBlobGas: 1n,
});

describe('the transactions of a block', () => {
  it('are run one on another, and counted with their gas', async () => {
    const block = await rollup('isthmus');
    expect([block.transactionCount, block.gasLeft]).toEqual([0, block.environment.gasLimit]);
    for (const nonce of [0, 1]) await block.transaction(transfer(1, nonce));
    expect([block.transactionCount, block.gasLeft]).toEqual([2, block.environment.gasLimit - 42_000n]);
    expect(block.account(sender(1))?.nonce).toBe(2n);
    expect(block.word(hexToBytes(PREDEPLOYS.l1Block), new Uint8Array(32))).toEqual(Uint8Array.of(1));
  });

  it('pay the L1 fee to its vault', async () => {
    const block = await rollup('isthmus');
    const transaction = transfer(1, 0);
    await block.transaction(transaction);
    const fee = block.fees().l1!.cost(transaction.raw).fee;
    expect(fee).toBeGreaterThan(0n);
    expect(block.account(hexToBytes(FEE_RECIPIENTS.l1))?.balance).toBe(fee);
  });

  it('leave the block as it was when they are invalid', async () => {
    const block = await rollup('isthmus');
    await expect(block.transaction(transfer(1, 5))).rejects.toMatchObject({ code: 'nonce too high' });
    expect([block.transactionCount, block.gasLeft]).toEqual([0, block.environment.gasLimit]);
  });

  it('are decoded by their type, and refused if they cannot be', async () => {
    const block = await rollup('isthmus');
    await block.run(hexToBytes(await signTransaction(ONE)));
    await block.run(hexToBytes(deposit({ to: LOGGER })));
    for (const raw of ['0x7e01', '0x02c0', '0x'] as const)
      await expect(block.run(hexToBytes(raw))).rejects.toMatchObject({ code: 'undecodable transaction' });
    const { transactions, receipts } = await block.seal();
    expect([transactions.length, receipts.map(({ type }) => type)]).toEqual([2, [2, 0x7e]]);
    const ethereum = await openEthereumBlock(ALLOC);
    await expect(ethereum.run(hexToBytes(deposit({ to: LOGGER })))).rejects.toMatchObject({
      code: 'transaction type not supported',
    });
  });

  it('have at most the DA footprint of the gas limit', async () => {
    const footprint = (await rollup('jovian')).fees().footprint!.footprint(transfer(1, 0).raw);
    const fits = await rollup('jovian', { gasLimit: 2 * footprint });
    await fits.transaction(transfer(1, 0));
    await fits.transaction(transfer(1, 1));
    const over = await rollup('jovian', { gasLimit: 2 * footprint - 1 });
    await over.transaction(transfer(1, 0));
    await expect(over.transaction(transfer(1, 1))).rejects.toMatchObject({
      code: 'DA footprint of the block over its gas limit',
      detail: String(2 * footprint),
    });
    expect((await fits.seal()).header.blobGasUsed).toBe(BigInt(2 * footprint));
  });

  it('have at most the blobs of their fork', async () => {
    const block = await openEthereumBlock(ALLOC, 'cancun');
    for (const nonce of [0, 1]) await block.transaction(transfer(1, nonce, blobs(3)));
    await expect(block.transaction(transfer(1, 2, blobs(1)))).rejects.toMatchObject({
      code: 'blob gas limit reached',
      detail: String(7 * 131_072),
    });
    await block.transaction(transfer(1, 2));
    expect(block.transactionCount).toBe(3);
  });
});

describe('the receipts of a block', () => {
  it('have each field of a signed transaction', async () => {
    const block = await rollup('jovian', { baseFee: 100n });
    const data: Hex = `0x${'07'.repeat(32)}`;
    const raws = [await signTransaction(ONE, { data }), await signTransaction(ONE, { nonce: 1, to: null, data: '0x' })];
    for (const raw of raws) await block.run(hexToBytes(raw));
    const { receipts, feeFields } = await block.seal();
    const [l1, footprint] = [block.fees().l1!, block.fees().footprint!];
    const fieldsOf = (raw: Hex) => ({
      ...{ type: 2, transactionHash: keccak256(raw), from: FROM, status: true, effectiveGasPrice: 1_000_100n },
      ...{ l1Fee: l1.cost(hexToBytes(raw)).fee, l1GasUsed: l1.cost(hexToBytes(raw)).gasUsed },
      daFootprint: footprint.footprint(hexToBytes(raw)),
    });
    const [called, created] = receipts;
    expect({ ...called, logs: called!.logs.map((log) => ({ ...log })) }).toStrictEqual({
      ...{
        ...fieldsOf(raws[0]!),
        to: LOGGER,
        contractAddress: null,
        logs: [{ address: LOGGER, topics: [data], data }],
      },
      ...{ gasUsed: called!.gasUsed, cumulativeGasUsed: called!.gasUsed },
    });
    expect(created).toStrictEqual({
      ...{ ...fieldsOf(raws[1]!), to: null, contractAddress: contractAddress(FROM, 1n), logs: [] },
      ...{ gasUsed: 53_000n, cumulativeGasUsed: called!.gasUsed + 53_000n },
    });
    expect(feeFields).toMatchObject({ l1GasPrice: '0x2540be400', operatorFeeConstant: '0x7' });
    expect(Object.keys(feeFields)).toContain('daFootprintGasScalar');
  });

  it.each([
    ['bedrock', {}, false],
    ['regolith', { depositNonce: 0n }, false],
    ['canyon', { depositNonce: 0n, depositReceiptVersion: 1 }, false],
    ['jovian', { depositNonce: 0n, depositReceiptVersion: 1 }, true],
  ] as const)('have each field of a deposit under %s', async (fork, fields, hasFootprint) => {
    const block = await rollup(fork);
    const raw = deposit({ to: addressOf(4), gas: 50_000 });
    await block.run(hexToBytes(raw));
    const [receipt] = (await block.seal()).receipts;
    const { l1, footprint } = block.fees();
    const from = decodeDeposit(hexToBytes(raw)).from;
    const gasUsed = fork === 'bedrock' ? 50_000n : 21_000n;
    expect(receipt).toStrictEqual({
      ...{ type: 0x7e, transactionHash: depositHash(decodeDeposit(hexToBytes(raw))), from, to: addressOf(4) },
      ...{ status: true, gasUsed, cumulativeGasUsed: gasUsed, effectiveGasPrice: 0n, contractAddress: null, logs: [] },
      ...{ ...fields, l1GasUsed: l1!.cost(hexToBytes(raw)).gasUsed },
      ...(hasFootprint ? { daFootprint: footprint!.footprint(hexToBytes(raw)) } : {}),
    });
  });

  it.each([
    ['bedrock', 0n],
    ['regolith', 1n],
  ] as const)('have the contract of a deposit by its nonce under %s, where it has one', async (fork, nonce) => {
    const block = await rollup(fork);
    for (const to of [addressOf(4), null]) await block.run(hexToBytes(deposit({ to, gas: 100_000 })));
    const [called, created] = (await block.seal()).receipts;
    expect([called!.contractAddress, created!.contractAddress]).toEqual([null, contractAddress(created!.from, nonce)]);
  });

  it('have no fields of a rollup on plain Ethereum', async () => {
    const block = await openEthereumBlock(ALLOC, 'cancun');
    await block.transaction(transfer(1, 0));
    const sealed = await block.seal();
    expect(Object.keys(sealed.receipts[0]!)).not.toContain('l1Fee');
    expect(Object.keys(sealed.receipts[0]!)).not.toContain('l1GasUsed');
    expect(Object.keys(sealed.receipts[0]!)).not.toContain('daFootprint');
    expect(sealed.feeFields).toEqual({});
  });
});

describe('a block that is opened', () => {
  const parentContext = {
    ...{ chainId: CHAIN_ID, parentState: stateOf(ALLOC).reader, forcedCode: [], blockHash: () => undefined },
    rules: ethereumRulesAt({ shanghai: 0, cancun: 0 }, 10n),
  };
  const environment = {
    ...{ parentHash: hashOf(1), number: 1, timestamp: BigInt(GENESIS_TIME), feeRecipient: addressOf(2) },
    ...{ prevRandao: hashOf(3), gasLimit: 30_000_000n, baseFee: 7n, extraData: '0x' as Hex },
  };

  it('has the code that its fork sets', async () => {
    const forcedCode = [{ address: addressOf(9), code: '0x6001' as Hex, codeHash: keccak256('0x6001') }];
    const rules = rulesAt(upTo('canyon'), GENESIS_TIME);
    const block = await BlockExecutor.open({ ...parentContext, rules, forcedCode: forcedCode as never }, environment);
    expect(bytesToHex(block.vm.state.code(hexToBytes(addressOf(9))))).toBe('0x6001');
  });

  it('has the blob base fee of its excess on plain Ethereum alone', async () => {
    const feeOf = async (excessBlobGas?: bigint, rules = parentContext.rules) => {
      const block = await BlockExecutor.open(
        { ...parentContext, rules },
        { ...environment, ...(excessBlobGas === undefined ? {} : { excessBlobGas }) },
      );
      return block.vm.context.blobBaseFee;
    };
    expect([await feeOf(), await feeOf(0n)]).toEqual([1n, 1n]);
    expect(await feeOf(10_000_000n)).toBeGreaterThan(1n);
    expect(await feeOf(10_000_000n, rulesAt(upTo('isthmus'), GENESIS_TIME))).toBeUndefined();
  });

  it('has its fee recipient as coinbase', async () => {
    const block = await BlockExecutor.open(parentContext, environment);
    expect(block.vm.context).toMatchObject({ coinbase: addressOf(2), baseFee: 7n, number: 1 });
  });

  it('reads its fees once, when they are first needed', async () => {
    const block = await rollup('isthmus');
    expect(block.fees()).toBe(block.fees());
  });

  it('is not sealed again when it is replayed', async () => {
    const replay = await BlockExecutor.open(parentContext, environment, { isReplay: true });
    await replay.transaction(transfer(1, 0));
    expect(replay.transactionCount).toBe(1);
    expect(() => replay.seal()).toThrow('receipts of a replayed block');
  });
});

describe('a sealed block', () => {
  it('has the root of its transactions, or the one that is known', async () => {
    const block = await rollup('isthmus');
    await block.transaction(transfer(1, 0));
    const { header, transactions } = await block.seal();
    expect(header.transactionsRoot).toBe(bytesToHex(orderedTrieRoot(transactions)));
    const known = await rollup('isthmus');
    expect((await known.seal(undefined, hashOf(5))).header.transactionsRoot).toBe(hashOf(5));
  });

  it('has credited its withdrawals in gwei, after its transactions', async () => {
    const withdrawals = [1, 2].map((at) => ({
      index: BigInt(at),
      validatorIndex: 7n,
      address: addressOf(0x31),
      amount: 3n,
    }));
    const open = (fork: 'shanghai' | 'paris') =>
      BlockExecutor.open(
        {
          ...{ chainId: CHAIN_ID, parentState: stateOf(ALLOC).reader, forcedCode: [], blockHash: () => undefined },
          rules: ethereumRulesAt(fork === 'paris' ? {} : { shanghai: 0 }, BigInt(GENESIS_TIME)),
        },
        {
          ...{ parentHash: hashOf(1), number: 1, timestamp: BigInt(GENESIS_TIME), feeRecipient: addressOf(2) },
          ...{ prevRandao: hashOf(3), gasLimit: 30_000_000n, baseFee: 7n, extraData: '0x' as Hex, withdrawals },
        },
      );
    const block = await open('shanghai');
    const sealed = await block.seal();
    expect(block.account(hexToBytes(addressOf(0x31)))?.balance).toBe(6_000_000_000n);
    expect(sealed.withdrawals).toEqual(withdrawals);
    const before = await open('paris');
    expect([(await before.seal()).withdrawals, before.account(hexToBytes(addressOf(0x31)))]).toEqual([[], undefined]);
  });

  it('has the requests of its queues, and of the logs of its deposit contract, from prague on', async () => {
    /** Returns one byte, a 7. */
    const queue = { code: '0x60075f5360015ff3' };
    const alloc = { ...ALLOC, [WITHDRAWAL_QUEUE]: queue, [CONSOLIDATION_QUEUE]: queue };
    const DEPOSIT_EVENT: Hex = '0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5';
    const logged = transfer(1, 0, { to: hexToBytes(LOGGER), data: hexToBytes(DEPOSIT_EVENT), gasLimit: 50_000n });
    const open = (fork: 'cancun' | 'prague', depositContract?: Hex) =>
      BlockExecutor.open(
        {
          ...{ chainId: CHAIN_ID, parentState: stateOf(alloc).reader, forcedCode: [], blockHash: () => undefined },
          rules: ethereumRulesAt({ shanghai: 0, cancun: 0, ...(fork === 'prague' && { prague: 0 }) }, 10n),
          ...(depositContract === undefined ? {} : { depositContract }),
        },
        {
          ...{ parentHash: hashOf(1), number: 1, timestamp: BigInt(GENESIS_TIME), feeRecipient: addressOf(2) },
          ...{ prevRandao: hashOf(3), gasLimit: 30_000_000n, baseFee: 7n, extraData: '0x' as Hex },
        },
      );
    const sealed = async (...of: Parameters<typeof open>) => {
      const block = await open(...of);
      await block.transaction(logged);
      return block.seal();
    };
    expect((await sealed('cancun')).requests).toEqual([]);
    const { requests, header } = await sealed('prague');
    expect(requests).toEqual([Uint8Array.of(1, 7), Uint8Array.of(2, 7)]);
    expect(header.requestsHash).toBe(requestsHash(requests));
    // The data of its event is not that of a deposit.
    await expect(sealed('prague', LOGGER)).rejects.toMatchObject({ name: 'BlockInvalid', field: 'requestsHash' });
  });

  it('has the hash of its header', async () => {
    const sealed = await (await rollup('isthmus')).seal();
    expect(sealed.hash).toBe(keccak256(sealed.encodedHeader));
    expect(sealed.header).toMatchObject({ number: 1, gasUsed: 0n, timestamp: BigInt(GENESIS_TIME) });
    expect(sealed.requests).toEqual([]);
  });
});
