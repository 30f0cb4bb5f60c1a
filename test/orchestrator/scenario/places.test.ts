import { describe, expect, it } from 'vitest';
import { chainOf } from '../../../src/orchestrator/devnet/select-chain.ts';
import { targetOf } from '../../../src/orchestrator/scenario/on.ts';
import {
  chainNamed,
  nameOf,
  nodesNamed,
  nodesOf,
  posterTask,
  sequencerOf,
} from '../../../src/orchestrator/scenario/places.ts';
import { quickPlanOf } from '../plan/planned.ts';
import { fixturePlan } from '../supervisor/fixture-plan.ts';

const one = fixturePlan('/home', 'one', [{ port: 1 }, { port: 2 }]);
const [chain] = one.network.chains;
const planned = quickPlanOf('chains: { main: { nodes: { node-0: { role: sequencer }, node-1: {} } } }');
const two = {
  ...one,
  network: { ...one.network, chains: [chain!, { ...chain!, name: 'other', nodes: chain!.nodes.toReversed() }] },
};

describe('the words of a scenario for nodes', () => {
  it.each([
    [undefined, ['main/node-0', 'main/node-1', 'other/node-1', 'other/node-0']],
    ['node-1', ['main/node-1', 'other/node-1']],
    ['other/node-1', ['other/node-1']],
    ['main', []],
    ['node', []],
  ])('%s names %j', (word, names) => {
    expect(nodesNamed(two, word).map(nameOf)).toEqual(names);
  });

  it.each([
    [undefined, 'main'],
    ['other', 'other'],
    ['none', undefined],
  ])('the chain %s is %s', (name, found) => {
    expect(chainNamed(two, name)?.name).toBe(found);
  });

  it.each([
    ['node-1', ['main/node-1']],
    ['main/node-0', ['main/node-0']],
    ['node-1.cl', ['main/node-1']],
    ['main/node-0/el', ['main/node-0']],
    ['l1', []],
  ])('a fault at %s is one of the nodes %j', (word, names) => {
    expect(nodesOf(planned, word).map(nameOf)).toEqual(names);
  });

  it('a batcher is that of the first chain, or of the chain that is named', () => {
    const batcher = (task: string) => ({ task }) as NonNullable<NonNullable<typeof chain>['batcher']>;
    const chains = [
      { ...chain!, batcher: batcher('main/batcher') },
      { ...chain!, name: 'other', batcher: batcher('other/batcher') },
    ];
    const plan = { network: { ...one.network, chains } };
    expect([undefined, 'other'].map((name) => posterTask(plan, 'batcher', name))).toEqual([
      'main/batcher',
      'other/batcher',
    ]);
  });

  it('the sequencer is found by its role, wherever it stands', () => {
    for (const each of two.network.chains) expect(sequencerOf(each)?.name).toBe('node-0');
  });

  it('a transaction goes to the sequencer of the first chain, to L1, or to the node that is named', () => {
    expect(targetOf(two, undefined)).toMatchObject({ url: chain!.nodes[0]!.el.http, chain: { name: 'main' } });
    expect(targetOf(two, 'l1')).toMatchObject({ url: two.network.l1.rpc, chain: { name: 'main' } });
    expect(targetOf(two, 'other/node-1')).toMatchObject({ url: chain!.nodes[1]!.el.http, chain: { name: 'other' } });
  });
});

describe('the chain of a command', () => {
  it('is the only one without a name, or the one that is named', () => {
    expect(chainOf(one, undefined).name).toBe('main');
    expect(chainOf(one, 'main').name).toBe('main');
    expect(chainOf(two, 'other').name).toBe('other');
  });

  it.each([
    [two, undefined, 'one has several chains: main, other'],
    [two, 'none', 'one has no chain none; expected one of main, other'],
    [one, 'other', 'one has no chain other; expected one of main'],
  ])('is asked for otherwise, with the list', (plan, name, message) => {
    expect(() => chainOf(plan, name)).toThrow(expect.objectContaining({ code: 'chain', exit: 2, message }));
  });
});
