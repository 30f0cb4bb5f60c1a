import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Agreed, checkNetwork, NO_ANSWER } from '../../../../src/orchestrator/divergence/check/check.ts';
import type { HeaderFields } from '../../../../src/orchestrator/divergence/compare.ts';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import type { Problem } from '../../../../src/orchestrator/state/problem.ts';
import { recording } from '../../../rpc/client/server.ts';
import { temporaryHome } from '../../supervisor/fixture-plan.ts';
import { turnsUntil } from '../../turns-until.ts';
import { blocksTo, type ChainNode, chainNode, planWith } from '../chain-nodes.ts';

let open: readonly ChainNode[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const node of open) node.close();
});

/** Starts a node for each list of blocks, the first one of the sequencer. */
async function nodesOf(...lists: readonly (readonly HeaderFields[])[]): Promise<readonly ChainNode[]> {
  open = await Promise.all(lists.map(chainNode));
  return open;
}

/** Checks a plan and records the progress. */
async function checked(plan: Plan, before: Agreed = {}) {
  const progress: string[] = [];
  const result = await checkNetwork(plan, before, (...parts) => progress.push(parts.join(' ')));
  return { ...result, progress };
}

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Starts a node of its own with the blocks up to 450. It drops connections as long as `isBroken` says so. */
async function flakyNode(isBroken: () => boolean) {
  const blocks = blocksTo(450);
  return recording((body, response) => {
    if (isBroken()) return void response.destroy();
    const results = (JSON.parse(body) as Request[]).map(({ id, method, params }) => ({
      ...{ id, result: method === 'eth_blockNumber' ? blocks.at(-1)?.['number'] : blocks[Number(params[0])] },
    }));
    response.end(JSON.stringify(results.map(({ id, result = null }) => ({ id, result }))));
  });
}

/** The plan whose nodes of these names receive no blocks by gossip. */
function withoutGossip(plan: Plan, ...names: readonly string[]): Plan {
  const chains = plan.network.chains.map((chain) => ({
    ...chain,
    nodes: chain.nodes.map((node) => (names.includes(node.name) ? { ...node, gossip: false } : node)),
  }));
  return { ...plan, network: { ...plan.network, chains } };
}

const numbersAsked = ({ requests }: ChainNode) =>
  requests.filter((each) => each.startsWith('0x')).map((each) => Number(each));
