import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { forkTimes } from '../../../../src/orchestrator/divergence/explain/fork-times.ts';
import type { ReplayJob } from '../../../../src/orchestrator/divergence/explain/replay-program.ts';
import { candidates } from '../../../../src/orchestrator/divergence/explain/schedules.ts';
import type { ChainView, NodeView, Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { type BlockHeader, encodeHeader, headerHash } from '../../../../src/protocol/codec/header.ts';
import { type ForkSchedule, rollupConfigTimes } from '../../../../src/protocol/forks/index.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { blobBaseFee } from '../../../../src/protocol/rules/l1-blob-fee/blob-base-fee.ts';
import type { ExecutionPayload, Hex } from '../../../../src/protocol/types.ts';
import { packageRoot } from '../../../../src/system/program/entry.ts';
import { createNetwork } from '../../../protocol/derivation/scripted/network.ts';
import { forksUpTo, testRollup } from '../../../protocol/derivation/scripted/rollup.ts';
import { userTransaction } from '../../../protocol/derivation/scripted/transactions.ts';
import { type AnsweringNode, answeringNode } from '../../dashboard/rpc-answers.ts';
import { type ServedL1, servedL1 } from '../../inspect/served-l1.ts';
import { blockHeader, rawOf, word } from './blocks.ts';

const home = mkdtempSync(join(tmpdir(), 'devnet-fork-times-'));
afterAll(() => rmSync(home, { recursive: true }));
const open: (AnsweringNode | ServedL1)[] = [];
afterEach(() => {
  for (const node of open.splice(0)) node.close();
});

const ROLLUP = testRollup('granite');
const FORKS = forksUpTo('granite');
const rollupFile = join(home, 'rollup.json');
writeFileSync(rollupFile, JSON.stringify({ ...ROLLUP.config, ...rollupConfigTimes(FORKS) }));

/** The header of a payload in this test, with other values in some fields. */
const headerOf = ({ blockNumber: number, timestamp }: ExecutionPayload, more: Partial<BlockHeader> = {}) =>
  blockHeader({
    ...{ number, timestamp, withdrawalsRoot: word('7'), blobGasUsed: 0n, excessBlobGas: 0n },
    ...{ parentBeaconBlockRoot: word('8') },
    ...more,
  });

/** Blocks 1 and 2 of a chain, of which the minority has another block 2. `excessBlobGas`: that of the blocks of L1. */
async function sides(overrides: NodeView['overrides'] = { granite: null }, excessBlobGas = 0) {
  const network = createNetwork(ROLLUP);
  await network.advance({}, (number) => [userTransaction(number)]);
  const [, parent, block] = network.sequencer.chain() as [unknown, ExecutionPayload, ExecutionPayload];
  const headers = {
    parent: headerOf(parent),
    ours: headerOf(block),
    theirs: headerOf(block, { stateRoot: word('f') }),
  };
  const headerByHash = async (hash: Hex) => {
    const header = await network.l1.headerByHash(hash);
    return header && { ...header, excessBlobGas };
  };
  const l1 = await servedL1({ ...network.l1, headerByHash });
  const side = async (own: BlockHeader) => {
    const node = await answeringNode((_, [id]) =>
      id === '0x1' ? rawOf(headers.parent, parent.transactions) : rawOf(own, block.transactions),
    );
    open.push(node);
    return node.url;
  };
  open.push(l1);
  const view = (name: string, http: string, times: NodeView['overrides']) =>
    ({ name, el: { http }, overrides: times }) as unknown as NodeView;
  const [majority, minority] = [await side(headers.ours), await side(headers.theirs)];
  return {
    headers,
    block,
    of: {
      plan: { home, files: [], network: l1.plan.network } as unknown as Plan,
      chain: { forks: FORKS, genesisFile: '/genesis.json', rollupFile } as unknown as ChainView,
      majority: view('sequencer', majority, {}),
      minority: view('late', minority, overrides),
      block: 2,
    },
  };
}

type Network = Awaited<ReturnType<typeof sides>>;
type Answer = (run: ReplayJob['runs'][number], at: number) => unknown;

/** Searches with a program that gives this outcome to each schedule. */
async function search(network: Network, answer: Answer) {
  const jobs: ReplayJob[] = [];
  const result = await forkTimes(network.of, async (job) => {
    jobs.push(job);
    return job.runs.map(answer);
  });
  return { result, job: jobs[0]! };
}

const built = (header: BlockHeader) => ({ hash: headerHash(header), header: bytesToHex(encodeHeader(header)) });
const timesOf = ({ block }: Network) => ({ parent: Number(block.timestamp) - 2, block: Number(block.timestamp) });
const { granite: _, ...WITHOUT } = FORKS;
const isLater = ({ granite = Number.POSITIVE_INFINITY }: ForkSchedule, { block }: Network) =>
  granite > Number(block.timestamp);

describe('the search for fork times', () => {
  it('executes the block of the minority under every schedule, on the state after the parent', async () => {
    const network = await sides();
    const { ours, theirs, parent } = network.headers;
    const { job } = await search(network, () => built(ours));
    const { majority, minority } = network.of;
    expect(job).toMatchObject({
      ...{ genesis: '/genesis.json', state: majority.el.http, parent: bytesToHex(encodeHeader(parent)) },
      witnesses: [
        { url: majority.el.http, hash: headerHash(ours) },
        { url: minority.el.http, hash: headerHash(theirs) },
      ],
    });
    const others = candidates(FORKS, timesOf(network)).map(({ schedule }) => schedule);
    expect(job.runs.slice(0, 3).map(({ schedule }) => schedule)).toEqual([FORKS, WITHOUT, FORKS]);
    for (const { schedule } of job.runs.slice(3)) expect(others).toContainEqual(schedule);
    expect(job.runs[0]?.attributes).toMatchObject({ transactions: network.block.transactions });
    // Its transactions are those of the block, behind the deposits that L1 gives.
    for (const { attributes } of job.runs) {
      const { transactions } = attributes as { transactions: string[] };
      expect(transactions.filter((raw) => !raw.startsWith('0x7e'))).toEqual([userTransaction(2)]);
      expect(transactions[0]).toMatch(/^0x7e/);
    }
  });

  it('finds the schedule that gives the block of the minority, and that of the plan', async () => {
    const network = await sides();
    const { ours, theirs } = network.headers;
    const { result, job } = await search(network, ({ schedule }) => built(isLater(schedule, network) ? theirs : ours));
    expect(result).toEqual({
      control: { same: true, result: headerHash(ours) },
      own: true,
      explaining: [
        { changes: [{ fork: 'granite', state: 'inactive' }], text: 'granite not active at block 2 (later or never)' },
      ],
      tried: job.runs.length - 3,
      impossible: candidates(FORKS, timesOf(network)).length - (job.runs.length - 3),
    });
  });

  it('leaves out a schedule that changes more than another one with the same block', async () => {
    const network = await sides();
    const { theirs } = network.headers;
    const { result } = await search(network, () => built(theirs));
    const changes = result.explaining.map((each) => each.changes);
    expect(changes.length).toBeGreaterThan(3);
    for (const one of changes)
      for (const other of changes)
        if (one !== other) {
          const keys = new Set(one.map(({ fork, state }) => `${fork} ${state}`));
          expect(other.every(({ fork, state }) => keys.has(`${fork} ${state}`))).toBe(false);
        }
    const all = candidates(FORKS, timesOf(network));
    expect(all.some((each) => each.changes.length > 1)).toBe(true);
  });

  it('finds nothing when no schedule gives the block, or when the plan has no other times', async () => {
    const network = await sides({});
    const { ours, theirs } = network.headers;
    const { result } = await search(network, () => built(ours));
    expect(result).toMatchObject({ control: { same: true }, own: false, explaining: [] });
    const { result: other } = await search(network, (_, at) => built(at === 1 ? theirs : ours));
    expect(other.explaining).toEqual([]);
  });

  it.each<[string, NodeView['overrides']]>([
    ['has none', {}],
    ['has others, under which the block is the same', { holocene: 9_000_000_000 }],
  ])('does not explain a block by the fork times of a node that %s', async (_, overrides) => {
    const network = await sides(overrides);
    const { ours, theirs } = network.headers;
    // Both blocks are those of the network's schedule, as after two builds of one height.
    const { result } = await search(network, (__, at) => built(at === 0 ? ours : theirs));
    expect(result).toMatchObject({ control: { same: true }, own: false });
  });

  it.each<[string, unknown, unknown]>([
    ['the fields that differ', undefined, /^0x[\da-f]{64}, which differs in gasUsed$/],
    ['its error', { error: 'out of gas' }, /^out of gas$/],
    ['that it was not executed', {}, /^it was not executed$/],
    ['that it was not executed, of half an answer', { hash: word('1') }, /^it was not executed$/],
    ['that it was not executed, of an answer without hex', { hash: word('1'), header: 'f9' }, /^it was not executed$/],
    ['that it was not executed, of a hash that is none', { hash: 5, header: '0xc0' }, /^it was not executed$/],
  ])('says of a control that gives another block %s', async (_, answer, words) => {
    const network = await sides();
    const other = built({ ...network.headers.ours, gasUsed: 5n });
    const { result } = await search(network, () => answer ?? other);
    expect(result).toMatchObject({ control: { same: false, result: expect.stringMatching(words as RegExp) } });
    expect(result).toMatchObject({ explaining: [], own: false });
    const { length } = candidates(FORKS, timesOf(network));
    expect(result.tried + result.impossible).toBe(length);
    if (answer !== undefined) expect(result.tried).toBe(0);
  });

  it('counts a schedule that has no attributes as impossible, and asks for no execution of it', async () => {
    const network = await sides();
    const { result, job } = await search(network, () => built(network.headers.ours));
    const { length } = candidates(FORKS, timesOf(network));
    expect(job.runs.length).toBeLessThan(length + 3);
    expect(result.impossible).toBe(length + 3 - job.runs.length);
  });

  it('says why the attributes of the control cannot be derived', async () => {
    const network = await sides();
    const l1 = await answeringNode(() => {
      throw new Error('the receipts are pruned');
    });
    open.push(l1);
    const plan = { ...network.of.plan, network: { l1: { rpc: l1.url } } } as unknown as Plan;
    const jobs: ReplayJob[] = [];
    const result = await forkTimes({ ...network.of, plan }, async (job) => {
      jobs.push(job);
      return [];
    });
    expect(result.control).toEqual({ same: false, result: expect.stringContaining('the receipts are pruned') });
    expect(result).toMatchObject({ tried: 0, own: false, explaining: [] });
    expect(jobs).toMatchObject([{ runs: [] }]);
  });

  it.each<[string, object | undefined, bigint]>([
    [
      'the configuration of L1',
      { cancunTime: 0, blobSchedule: { cancun: { baseFeeUpdateFraction: 1_000_000 } } },
      1_000_000n,
    ],
    ['the headers of L1 without one', undefined, 5_007_716n],
  ])('derives the blob base fee by %s', async (_, config, fraction) => {
    const network = await sides({}, 0x80_0000);
    const folder = join(home, `l1-${fraction}`);
    mkdirSync(join(folder, 'genesis'), { recursive: true });
    if (config) writeFileSync(join(folder, 'genesis', 'l1-chain-config.json'), JSON.stringify(config));
    const plan = { ...network.of.plan, home: folder };
    const { job } = await search({ ...network, of: { ...network.of, plan } }, () => ({}));
    const { transactions } = job.runs[0]!.attributes as { transactions: string[] };
    expect(transactions[0]).toContain(blobBaseFee(0x80_0000n, fraction).toString(16).padStart(64, '0'));
  });

  it('reads upgrade transactions from a file of the devnet, else from one of the package', async () => {
    const network = await sides();
    const file = (name: string) => join(packageRoot(), 'dist', 'bundles', name);
    const { transactions } = JSON.parse(readFileSync(file('isthmus.json'), 'utf8'));
    const own = join(home, 'bundles');
    mkdirSync(own, { recursive: true });
    const content = { metadata: { version: '1' }, transactions: transactions.slice(0, 2) };
    writeFileSync(join(own, 'isthmus.json'), JSON.stringify(content));
    const countsWith = async (...paths: readonly string[]) => {
      const plan = { ...network.of.plan, files: paths.map((path) => ({ path })) } as unknown as Plan;
      const { job } = await search({ ...network, of: { ...network.of, plan } }, () => ({}));
      const { block } = timesOf(network);
      const runs = job.runs.filter(({ schedule }) => schedule.isthmus === block && schedule.jovian === undefined);
      const listsOf = ({ attributes }: (typeof runs)[number]) =>
        (attributes as { transactions: string[] }).transactions;
      return [...new Set(runs.map((run) => listsOf(run).filter((raw) => raw.startsWith('0x7e')).length))];
    };
    expect(await countsWith(join(home, 'genesis.json'))).toEqual([1 + transactions.length]);
    expect(await countsWith(join(home, 'bundles', 'fjord.json'), join(own, 'isthmus.json'))).toEqual([3]);
    // Without a valid bundle the block cannot be one with which the fork begins.
    expect(await countsWith(join(home, 'gone', 'bundles', 'isthmus.json'))).toEqual([]);
    writeFileSync(join(own, 'isthmus.json'), '{}');
    expect(await countsWith(join(own, 'isthmus.json'))).toEqual([]);
  });

  it('needs a folder in which the program finds its job', async () => {
    const network = await sides();
    const plan = { ...network.of.plan, home: join(home, 'none') };
    const failure = { code: 'write', message: expect.stringContaining(join(home, 'none', 'replay-')) };
    await expect(forkTimes({ ...network.of, plan })).rejects.toMatchObject(failure);
  });

  it('fails when a node does not serve the block', async () => {
    const network = await sides();
    const minority = { ...network.of.minority, el: { ...network.of.minority.el, http: 'http://127.0.0.1:1' } };
    await expect(forkTimes({ ...network.of, minority }, async () => [])).rejects.toThrow('127.0.0.1:1');
  });
});
