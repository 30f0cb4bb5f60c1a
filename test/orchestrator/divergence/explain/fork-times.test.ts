import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replayJob, runJob } from '../../../../src/nodes/execution/replay/job.ts';
import type { HeaderFields } from '../../../../src/orchestrator/divergence/compare.ts';
import {
  type BlockOf,
  executionDifferences,
} from '../../../../src/orchestrator/divergence/explain/execution-differences.ts';
import { forkTimes } from '../../../../src/orchestrator/divergence/explain/fork-times.ts';
import { payloadOf, rawBlock, refOf } from '../../../../src/orchestrator/divergence/explain/raw-block.ts';
import type { ForkState } from '../../../../src/orchestrator/divergence/explain/schedules.ts';
import type { ChainView, NodeView, Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { attributesToJson } from '../../../../src/protocol/codec/attributes-json.ts';
import { prepareAttributes } from '../../../../src/protocol/derivation/attributes/attributes.ts';
import { rollupOf } from '../../../../src/protocol/derivation/rollup.ts';
import { FORKS, type ForkName, type ForkSchedule, rollupConfigTimes } from '../../../../src/protocol/forks/index.ts';
import { readUpgradeBundle } from '../../../../src/protocol/genesis/file/bundle-file.ts';
import { readRollupConfig } from '../../../../src/protocol/genesis/file/rollup-file.ts';
import type { Hex, L1Header } from '../../../../src/protocol/types.ts';
import { packageRoot } from '../../../../src/system/program/entry.ts';
import { ACCOUNTS } from '../../../nodes/execution/support/accounts.ts';
import { Driver } from '../../../nodes/execution/support/driver.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText } from '../../../nodes/execution/support/genesis.ts';
import { launch, type TestNode } from '../../../nodes/execution/support/nodes.ts';

const NEVER = 9_007_199_254_740_991;
const word = (digit: string): Hex => `0x${digit.repeat(64)}`;

/** The only L1 block: the origin of all L2 blocks. Its blobs are expensive, and it is of prague. */
const ORIGIN: L1Header = {
  hash: word('a'),
  number: 0,
  parentHash: word('0'),
  timestamp: GENESIS_TIME,
  mixHash: word('b'),
  baseFeePerGas: 7n,
  excessBlobGas: 0x4000000,
  parentBeaconBlockRoot: word('c'),
  requestsHash: word('d'),
};

/** The next L1 block: for a fork that counts the times of L1 origins, block 2 has this one. */
const NEXT: L1Header = { ...ORIGIN, hash: word('e'), number: 1, parentHash: ORIGIN.hash, timestamp: GENESIS_TIME + 3 };

const folder = mkdtempSync(join(tmpdir(), 'fork-times-'));
let l1: Server;
let url: string;

beforeAll(async () => {
  const hex = (value: unknown) => (typeof value === 'string' ? value : `0x${Number(value).toString(16)}`);
  const header = (of: L1Header) => Object.fromEntries(Object.entries(of).map(([key, value]) => [key, hex(value)]));
  l1 = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    response.setHeader('content-type', 'application/json');
    const { id, method, params } = JSON.parse(text);
    const result = method === 'eth_getBlockReceipts' ? [] : header(params[0] === NEXT.hash ? NEXT : ORIGIN);
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>((done) => l1.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(l1.address() as AddressInfo).port}`;
});
afterAll(() => {
  l1.close();
  rmSync(folder, { recursive: true, force: true });
});

const BUNDLES = Object.fromEntries(
  FORKS.filter(({ upgrade }) => upgrade !== null).map(({ name }) => {
    const read = readUpgradeBundle(
      JSON.parse(readFileSync(join(packageRoot(), 'dist', 'bundles', `${name}.json`), 'utf8')),
    );
    if (!read.ok) throw new Error(read.problems.join());
    return [name, read.value];
  }),
);

const FEES = { chainId: CHAIN_ID, type: 'eip1559', nonce: 0, maxFeePerGas: 10n ** 11n } as const;

/** Calls the pairing precompile with more points than a fork allows, in the code that creates a contract. */
const PAIRING = `0x60006000620${(588 * 192).toString(16)}600060085afa5000`;

/** A transfer. For a fork that limits a precompile: one whose code exceeds the limit. */
const transaction = (limitsPairing: boolean) =>
  ACCOUNTS[0]!.signTransaction(
    limitsPairing
      ? { ...FEES, gas: 27_000_000n, data: PAIRING as Hex }
      : { ...FEES, gas: 21_000n, to: ACCOUNTS[1]!.address, value: 1n },
  );

interface Built {
  readonly plan: Plan;
  readonly chain: ChainView;
  readonly majority: NodeView;
  readonly minority: NodeView;
  readonly hashes: readonly [string, string];
  readonly nodes: readonly TestNode[];
}

/** Builds block 1 on both nodes, and block 2 by each node's own schedule. */
async function diverge(
  network: ForkSchedule,
  nodeSchedule: ForkSchedule,
  fields: Record<string, unknown> = {},
): Promise<Built> {
  const genesis = genesisText(network);
  const overrides = Object.fromEntries(
    FORKS.flatMap(({ name }) => (network[name] === nodeSchedule[name] ? [] : [[name, nodeSchedule[name] ?? NEVER]])),
  );
  const nodes = await Promise.all([
    launch(genesis, { flavour: 'go' }),
    launch(genesis, { flavour: 'rust', overrides }),
  ]);
  const [majority, minority] = nodes;
  const { hash } = await majority.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
  const rollupFile = join(folder, `rollup-${majority.node.ports.http}.json`);
  const zero = (bytes: number) => `0x${'00'.repeat(bytes)}`;
  const address = (digit: string) => `0x${digit.repeat(40)}`;
  const config = {
    genesis: {
      l1: { number: 0, hash: ORIGIN.hash },
      l2: { number: 0, hash },
      l2_time: GENESIS_TIME,
      system_config: {
        batcherAddr: address('1'),
        overhead: zero(32),
        scalar: `0x01${'00'.repeat(27)}0000000a`,
        gasLimit: 30_000_000,
      },
    },
    ...{ block_time: 2, max_sequencer_drift: 600, seq_window_size: 12, channel_timeout: 6 },
    ...{ l1_chain_id: 900, l2_chain_id: CHAIN_ID, batch_inbox_address: address('2') },
    ...{ deposit_contract_address: address('3'), l1_system_config_address: address('4') },
    ...rollupConfigTimes(network),
  };
  writeFileSync(rollupFile, JSON.stringify(config));
  const read = readRollupConfig(config);
  if (!read.ok) throw new Error(read.problems.join());
  const build = async ({ url: rpc, engine }: TestNode, schedule: ForkSchedule, number: number, more = {}) => {
    const rollup = rollupOf(read.value, { schedule, bundles: BUNDLES });
    const parent = await rawBlock(rpc, number - 1);
    const origin = number === 2 && network.pectrablobschedule !== nodeSchedule.pectrablobschedule ? NEXT : ORIGIN;
    const ports = { headerByHash: async () => origin, receipts: async () => [] };
    const reader = { payloadByHash: async () => payloadOf(parent, rollup) };
    const forced = await prepareAttributes(rollup, ports, reader, refOf(parent, rollup), origin);
    const users = number === 2 ? [await transaction(network.granite !== nodeSchedule.granite)] : [];
    const json = attributesToJson({ ...forced, transactions: [...forced.transactions, ...users] });
    const driver = new Driver(engine, schedule);
    const { payloadStatus, payloadId } = await driver.makeCanonical(parent.hash, { ...json, ...more });
    if (payloadId === null) throw new Error(JSON.stringify(payloadStatus));
    const payload = await driver.payload(payloadId, Number(forced.timestamp));
    expect(await driver.import(payload)).toMatchObject({ status: 'VALID' });
    await driver.makeCanonical(payload.hash);
    return payload.hash;
  };
  expect(await build(minority, nodeSchedule, 1)).toBe(await build(majority, network, 1));
  const hashes = [await build(majority, network, 2), await build(minority, nodeSchedule, 2, fields)] as const;
  const view = (name: string, { url: http }: TestNode, times: object) =>
    ({ name, el: { http }, overrides: times }) as unknown as NodeView;
  return {
    ...{ nodes, hashes, majority: view('sequencer', majority, {}), minority: view('late', minority, overrides) },
    plan: { home: folder, files: [], network: { l1: { rpc: url } } } as unknown as Plan,
    chain: { forks: network, genesisFile: join(majority.datadir, 'genesis.json'), rollupFile } as unknown as ChainView,
  };
}

/** Executes a job as `execution-client replay` does, in this process. */
const execute = (job: object) => runJob(replayJob.parse(job), new AbortController().signal);

const CHAIN = FORKS.filter(({ optional }) => !optional).map(({ name }) => name);

/** Activates at genesis what stands before a fork. */
function below(fork: ForkName): ForkSchedule {
  const at = CHAIN.indexOf(fork);
  return Object.fromEntries((at < 0 ? CHAIN : CHAIN.slice(0, at)).slice(1).map((name) => [name, 0]));
}

/** Rules of which a block that is given shows nothing. */
const OUTSIDE_BLOCKS = ['batches', 'channels', 'engine', 'gossip'];

/** Tells whether a block shows that a fork is active. */
function changesBlocks(name: ForkName): boolean {
  const { rules, upgrade } = FORKS.find((fork) => fork.name === name)!;
  return upgrade !== null || Object.keys(rules).some((rule) => !OUTSIDE_BLOCKS.includes(rule));
}

const AT_BLOCK_2 = GENESIS_TIME + 4;
const cases = FORKS.slice(1).flatMap(({ name }) => {
  // Its time is compared with that of the L1 origin, which is below that of the block.
  const isOfOrigin = name === 'pectrablobschedule';
  const [time, later] = [isOfOrigin ? NEXT.timestamp : AT_BLOCK_2, AT_BLOCK_2 + 100];
  const state: ForkState = isOfOrigin ? 'active' : 'activates';
  return [
    { name, network: time, own: later, state: 'inactive' as ForkState },
    { name, network: later, own: time, state },
  ];
});

/** What `check --explain` shows of a block whose transaction takes another course. */
const DIFFERENT_STEP = {
  transaction: { kind: 'same' },
  receipt: { kind: 'differs', index: 1, difference: { path: 'gasUsed' } },
  step: { kind: 'differs', index: 1, step: 7, known: 'debug_traceBlockByHash of both sides' },
  state: { kind: 'differs', index: 1, known: 'prestateTracer of both sides' },
};

async function differencesOf({ nodes }: Built) {
  const sides = nodes.map(async ({ rpc, url: at }) => {
    return { url: at, header: await rpc.call<HeaderFields>('eth_getBlockByNumber', ['0x2', false]) };
  });
  const [majority, minority] = (await Promise.all(sides)) as [BlockOf, BlockOf];
  return executionDifferences(minority, majority);
}

describe('the search for a fork time that explains a block', () => {
  it.each(cases)('finds $name, $state on the minority only', async ({ name, network, own, state }) => {
    const base = below(name);
    const built = await diverge({ ...base, [name]: network }, { ...base, [name]: own });
    try {
      const [ours, theirs] = built.hashes;
      const result = await forkTimes({ ...built, block: 2 }, execute);
      expect(result.control, JSON.stringify(result)).toEqual({ same: true, result: ours });
      if (!changesBlocks(name)) return expect(theirs).toBe(ours);
      expect(theirs).not.toBe(ours);
      expect(result.own).toBe(true);
      expect(result.explaining.map(({ changes }) => changes)).toContainEqual([{ fork: name, state }]);
      for (const { changes } of result.explaining) expect(changes[0]!.fork).toBe(name);
      // The transaction is the same, and its code runs to the call that one side limits.
      if (name === 'granite') expect(await differencesOf(built)).toMatchObject(DIFFERENT_STEP);
    } finally {
      for (const node of built.nodes) await node[Symbol.asyncDispose]();
    }
  });

  it('finds none if the minority used another random number', async () => {
    const base = below('jovian');
    const built = await diverge(base, base, { prevRandao: word('7') });
    try {
      const result = await forkTimes({ ...built, block: 2 }, execute);
      expect(result).toMatchObject({ control: { same: true }, explaining: [], own: false });
      expect(result.tried).toBeGreaterThan(10);
    } finally {
      for (const node of built.nodes) await node[Symbol.asyncDispose]();
    }
  });
});
