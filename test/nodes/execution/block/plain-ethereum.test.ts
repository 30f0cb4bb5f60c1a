import { type Block, createBlock, createBlockFromExecutionPayload, genWithdrawalsTrieRoot } from '@ethereumjs/block';
import { createTxFromRLP } from '@ethereumjs/tx';
import { hexToBytes } from '@ethereumjs/util';
import { createVM, runBlock, type VM } from '@ethereumjs/vm';
import { parseTransaction } from 'viem';
import { describe, expect, test } from 'vitest';
import { requestsHash } from '../../../../src/nodes/execution/block/requests-hash.ts';
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../../../../src/protocol/execution/predeploys.ts';
import { ethereumRulesAt, ethereumScheduleOf } from '../../../../src/protocol/forks/ethereum.ts';
import { bytesToHex, quantity } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { type Alloc, CHAIN_ID, GENESIS_TIME, systemContracts } from '../support/genesis.ts';
import { libraryCommon, libraryState } from '../support/library-state.ts';
import { launch, type TestNode } from '../support/nodes.ts';

const FORKS = ['paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const;
type Fork = (typeof FORKS)[number];

const [ONE, TWO] = ACCOUNTS;
const ROOT: Hex = `0x${'77'.repeat(32)}`;
const STORE: Hex = '0x00000000000000000000000000000000000c0de1';
const ENVIRONMENT: Hex = '0x00000000000000000000000000000000000c0de4';
/** EIP-7002. */
const WITHDRAWAL_QUEUE: Hex = '0x00000961ef480eb55e80d19ad83579a64c007002';
const REQUEST_LENGTH = 76;

const ALLOC: Alloc = {
  ...Object.fromEntries(
    ACCOUNTS.map(({ address }) => [address.toLowerCase(), { balance: `0x${(10n ** 22n).toString(16)}` }]),
  ),
  ...systemContracts(),
  [STORE]: { code: '0x6020356000355500' },
  // Base fee, coinbase's balance and prevrandao; from cancun on the first blob hash and the blob base fee too.
  [ENVIRONMENT]: { code: '0x48600055413160015544600255600049600355' + '4a60045500' },
  // Queues of EIP-7002 and EIP-7251. Each returns one request of zeros and ones.
  [WITHDRAWAL_QUEUE]: {
    nonce: '0x1',
    code: `0x600160005260${REQUEST_LENGTH.toString(16)}6000f3`,
  },
  '0x0000bbddc7ce488642fb579f8b00f3a590007251': { nonce: '0x1', code: '0x600260005260746000f3' },
};

function scheduleOf(fork: Fork): Record<string, number> {
  return Object.fromEntries(FORKS.slice(1, FORKS.indexOf(fork) + 1).map((name) => [`${name}Time`, 0]));
}

function genesisOf(fork: Fork, fields: Record<string, unknown> = {}, config: Record<string, unknown> = {}): string {
  return JSON.stringify({
    config: { chainId: CHAIN_ID, terminalTotalDifficulty: 0, ...scheduleOf(fork), ...config },
    timestamp: quantity(GENESIS_TIME),
    extraData: '0x1234',
    gasLimit: quantity(30_000_000),
    difficulty: '0x0',
    mixHash: `0x${'00'.repeat(32)}`,
    coinbase: `0x${'00'.repeat(20)}`,
    baseFeePerGas: '0x3b9aca00',
    alloc: ALLOC,
    ...fields,
  });
}

/** Starts our client and the EVM library on the same genesis. */
async function pair(fork: Fork, fields: Record<string, unknown> = {}) {
  const node = await launch(genesisOf(fork, fields));
  const start = await node.rpc.call<Record<string, Hex>>('eth_getBlockByNumber', ['0x0', false]);
  const common = libraryCommon(fork);
  const stateManager = await libraryState(common, ALLOC);
  const vm = await createVM({ common, stateManager });
  const { stateRoot, timestamp, gasLimit, extraData, baseFeePerGas, withdrawalsRoot, parentBeaconBlockRoot } = start;
  const { requestsHash, excessBlobGas, blobGasUsed } = start;
  const header = {
    ...{ stateRoot, timestamp, gasLimit, extraData, baseFeePerGas, withdrawalsRoot, parentBeaconBlockRoot },
    ...{ requestsHash, excessBlobGas, blobGasUsed },
  };
  const genesis = createBlock({ header: header as never }, { common });
  expect(bytesToHex(genesis.hash())).toBe(start['hash']);
  return { node, vm, genesis };
}

const rulesOf = (fork: Fork) => ethereumRulesAt(ethereumScheduleOf(scheduleOf(fork)), GENESIS_TIME);
const word = (value: number) => value.toString(16).padStart(64, '0');

async function signed(fork: Fork): Promise<Hex[]> {
  const { ethereum, evm } = rulesOf(fork);
  const fees = {
    chainId: CHAIN_ID,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 6n,
    type: 'eip1559',
  } as const;
  const list: Hex[] = await Promise.all([
    ONE!.signTransaction({ ...fees, nonce: 0, gas: 21_000n, to: TWO!.address, value: 5n }),
    ONE!.signTransaction({ ...fees, nonce: 1, gas: 100_000n, to: STORE, data: `0x${word(3)}${word(9)}` }),
    ONE!.signTransaction({ ...fees, nonce: 2, gas: 200_000n, to: ENVIRONMENT }),
    ONE!.signTransaction({ ...fees, nonce: 3, gas: 100_000n, data: '0x60006000fd' }),
  ]);
  if (evm === 'prague' || evm === 'osaka') {
    const authorization = await TWO!.signAuthorization({ chainId: CHAIN_ID, contractAddress: STORE, nonce: 0 });
    const { type: _, ...rest } = fees;
    list.push(
      await ONE!.signTransaction({
        ...rest,
        type: 'eip7702',
        nonce: 4,
        gas: 200_000n,
        to: TWO!.address,
        authorizationList: [authorization],
      }),
    );
  }
  return ethereum === null ? [] : list;
}

/** A blob transaction. Its blobs belong to the consensus layer. */
function blobTransaction(nonce: number, blobs: number): Promise<Hex> {
  return ACCOUNTS[2]!.signTransaction({
    type: 'eip4844',
    chainId: CHAIN_ID,
    nonce,
    gas: 200_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
    maxFeePerBlobGas: 10n ** 12n,
    to: ENVIRONMENT,
    blobVersionedHashes: Array.from(
      { length: blobs },
      (_, at) => `0x01${at.toString(16).padStart(2, '0').repeat(31)}` as Hex,
    ),
  });
}

const withdrawal = (index: number, amount: bigint) => ({
  index: BigInt(index),
  validatorIndex: 7n,
  address: ACCOUNTS[4]!.address.toLowerCase() as Hex,
  amount,
});

/** Builds a block with the library: base fee, excess blob gas, roots and requests. */
async function libraryBlock(vm: VM, fork: Fork, parent: Block, transactions: readonly Hex[], number: number) {
  const { ethereum, header } = rulesOf(fork);
  const environment = createBlock(
    {
      header: {
        parentHash: parent.hash(),
        number,
        timestamp: GENESIS_TIME + number * 12,
        coinbase: '0x00000000000000000000000000000000000000cb',
        gasLimit: parent.header.gasLimit + 1000n,
        mixHash: ROOT,
        baseFeePerGas: parent.header.calcNextBaseFee(),
        ...(header.beaconRoot
          ? {
              parentBeaconBlockRoot: ROOT,
              excessBlobGas: parent.header.calcNextExcessBlobGas(parent.common),
              blobGasUsed: BigInt(transactions.reduce((sum, raw) => sum + blobsOf(raw).length * 131_072, 0)),
            }
          : {}),
      },
      transactions: transactions.map((raw) => createTxFromRLP(hexToBytes(raw), { common: vm.common })),
      ...(ethereum?.withdrawals ? { withdrawals: [withdrawal(number, 3n), withdrawal(number + 1, 0n)] } : {}),
    } as never,
    { common: vm.common },
  );
  const withdrawalsTrie =
    environment.withdrawals === undefined
      ? {}
      : { withdrawalsRoot: await genWithdrawalsTrieRoot(environment.withdrawals) };
  const complete = createBlock(
    {
      header: { ...environment.header, ...withdrawalsTrie, transactionsTrie: await environment.genTxTrie() },
      transactions: environment.transactions,
      withdrawals: environment.withdrawals,
    } as never,
    { common: vm.common },
  );
  let block = complete;
  vm.events.once('afterBlock', (event: { block: Block }, resume?: () => void) => {
    block = event.block;
    resume?.();
  });
  const { requests } = await runBlock(vm, {
    block: complete,
    root: parent.header.stateRoot,
    generate: true,
    skipHeaderValidation: true,
    skipHardForkValidation: true,
  });
  return { block, requests };
}

function blobsOf(raw: Hex): readonly Hex[] {
  const parsed = parseTransaction(raw);
  return parsed.type === 'eip4844' ? (parsed.blobVersionedHashes ?? []) : [];
}

function newPayload(node: TestNode, fork: Fork, block: Block, requests: readonly Hex[], changes: object = {}) {
  const { engine, header } = rulesOf(fork);
  const hashes = block.transactions.flatMap((tx) => (tx as { blobVersionedHashes?: Hex[] }).blobVersionedHashes ?? []);
  return node.engine.call<{ status: string; validationError: string | null }>(
    `engine_newPayloadV${engine.newPayload}`,
    [
      { ...block.toExecutionPayload(), ...changes },
      ...(header.beaconRoot ? [hashes, ROOT] : []),
      ...(header.requestsHash ? [requests] : []),
    ],
  );
}

describe.each(FORKS)('a genesis without a rollup section under %s', (fork) => {
  const blobs = rulesOf(fork).ethereum?.blobs;

  test('accepts the blocks that the EVM library builds, with withdrawals, blobs and requests', async () => {
    const { node, vm, genesis } = await pair(fork, { excessBlobGas: '0x4000000', blobGasUsed: '0x60000' });
    await using _ = node;
    const plain = await signed(fork);
    const first = await libraryBlock(vm, fork, genesis, blobs ? [...plain, await blobTransaction(0, 6)] : plain, 1);
    const second = await libraryBlock(vm, fork, first.block, blobs ? [await blobTransaction(1, 2)] : [], 2);
    for (const { block, requests } of [first, second]) {
      const bytes = (requests ?? []).map((request) => bytesToHex(request.bytes)).filter((hex) => hex.length > 4);
      expect(await newPayload(node, fork, block, bytes)).toMatchObject({ status: 'VALID', validationError: null });
    }
    const head = bytesToHex(second.block.hash());
    const state = { headBlockHash: head, safeBlockHash: head, finalizedBlockHash: head };
    await node.engine.call('engine_forkchoiceUpdatedV3', [state, null]);
    const view = await node.rpc.call<Record<string, unknown>>('eth_getBlockByNumber', ['0x1', true]);
    expect(view['hash']).toBe(bytesToHex(first.block.hash()));
    if (blobs) expect(view['transactions']).toHaveLength(plain.length + 1);
    if (rulesOf(fork).ethereum?.withdrawals) expect(view['withdrawals']).toHaveLength(2);
    expect(await node.rpc.call<Hex>('debug_getRawBlock', ['0x1'])).toBe(bytesToHex(first.block.serialize()));
  });

  test('refuses blocks that break the rules', async () => {
    const { node, vm, genesis } = await pair(fork);
    await using _ = node;
    const { block, requests } = await libraryBlock(vm, fork, genesis, await signed(fork), 1);
    const bytes = (requests ?? []).map((request) => bytesToHex(request.bytes)).filter((hex) => hex.length > 4);
    const changed = (fields: Record<string, unknown>) =>
      createBlock({ ...(block as object), header: { ...block.header, ...fields } } as never, {
        common: vm.common,
        skipConsensusFormatValidation: true,
      });
    const cases: [Block, string][] = [
      [changed({ gasLimit: genesis.header.gasLimit + genesis.header.gasLimit / 1024n }), 'gasLimit'],
      [changed({ extraData: new Uint8Array(33) }), 'extraData'],
      [changed({ gasUsed: block.header.gasUsed + 1n }), 'gasUsed'],
      ...(blobs ? ([[changed({ excessBlobGas: 131_072n }), 'excessBlobGas']] as [Block, string][]) : []),
    ];
    for (const [bad, field] of cases) {
      const answer = await newPayload(node, fork, bad, bytes);
      expect(answer).toMatchObject({ status: 'INVALID', validationError: expect.stringContaining(field) });
    }
    if (rulesOf(fork).header.requestsHash) {
      expect(await newPayload(node, fork, block, bytes.slice(1))).toMatchObject({ status: 'INVALID' });
      // Engine API, newPayloadV4: elements without data, out of order or of one type twice are invalid parameters.
      for (const requests of [['0x', ...bytes], ['0x00', ...bytes], bytes.toReversed(), [...bytes, bytes.at(-1)!]])
        await expect(newPayload(node, fork, block, requests as Hex[])).rejects.toMatchObject({ code: -32602 });
    }
    for (const [changes, words] of [
      ...(blobs ? [[{ transactions: ['0x03'] }, 'invalid transaction 0'] as const] : []),
      [{ blockNumber: '0xffffffffffffffff' }, 'blockNumber'] as const,
    ])
      expect(await newPayload(node, fork, block, bytes, changes)).toMatchObject({
        status: 'INVALID',
        validationError: expect.stringContaining(words),
      });
    expect(await newPayload(node, fork, block, bytes)).toMatchObject({ status: 'VALID' });
  });

  test('builds blocks that the EVM library accepts', async () => {
    const { node, vm, genesis } = await pair(fork);
    await using _ = node;
    for (const raw of await signed(fork)) await node.rpc.call('eth_sendRawTransaction', [raw]);
    const { engine, header, ethereum } = rulesOf(fork);
    const head = bytesToHex(genesis.hash());
    const state = { headBlockHash: head, safeBlockHash: head, finalizedBlockHash: head };
    const attributes = {
      timestamp: quantity(GENESIS_TIME + 12),
      prevRandao: ROOT,
      suggestedFeeRecipient: '0x00000000000000000000000000000000000000cb',
      ...(ethereum?.withdrawals
        ? { withdrawals: [{ index: '0x1', validatorIndex: '0x7', address: ACCOUNTS[4]!.address, amount: '0x5' }] }
        : {}),
      ...(header.beaconRoot ? { parentBeaconBlockRoot: ROOT } : {}),
    };
    const { payloadId } = await node.engine.call<{ payloadId: Hex }>(
      `engine_forkchoiceUpdatedV${engine.forkchoiceUpdated}`,
      [state, attributes],
    );
    const built = await node.engine.call<{ executionPayload: Record<string, Hex>; executionRequests?: Hex[] }>(
      `engine_getPayloadV${engine.getPayload}`,
      [payloadId],
    );
    const payload = built.executionPayload;
    expect(payload['transactions']).toHaveLength((await signed(fork)).length);
    const rebuilt = await createBlockFromExecutionPayload(
      {
        ...payload,
        ...(header.beaconRoot ? { parentBeaconBlockRoot: ROOT } : {}),
        ...(built.executionRequests === undefined
          ? {}
          : { requestsHash: requestsHash(built.executionRequests.map(hexToBytes)) }),
      } as never,
      { common: vm.common },
    );
    const { gasUsed } = await runBlock(vm, { block: rebuilt, skipBlockValidation: true, skipHardForkValidation: true });
    expect(gasUsed).toBe(BigInt(payload['gasUsed']!));
  });
});

test.each(['prague', 'osaka'] as const)(
  'a block of %s is invalid when a contract of its requests has no code',
  async (fork) => {
    const { [WITHDRAWAL_QUEUE]: _, ...alloc } = ALLOC;
    await using node = await launch(genesisOf(fork, { alloc }));
    const start = await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
    const block = createBlock(
      {
        header: {
          parentHash: start.hash,
          number: 1,
          timestamp: GENESIS_TIME + 12,
          gasLimit: 30_000_000,
          baseFeePerGas: 875_000_000,
          parentBeaconBlockRoot: ROOT,
          excessBlobGas: 0,
          blobGasUsed: 0,
          requestsHash: requestsHash([]),
        },
        withdrawals: [],
      } as never,
      { common: libraryCommon(fork), skipConsensusFormatValidation: true },
    );
    expect(await newPayload(node, fork, block, [])).toMatchObject({
      status: 'INVALID',
      validationError: expect.stringContaining(`no code at ${WITHDRAWAL_QUEUE}`),
    });
  },
);

test('gas limits and times are uint64 in headers, the Engine API and RPC', async () => {
  const [gasLimit, time] = [2n ** 63n - 1n, 2n ** 64n - 100n];
  const forks = { shanghaiTime: 0, cancunTime: 0 };
  const fields = {
    gasLimit: quantity(gasLimit),
    timestamp: quantity(time),
    blobGasUsed: '0x60000',
    baseFeePerGas: '0x7',
  };
  await using node = await launch(genesisOf('cancun', fields, forks));
  const genesis = await node.rpc.call<Record<string, Hex>>('eth_getBlockByNumber', ['0x0', false]);
  expect(genesis).toMatchObject(fields);
  const state = { headBlockHash: genesis['hash'], safeBlockHash: genesis['hash'], finalizedBlockHash: genesis['hash'] };
  const raw = await ONE!.signTransaction({
    chainId: CHAIN_ID,
    type: 'eip1559',
    nonce: 0,
    gas: 2n ** 53n + 1n,
    maxFeePerGas: 7n,
    maxPriorityFeePerGas: 0n,
    data: '0xfe',
  });
  const attributes = {
    timestamp: quantity(time + 7n),
    prevRandao: ROOT,
    suggestedFeeRecipient: ACCOUNTS[4]!.address,
    withdrawals: [],
    parentBeaconBlockRoot: ROOT,
    transactions: [raw],
    noTxPool: true,
  };
  const { payloadId } = await node.engine.call<{ payloadId: Hex }>('engine_forkchoiceUpdatedV3', [state, attributes]);
  const { executionPayload } = await node.engine.call<{ executionPayload: Record<string, Hex> }>(
    'engine_getPayloadV3',
    [payloadId],
  );
  const header = { gasLimit: quantity(gasLimit), timestamp: quantity(time + 7n), gasUsed: quantity(2n ** 53n + 1n) };
  expect(executionPayload).toMatchObject(header);
  const { blockHash } = executionPayload;
  await using other = await launch(genesisOf('cancun', fields, forks), { flavour: 'go' });
  const params = [executionPayload, [], ROOT];
  expect(await other.engine.call('engine_newPayloadV3', params)).toMatchObject({ status: 'VALID' });
  await other.engine.call('engine_forkchoiceUpdatedV3', [{ ...state, headBlockHash: blockHash }, null]);
  expect(await other.rpc.call('eth_getBlockByNumber', ['latest', false])).toMatchObject({ ...header, hash: blockHash });
  const receipts = await other.rpc.call<Record<string, Hex>[]>('eth_getBlockReceipts', ['latest']);
  expect(receipts).toMatchObject([{ gasUsed: header.gasUsed, cumulativeGasUsed: header.gasUsed, status: '0x0' }]);
});

test('a block with a gas limit over 2^63-1 is invalid', async () => {
  const genesis = genesisOf('paris', { gasLimit: '0x8000000000000000' });
  await using builder = await launch(genesis);
  await using other = await launch(genesis);
  const { hash } = await builder.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
  const state = { headBlockHash: hash, safeBlockHash: hash, finalizedBlockHash: hash };
  const attributes = {
    timestamp: quantity(GENESIS_TIME + 12),
    prevRandao: ROOT,
    suggestedFeeRecipient: ACCOUNTS[4]!.address,
  };
  const { payloadId } = await builder.engine.call<{ payloadId: Hex }>('engine_forkchoiceUpdatedV1', [
    state,
    attributes,
  ]);
  const payload = await builder.engine.call('engine_getPayloadV1', [payloadId]);
  expect(await other.engine.call('engine_newPayloadV1', [payload])).toMatchObject({
    status: 'INVALID',
    validationError: expect.stringContaining('gasLimit'),
  });
});

describe('a genesis without a rollup section is refused', () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    ['before the merge', { difficulty: '0x1' }, {}, 'past the merge'],
    ['with a fork that is not offered', {}, { amsterdamTime: 0 }, 'amsterdamTime'],
    ['with more blob forks than there are', {}, { bpo6Time: 0 }, 'bpo6Time'],
    ['with a target above the maximum', {}, { blobSchedule: { cancun: { target: 3, max: 2 } } }, 'blobSchedule.cancun'],
    ['with forks out of order', {}, { osakaTime: 0 }, 'pragueTime is missing below config.osakaTime'],
  ])('%s', async (_, fields, config, message) => {
    await expect(launch(genesisOf('cancun', fields, config))).rejects.toThrow(message);
  });
});

test('the system contracts of Ethereum have the addresses of the rules', () => {
  expect(Object.keys(systemContracts())).toEqual([BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS]);
});

test.each(['cancun', 'osaka'] as const)(
  'an execution client returns the blob base fee under %s, of this block and the next',
  async (fork) => {
    const { node, genesis } = await pair(fork, { excessBlobGas: '0x8000000', blobGasUsed: '0x20000' });
    await using _ = node;
    const { header } = genesis;
    const prices = [header.getBlobGasPrice(), header.calcNextBlobGasPrice(genesis.common)].map(quantity);
    expect(await node.rpc.call('eth_blobBaseFee')).toBe(prices[0]);
    const history = await node.rpc.call<{ baseFeePerBlobGas: Hex[]; blobGasUsedRatio: number[] }>('eth_feeHistory', [
      '0x1',
      'latest',
      [],
    ]);
    expect(history.baseFeePerBlobGas).toEqual(prices);
    expect(history.blobGasUsedRatio).toEqual([1 / (fork === 'cancun' ? 6 : 9)]);
  },
);
