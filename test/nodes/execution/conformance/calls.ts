import { NAMESPACES } from '../../../../src/nodes/execution/methods/namespaces.ts';
import { rpc } from '../../../../src/nodes/execution/methods/rpc.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver } from '../support/driver.ts';
import { forgePayload } from '../support/forge-payload.ts';
import { CHAIN_ID, LOGGER, REVERTER, STORE } from '../support/genesis.ts';
import { type SampleChain, schedule, topic } from '../support/sample-chain.ts';

/** How the page shows a method: parameters of the call, and tests that cover it further. */
export interface Shown {
  readonly calls: (chain: SampleChain) => Promise<readonly (readonly unknown[])[]> | readonly (readonly unknown[])[];
  /** Over WebSocket. */
  readonly socket?: true;
  /** Test files under test/nodes/execution. */
  readonly tests?: readonly string[];
}

const none: Shown = { calls: () => [[]] };
const at = (...params: unknown[]): Shown => ({ calls: () => [params] });
const from = ACCOUNTS[0]!.address;
const call = { from, to: STORE, data: `${topic(5)}${topic(6).slice(2)}` };
const general = ['methods/rpc.test.ts'];
const explorer = ['methods/explorer.test.ts'];
const tracing = ['tracing/tracing.test.ts'];
const witness = ['witness/witness.test.ts'];
const bad = ['engine/bad-blocks.test.ts'];
const simulation = ['methods/simulation.test.ts'];
const pooling = ['pool/rpc.test.ts'];
const subscriptions = ['methods/subscriptions.test.ts'];

const byHash = (...more: unknown[]): Shown => ({ calls: ({ blocks }) => [[blocks[2]!.hash, ...more]], tests: general });
const eachTransaction = (...more: unknown[]): Shown => ({
  calls: ({ sent, deposit }) => [...Object.values(sent), deposit].map((hash) => [hash, ...more]),
  tests: general,
});
const tagged = (...params: unknown[]): Shown => ({
  calls: ({ blocks }) => [
    ...['latest', 'pending', 'safe', 'finalized', 'earliest', '0x2'].map((tag) => [...params, tag]),
    [...params, { blockHash: blocks[1]!.hash, requireCanonical: true }],
    [...params, { blockNumber: '0x1' }],
  ],
  tests: general,
});
const inBlocks = (...more: unknown[]): Shown => ({
  calls: () => ['latest', 'pending', 'safe', 'finalized', 'earliest', '0x2'].map((tag) => [tag, ...more]),
  tests: general,
});

let inclusions = 0;

/** Sends a transaction that the next block includes. */
async function included(chain: SampleChain): Promise<Hex> {
  const sent = await raw(2, inclusions++);
  const stop = [chain.go, chain.rust].map(({ node }) =>
    node.context.pool.onPending(({ raw: pooled }) => {
      if (bytesToHex(pooled) !== sent) return;
      for (const end of stop) end();
      void chain.extend([sent]);
    }),
  );
  return sent;
}

async function raw(account: number, nonce: number): Promise<Hex> {
  return ACCOUNTS[account]!.signTransaction({
    chainId: CHAIN_ID,
    type: 'eip1559',
    nonce,
    gas: 21_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n,
    to: LOGGER,
  });
}

/** Returns a block that both nodes rejected. */
async function refused({ go, rust, blocks }: SampleChain): Promise<Hex> {
  const payload = forgePayload(schedule, blocks[1]!, { stateRoot: topic(1) });
  for (const { engine } of [go, rust]) await new Driver(engine, schedule).import(payload);
  return payload.hash;
}

/** Creates a filter on both nodes in turn. Their ids differ, so each call creates its own. */
const filterCalls = (method: string): Shown => ({
  calls: () => [[{ $made: method }]],
  tests: subscriptions,
});

const METHODS: Readonly<Record<string, { readonly params: unknown }>> = Object.assign(
  {},
  ...Object.values(NAMESPACES),
  rpc,
);

/** A method without parameters needs no entry below. */
const WITHOUT_PARAMETERS: Readonly<Record<string, Shown>> = Object.fromEntries(
  Object.entries(METHODS).flatMap(([name, { params }]) => (parameterCount(params) === 0 ? [[name, none]] : [])),
);

/** Returns the number of parameters that a method's schema lists. */
export function parameterCount(params: unknown): number {
  return (params as { readonly def: { readonly items: readonly unknown[] } }).def.items.length;
}