const hashAt = (number: number) => String(blocksTo(number)[number]?.hash);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('the check of a network', () => {
  it('agrees on the lowest head of nodes that have the same blocks', async () => {
    const nodes = await nodesOf(blocksTo(7), blocksTo(5), blocksTo(6));
    expect(await checked(planWith(nodes))).toEqual({
      ...{ agree: true, implementations: 4, divergence: null, divergences: [], problems: [] },
      agreed: { main: { number: 5, hash: hashAt(5) } },
      // Block 7 is that of one node alone.
      progress: ['main 6 6'],
    });
    expect(numbersAsked(nodes[1]!).slice(0, 7)).toEqual(range(0, 6));
    // Heads are read before the blocks and after them.
    expect(nodes[0]!.requests.filter((each) => each === 'eth_blockNumber')).toHaveLength(2);
  });

  it('names a node that has another block, and keeps the block on which all agreed before', async () => {
    const nodes = await nodesOf(blocksTo(9), blocksTo(9, 4), blocksTo(9));
    const before = { main: { number: 2, hash: hashAt(2) }, other: { number: 1, hash: '0x' } };
    const divergence = {
      ...{ chain: 'main', block: 4, nodes: ['node-1'], kind: 'hash', fields: ['stateRoot'] },
      reason: 'stateRoot is 0x2 on main/node-1, 0x1 on main/node-0',
    };
    expect(await checked(planWith(nodes), before)).toMatchObject({
      ...{ agree: false, implementations: 4, divergence, divergences: [divergence], problems: [] },
      agreed: before,
    });
  });

  it('takes the side of the sequencer when two nodes differ', async () => {
    const nodes = await nodesOf(blocksTo(3), blocksTo(3, 2));
    const plan = planWith(nodes);
    const chains = plan.network.chains.map((chain) => ({ ...chain, nodes: chain.nodes.toReversed() }));
    const reversed = { ...plan, network: { ...plan.network, chains } };
    expect((await checked(reversed)).divergence?.nodes).toEqual(['node-1']);
    expect((await checked(planWith(nodes))).divergence?.nodes).toEqual(['node-1']);
  });

  it('reads 200 blocks at a time, and none of a node after its first different block', async () => {
    const nodes = await nodesOf(blocksTo(450), blocksTo(450, 150), blocksTo(450));
    const { progress, divergences } = await checked(planWith(nodes));
    expect(progress).toEqual(['main 199 450', 'main 399 450', 'main 450 450']);
    expect(divergences).toMatchObject([{ block: 150, nodes: ['node-1'] }]);
    expect(numbersAsked(nodes[0]!)).toEqual(range(0, 450));
    expect(numbersAsked(nodes[1]!)).toEqual(range(0, 199));
  });

  it('agrees on a block far below the last batch', async () => {
    const nodes = await nodesOf(blocksTo(410), blocksTo(410), blocksTo(399));
    expect((await checked(planWith(nodes))).agreed).toEqual({ main: { number: 399, hash: hashAt(399) } });
  });

  it.each<[string, number, string, number]>([
    ['begins at the block on which all agreed before', 3, hashAt(3), 3],
    ['begins at that block when it is the lowest head', 5, hashAt(5), 5],
    ['begins at genesis when a node has another block there', 3, hashAt(4), 0],
    ['begins at genesis when the block is above the lowest head', 6, hashAt(6), 0],
  ])('%s', async (_, number, hash, first) => {
    const nodes = await nodesOf(blocksTo(8), blocksTo(5));
    const { progress, agreed } = await checked(planWith(nodes), { main: { number, hash } });
    expect(progress).toEqual(['main 5 5']);
    expect(agreed).toEqual({ main: { number: 5, hash: hashAt(5) } });
    const asked = numbersAsked(nodes[0]!);
    expect(Math.min(...(first === 0 ? asked : asked.slice(1)))).toBe(first);
    expect(asked.filter((each) => each < first)).toEqual([]);
  });

  it('begins at genesis when a node no longer serves the block on which all agreed', async () => {
    const pruned = blocksTo(5).map((block, at) => (at === 3 ? (null as never) : block));
    const nodes = await nodesOf(blocksTo(5), pruned);
    const { divergences, agreed } = await checked(planWith(nodes), { main: { number: 3, hash: hashAt(3) } });
    expect({ divergences, agreed }).toEqual({ divergences: [], agreed: { main: { number: 5, hash: hashAt(5) } } });
    expect(new Set(numbersAsked(nodes[0]!))).toEqual(new Set(range(0, 5)));
  });

  it('begins at genesis when one node alone has lost the block on which all agreed', async () => {
    const nodes = await nodesOf(blocksTo(5), blocksTo(5, 2));
    const { divergences } = await checked(planWith(nodes), { main: { number: 3, hash: hashAt(3) } });
    expect(divergences).toMatchObject([{ block: 2, nodes: ['node-1'] }]);
  });

  it('goes on without a node that does not answer, and stores no block then', async () => {
    const nodes = await nodesOf(blocksTo(5), blocksTo(5), blocksTo(5));
    nodes[1]!.failing = true;
    const started = Date.now();
    const { problems, ...result } = await checked(planWith(nodes));
    expect(result).toMatchObject({ agree: true, implementations: 3, divergences: [] });
    expect(result.agreed).toEqual({});
    expect(problems).toMatchObject([{ subject: 'main/node-1/el', what: NO_ANSWER }]);
    expect(problems[0]?.because).toContain('database is closed');
    expect(problems[0]?.since).toBeGreaterThanOrEqual(started);
    // It is not asked a second time.
    expect(nodes[1]!.requests).toEqual(['eth_blockNumber', 'safe']);
  });

  it('does not agree when no node answers', async () => {
    const nodes = await nodesOf(blocksTo(5));
    nodes[0]!.failing = true;
    expect(await checked(planWith(nodes))).toMatchObject({
      ...{ agree: false, implementations: 0, divergence: null, divergences: [], agreed: {}, progress: [] },
    });
  });

  it.each<[string, (node: ChainNode) => void]>([
    ['answer with errors', (node) => Object.assign(node, { failing: true })],
    ['are gone', (node) => node.close()],
  ])('ends when all nodes %s after the first batch', async (_, end) => {
    const nodes = await nodesOf(blocksTo(450), blocksTo(450));
    const stop = () => {
      for (const node of nodes) end(node);
    };
    const result = await checkNetwork(planWith(nodes), {}, stop);
    expect(result).toMatchObject({ agree: false, implementations: 0, divergences: [] });
    expect(result.problems).toHaveLength(2);
    expect(result.agreed).toEqual({});
  });

  it('stores no block when a node has missed a batch, although it answers the next one', async () => {
    let isBroken = false;
    await using flaky = await flakyNode(() => isBroken);
    const nodes = await nodesOf(blocksTo(450));
    const result = await checkNetwork(planWith([...nodes, flaky]), {}, (_, block) => {
      isBroken = block === 199;
    });
    expect(result).toMatchObject({ divergences: [], problems: [{ subject: 'main/node-1/el', what: NO_ANSWER }] });
    expect(result.agreed).toEqual({});
  });

  it('reads no transactions', async () => {
    await using node = await flakyNode(() => false);
    expect((await checked(planWith([node]))).agreed).toMatchObject({ main: { number: 450 } });
    const asked = node.requests.flatMap(({ body }) => JSON.parse(body) as Request[]);
    const wholes = asked.flatMap(({ method, params }) => (method === 'eth_getBlockByNumber' ? [params[1]] : []));
    expect(wholes.length).toBeGreaterThan(450);
    expect(new Set(wholes)).toEqual(new Set([false]));
  });

  it('gives a node 3 s to tell its heads', async () => {
    await using mute = await recording(() => undefined);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let problems: readonly Problem[] | undefined;
    const checking = checkNetwork(planWith([mute]), {}).then((result) => {
      problems = result.problems;
    });
    await turnsUntil(() => mute.requests.length > 0);
    await vi.advanceTimersByTimeAsync(3000);
    await turnsUntil(() => problems !== undefined);
    await checking;
    expect(problems).toMatchObject([{ because: expect.stringContaining('no answer within 3000 ms') }]);
  });

  it('stores no block that no node serves', async () => {
    const claiming = blocksTo(5).map((block, at) => (at === 5 ? { ...block, number: '0x7' } : block));
    const result = await checked(planWith(await nodesOf(claiming, claiming)));
    expect(result).toMatchObject({ agree: true, progress: ['main 7 7'] });
    expect(result.agreed).toEqual({});
  });

  it('names a node that stops to answer after its head', async () => {
    const nodes = await nodesOf(blocksTo(5), blocksTo(5));
    const plan = planWith(nodes);
    const result = await checkNetwork(plan, { main: { number: 5, hash: hashAt(5) } }, () => nodes[1]!.close());
    expect(result).toMatchObject({ agree: true, problems: [{ subject: 'main/node-1/el' }], divergences: [] });
  });

  it.each(['el', 'cl'])('quotes the log of a node that refused the block after its own: of its %s', async (process) => {
    using folder = temporaryHome();
    const nodes = await nodesOf(blocksTo(6), blocksTo(3), blocksTo(6));
    const plan = planWith(nodes, folder.home);
    const logOf = (task: string) => String(plan.tasks.find(({ id }) => id === task)?.log);
    mkdirSync(dirname(logOf('main/node-0/el')), { recursive: true });
    writeFileSync(logOf('main/node-0/el'), 'invalid block 4 in the words of another node\n');
    expect((await checked(plan)).divergences).toEqual([]);
    writeFileSync(logOf(`main/node-1/${process}`), 'refused block 4: bad extra data\n');
    expect(await checked(plan)).toMatchObject({
      ...{ agree: false, agreed: {} },
      divergence: {
        ...{ chain: 'main', block: 4, nodes: ['node-1'], kind: 'refused' },
        reason: 'refused block 4: bad extra data',
      },
    });
    expect(nodes[0]!.requests.filter((each) => each === 'eth_blockNumber')).toHaveLength(4);
    writeFileSync(logOf(`main/node-1/${process}`), 'refused block 5\n');
    expect((await checked(plan)).divergences).toEqual([]);
  });

  it('takes the block that was refused from any node that has it, and asks no silent one', async () => {
    using folder = temporaryHome();
    const nodes = await nodesOf(blocksTo(3), blocksTo(3), blocksTo(6), blocksTo(6));
    nodes[3]!.failing = true;
    const plan = planWith(nodes, folder.home);
    const log = String(plan.tasks.find(({ id }) => id === 'main/node-1/el')?.log);
    mkdirSync(dirname(log), { recursive: true });
    writeFileSync(log, 'refused block 4\n');
    expect((await checked(plan)).divergences).toMatchObject([{ block: 4, nodes: ['node-1'], kind: 'refused' }]);
    expect(nodes[3]!.requests).toEqual(['eth_blockNumber', 'safe']);
    expect(numbersAsked(nodes[1]!).filter((number) => number === 4)).toHaveLength(1);
  });

  it('looks for no refusal of a block that no other node serves', async () => {
    using folder = temporaryHome();
    const claiming = blocksTo(4).map((block, at) => (at === 4 ? { ...block, number: '0x7' } : block));
    const plan = planWith(await nodesOf(claiming, blocksTo(4)), folder.home);
    const log = String(plan.tasks.find(({ id }) => id === 'main/node-1/el')?.log);
    mkdirSync(dirname(log), { recursive: true });
    writeFileSync(log, 'refused block 5\n');
    expect((await checked(plan)).divergences).toEqual([]);
  });

  it('asks a node that is behind once more, and tells whether it moves', async () => {
    using folder = temporaryHome();
    const nodes = await nodesOf(blocksTo(60), blocksTo(10), blocksTo(12), blocksTo(60), blocksTo(50), blocksTo(58));
    const [first, , moving, , , last] = nodes;
    first!.safe = 50;
    last!.safe = 12;
    const plan = withoutGossip(planWith(nodes, folder.home), 'node-5');
    const log = String(plan.tasks.find(({ id }) => id === 'main/node-4/el')?.log);
    mkdirSync(dirname(log), { recursive: true });
    writeFileSync(log, 'refused block 51\n');
    const result = await checkNetwork(plan, {}, () => {
      // The next batch of blocks arrives.
      moving!.blocks = blocksTo(30);
    });
    expect(result.divergences).toMatchObject([
      { block: 51, nodes: ['node-4'], kind: 'refused' },
      { block: 11, nodes: ['node-1'], kind: 'behind', reason: 'node-1 is at block 10, 50 behind the highest head' },
      { block: 13, nodes: ['node-5'], reason: expect.stringContaining('safe block 12, 38 behind') },
      { block: 31, nodes: ['node-2'], catchingUp: true, reason: expect.stringContaining('from block 12 to 30') },
    ]);
    expect(result.divergences[1]).not.toHaveProperty('catchingUp');
    expect(result).toMatchObject({ agree: false, divergence: { nodes: ['node-4'] } });
    expect(result.agreed).toEqual({});
  });

  it('compares a node without gossip by its safe block, and the sequencer by its head', async () => {
    const nodes = await nodesOf(blocksTo(60), blocksTo(60), blocksTo(30));
    nodes[1]!.safe = 40;
    nodes[2]!.safe = 30;
    const plan = withoutGossip(planWith(nodes), 'node-0', 'node-1', 'node-2');
    expect((await checked(plan)).divergences).toEqual([]);
  });
});
