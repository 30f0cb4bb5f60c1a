import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Divergence, HeaderFields } from '../../../../src/orchestrator/divergence/compare.ts';
import { explain } from '../../../../src/orchestrator/divergence/explain/explain.ts';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { temporaryHome } from '../../supervisor/fixture-plan.ts';
import { blocksTo, type ChainNode, chainNode, planWith } from '../chain-nodes.ts';

let open: readonly ChainNode[] = [];
afterEach(() => {
  for (const node of open) node.close();
});

/** Starts a node for each list of blocks, the first one of the sequencer. */
async function networkOf(...lists: readonly (readonly HeaderFields[])[]): Promise<readonly ChainNode[]> {
  open = await Promise.all(lists.map(chainNode));
  return open;
}

const divergence: Divergence = {
  ...{ chain: 'main', block: 3, nodes: ['node-1'], kind: 'hash', fields: ['stateRoot'], reason: '' },
};

/** Returns the plan with other values in its chain. */
function withChain(plan: Plan, more: Partial<Plan['network']['chains'][number]>): Plan {
  return { ...plan, network: { ...plan.network, chains: plan.network.chains.map((chain) => ({ ...chain, ...more })) } };
}

describe('an explanation of a divergence', () => {
  it('has both sides, what differs, what is not known and how the minority was started', async () => {
    const plan = planWith(await networkOf(blocksTo(5), blocksTo(5, 3)));
    const sender = plan.tasks.find(({ id }) => id === 'main/node-1/el')!;
    const secret = 'ab'.repeat(32);
    const command = { argv: ['geth', `--key=${secret}`], cwd: '/x', env: {} };
    const tasks = plan.tasks.map((task) => (task === sender ? { ...task, command, secrets: [secret] } : task));
    const noMethod = (method: string) => expect.stringContaining(`the method ${method} does not exist`);
    expect(await explain({ ...plan, tasks }, { ...divergence, kind: 'refused' })).toEqual({
      ...{ chain: 'main', block: 3, kind: 'refused', nodes: ['node-1'], against: 'node-0', time: 1003 },
      boundary: null,
      fields: [{ field: 'stateRoot', minority: '0x2', majority: '0x1' }],
      execution: {
        transaction: { kind: 'unknown', because: noMethod('debug_getRawBlock') },
        receipt: { kind: 'unknown', because: noMethod('eth_getBlockReceipts') },
        step: { kind: 'unknown', because: 'no receipt is known to differ' },
        state: { kind: 'unknown', because: noMethod('eth_getProof') },
      },
      refusals: [],
      forkTimes: { unknown: noMethod('debug_getRawBlock') },
      commands: [
        { task: 'main/node-1/el', command: "cd /x && geth '--key=[redacted]'" },
        { task: 'main/node-1/cl', command: expect.stringContaining('sleep-forever.sh') },
      ],
    });
  });

  it('lists the header fields that differ by their names', async () => {
    const other = blocksTo(3).map((each) => ({
      ...each,
      hash: `0x${'c'.repeat(64)}`,
      mixHash: '0x1',
      extraData: '0x',
    }));
    const { fields } = await explain(planWith(await networkOf(blocksTo(3), other)), divergence);
    expect(fields).toEqual([
      { field: 'extraData', minority: '0x', majority: undefined },
      { field: 'mixHash', minority: '0x1', majority: undefined },
    ]);
  });

  it.each<[string, readonly string[], string | undefined, string]>([
    ['the sequencer', ['node-1'], undefined, 'node-0'],
    ['the node that is named', ['node-1'], 'node-2', 'node-2'],
    ['the sequencer instead of a name that the chain does not have', ['node-1'], 'node-9', 'node-0'],
    ['the sequencer instead of a node of the minority', ['node-1', 'node-2'], 'node-2', 'node-0'],
    ['the first other node when the sequencer is in the minority', ['node-0'], undefined, 'node-1'],
  ])('compares with %s', async (_, nodes, against, expected) => {
    const plan = planWith(await networkOf(blocksTo(3), blocksTo(3), blocksTo(3)));
    expect(await explain(plan, { ...divergence, nodes }, against)).toMatchObject({ nodes, against: expected });
  });

  it('compares with the sequencer wherever it stands in the plan', async () => {
    const plan = planWith(await networkOf(blocksTo(3), blocksTo(3), blocksTo(3)));
    const nodes = plan.network.chains[0]!.nodes.toReversed();
    expect(await explain(withChain(plan, { nodes }), divergence)).toMatchObject({ against: 'node-0' });
  });

  it.each<[string, Partial<Divergence>]>([
    ['chain', { chain: 'other' }],
    ['node of the minority', { nodes: ['node-9'] }],
    ['other node', { nodes: ['node-0', 'node-1'] }],
  ])('is refused when the plan has no such %s', async (_, more) => {
    const plan = planWith(await networkOf(blocksTo(3), blocksTo(3)));
    await expect(explain(plan, { ...divergence, ...more })).rejects.toThrow(
      `the plan has no two sides for block 3 of ${more.chain ?? 'main'}`,
    );
  });

  it.each([
    ['minority', 5, 2, 'node-1', 1003],
    ['majority', 2, 5, 'node-0', null],
  ])('executes nothing when the %s has no block of its own', async (_, first, second, without, time) => {
    const nodes = await networkOf(blocksTo(first), blocksTo(second));
    const result = await explain(planWith(nodes), divergence);
    expect(result).toMatchObject({ time, fields: [], execution: null });
    expect(result.forkTimes).toEqual({ unknown: `main/${without} has no block 3 of its own to execute` });
  });

  it('executes nothing when a side does not answer', async () => {
    const nodes = await networkOf(blocksTo(3), blocksTo(3, 3));
    nodes[1]!.failing = true;
    const result = await explain(planWith(nodes), divergence);
    expect(result.forkTimes).toEqual({ unknown: 'main/node-1 has no block 3 of its own to execute' });
  });

  it('names the fork boundary next to the block', async () => {
    const plan = planWith(await networkOf(blocksTo(3), blocksTo(3, 3)));
    const forks = { isthmus: plan.genesisTime + 3, jovian: plan.genesisTime + 30 };
    expect(await explain(withChain(plan, { forks }), divergence)).toMatchObject({
      boundary: { fork: 'isthmus', block: 3, distance: 0, nodes: {} },
    });
    const nodes = plan.network.chains[0]!.nodes.map((node) => ({
      ...node,
      overrides: { karst: plan.genesisTime + 2 },
    }));
    expect(await explain(withChain(plan, { nodes }), divergence)).toMatchObject({
      boundary: {
        fork: 'karst',
        distance: 1,
        nodes: { 'node-0': plan.genesisTime + 2, 'node-1': plan.genesisTime + 2 },
      },
    });
  });

  it('quotes the logs in which a side refuses the block of the other, without secrets', async () => {
    using folder = temporaryHome();
    const nodes = await networkOf(blocksTo(3), blocksTo(3, 3), blocksTo(3));
    const bare = planWith(nodes, folder.home);
    const secret = 'cd'.repeat(32);
    const plan = { ...bare, tasks: bare.tasks.map((task) => ({ ...task, secrets: [secret] })) };
    const put = (task: string, text: string) => {
      const log = String(plan.tasks.find(({ id }) => id === task)?.log);
      mkdirSync(dirname(log), { recursive: true });
      writeFileSync(log, text);
      return log;
    };
    const [ours, other] = [`0x${'b'.repeat(56)}00000003`, `0x${'a'.repeat(56)}00000003`];
    const log = put('main/node-1/cl', `refused ${other} with ${secret}\n`);
    put('main/node-1/el', `refused ${ours}\n`);
    put('main/node-0/el', `refused ${ours}\n`);
    put('main/node-0/cl', `refused ${other}\n`);
    put('main/node-2/el', `refused ${ours}\nrefused block 3\n`);
    const { refusals } = await explain(plan, divergence);
    expect(refusals).toEqual([
      { task: 'main/node-1/cl', log, words: `refused ${other} with [redacted]` },
      { task: 'main/node-0/el', log: log.replace('1-cl', '0-el'), words: `refused ${ours}` },
    ]);
    nodes[0]!.blocks = blocksTo(2);
    expect((await explain(plan, divergence)).refusals).toMatchObject([{ task: 'main/node-0/el' }]);
  });
});