/** Every method that the options can enable. The conformance test fails if one is missing. */
export const CALLS: Readonly<Record<string, Shown>> = {
  ...WITHOUT_PARAMETERS,
  eth_blockNumber: { ...none, tests: general },
  eth_syncing: { ...none, tests: general },
  eth_getBlockByNumber: {
    calls: () => [
      ['latest', false],
      ['0x3', true],
      ['pending', false],
      ['0x99', false],
    ],
    tests: general,
  },
  eth_getBlockByHash: {
    calls: ({ blocks }) => [
      [blocks[2]!.hash, true],
      [topic(1), false],
    ],
    tests: general,
  },
  eth_getHeaderByNumber: inBlocks(),
  eth_getHeaderByHash: byHash(),
  eth_getBlockTransactionCountByNumber: inBlocks(),
  eth_getBlockTransactionCountByHash: byHash(),
  eth_getUncleCountByBlockNumber: inBlocks(),
  eth_getUncleCountByBlockHash: byHash(),
  eth_getUncleByBlockNumberAndIndex: inBlocks('0x0'),
  eth_getUncleByBlockHashAndIndex: byHash('0x0'),
  eth_getTransactionByHash: eachTransaction(),
  eth_getTransactionByBlockHashAndIndex: byHash('0x1'),
  eth_getTransactionByBlockNumberAndIndex: inBlocks('0x0'),
  eth_getRawTransactionByHash: eachTransaction(),
  eth_getRawTransactionByBlockHashAndIndex: byHash('0x1'),
  eth_getRawTransactionByBlockNumberAndIndex: inBlocks('0x0'),
  eth_getTransactionReceipt: eachTransaction(),
  eth_getBlockReceipts: tagged(),
  eth_gasPrice: { ...none, tests: general },
  eth_maxPriorityFeePerGas: { ...none, tests: general },
  eth_baseFee: { ...none, tests: general },
  eth_capabilities: { ...none, tests: general },
  eth_feeHistory: { ...at('0x3', 'latest', [10, 50]), tests: general },
  eth_config: { ...none, tests: ['methods/config.test.ts'] },
  eth_getBalance: tagged(from),
  eth_getTransactionCount: tagged(from),
  eth_getCode: tagged(STORE),
  eth_getStorageAt: tagged(STORE, '0x1'),
  eth_getStorageValues: { ...tagged({ [STORE]: [topic(1), topic(2)] }), tests: general },
  eth_getProof: { ...tagged(STORE, [topic(1), '0x0']), tests: ['methods/proof.test.ts'] },
  eth_call: tagged(call),
  eth_estimateGas: { ...tagged(call), tests: simulation },
  eth_createAccessList: { ...at(call, 'latest'), tests: simulation },
  eth_simulateV1: {
    calls: () => [
      [
        {
          blockStateCalls: [
            {
              calls: [
                { from, to: LOGGER, data: topic(4) },
                { to: REVERTER, data: '0x01' },
              ],
            },
          ],
          returnFullTransactions: true,
        },
        'latest',
      ],
    ],
    tests: simulation,
  },
  eth_sendRawTransaction: { calls: async () => [[await raw(3, 0)]], tests: pooling },
  eth_sendRawTransactionSync: { calls: async (chain) => [[await included(chain)]], tests: pooling },
  eth_sendRawTransactionConditional: {
    calls: async () => [[await raw(4, 0), { blockNumberMax: '0xffff' }]],
    tests: ['pool/condition/condition.test.ts'],
  },
  eth_pendingTransactions: { ...none, tests: pooling },
  eth_getLogs: { ...at({ fromBlock: 'earliest', toBlock: 'latest', address: LOGGER, topics: [null] }), tests: general },
  eth_newFilter: { ...at({ address: LOGGER }), tests: subscriptions },
  eth_newBlockFilter: { ...none, tests: subscriptions },
  eth_newPendingTransactionFilter: { ...none, tests: subscriptions },
  eth_getFilterChanges: filterCalls('eth_newFilter'),
  eth_getFilterLogs: filterCalls('eth_newFilter'),
  eth_uninstallFilter: filterCalls('eth_newBlockFilter'),
  eth_subscribe: {
    calls: () => [['newHeads'], ['logs', { address: LOGGER }], ['newPendingTransactions', true], ['syncing']],
    socket: true,
    tests: subscriptions,
  },
  eth_unsubscribe: { calls: () => [[{ $made: 'eth_subscribe' }]], socket: true, tests: subscriptions },
  web3_clientVersion: { ...none, tests: general },
  web3_sha3: at('0x68656c6c6f'),
  rpc_modules: { ...none, tests: general },
  txpool_status: { ...none, tests: pooling },
  txpool_content: { ...none, tests: pooling },
  txpool_contentFrom: { ...at(ACCOUNTS[3]!.address), tests: pooling },
  txpool_inspect: { ...none, tests: pooling },
  testing_dropTransaction: { ...at(topic(1)), tests: ['methods/testing.test.ts'] },
  miner_setMaxDASize: { ...at('0x0', '0x0'), tests: ['methods/miner.test.ts'] },
  trace_block: { ...inBlocks(), tests: tracing },
  trace_transaction: { ...eachTransaction(), tests: tracing },
  trace_get: { ...eachTransaction(['0x0']), tests: tracing },
  trace_filter: { ...at({ fromBlock: '0x1', toBlock: '0x3', toAddress: [LOGGER] }), tests: tracing },
  trace_replayTransaction: {
    ...eachTransaction(['trace', 'stateDiff', 'vmTrace']),
    tests: [...tracing, 'tracing/vm-trace.test.ts'],
  },
  trace_replayBlockTransactions: { ...at('0x2', ['trace', 'stateDiff']), tests: tracing },
  trace_call: { ...at(call, ['trace', 'stateDiff'], 'latest'), tests: tracing },
  trace_callMany: { ...at([[call, ['trace', 'stateDiff']]], 'latest'), tests: tracing },
  trace_rawTransaction: {
    calls: async () => [[await raw(3, 0), ['trace', 'stateDiff'], 'latest']],
    tests: tracing,
  },
  ots_getHeaderByNumber: { ...at(2), tests: explorer },
  erigon_getHeaderByNumber: { ...at(2), tests: explorer },
  ots_hasCode: { ...at(STORE, 'latest'), tests: explorer },
  ots_getBlockDetails: { ...at(2), tests: explorer },
  ots_getBlockDetailsByHash: byHash(),
  ots_getBlockTransactions: { ...at(2, 0, 10), tests: explorer },
  ots_getInternalOperations: { ...eachTransaction(), tests: explorer },
  ots_traceTransaction: { ...eachTransaction(), tests: explorer },
  ots_getTransactionError: { ...eachTransaction(), tests: explorer },
  ots_getTransactionBySenderAndNonce: { ...at(from, 2), tests: explorer },
  ots_getContractCreator: { ...at(STORE), tests: explorer },
  ots_searchTransactionsBefore: { ...at(LOGGER, 0, 10), tests: explorer },
  ots_searchTransactionsAfter: { ...at(LOGGER, 0, 10), tests: explorer },
  debug_getRawHeader: tagged(),
  debug_getRawBlock: tagged(),
  debug_getRawReceipts: tagged(),
  debug_getRawTransaction: eachTransaction(),
  debug_storageRangeAt: {
    calls: ({ blocks }) => [[blocks[2]!.hash, 0, STORE, '0x00', 10]],
    tests: ['methods/proof.test.ts'],
  },
  debug_accountRange: { ...at('latest', '0x', 3, false, false, false), tests: ['methods/proof.test.ts'] },
  debug_getBadBlocks: {
    calls: async (chain) => {
      await refused(chain);
      return [[]];
    },
    tests: bad,
  },
  debug_traceBadBlock: { calls: async (chain) => [[await refused(chain), { tracer: 'callTracer' }]], tests: bad },
  debug_setHead: {
    calls: async ({ go }) => [[await go.rpc.call('eth_blockNumber')]],
    tests: ['engine/engine-forkchoice.test.ts'],
  },
  debug_traceTransaction: { ...eachTransaction({ tracer: 'callTracer' }), tests: tracing },
  debug_traceCall: { ...at(call, 'latest', { tracer: 'callTracer' }), tests: tracing },
  debug_traceBlockByNumber: { ...at('0x2', { tracer: 'callTracer' }), tests: tracing },
  debug_traceBlockByHash: { ...byHash({ tracer: 'prestateTracer' }), tests: tracing },
  debug_getRawTransactions: { ...at('0x2'), tests: tracing },
  debug_executionWitness: { ...at('0x2'), tests: witness },
  debug_executionWitnessByBlockHash: {
    calls: ({ blocks }) => [[blocks[2]!.hash], [blocks[2]!.hash, 'canonical']],
    tests: witness,
  },
  debug_traceBlock: {
    calls: async ({ go }) => [[await go.rpc.call('debug_getRawBlock', ['0x2']), { tracer: '4byteTracer' }]],
    tests: tracing,
  },
};

/** Calldata that no method takes as its first parameter. */
export const MALFORMED: unknown = [[bytesToHex(new Uint8Array(1))]];
