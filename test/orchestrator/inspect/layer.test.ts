import { describe, expect, it } from 'vitest';
import { ask, blocksAt, layersOf, numbersOf } from '../../../src/orchestrator/inspect/layer.ts';
import { answeringNode } from '../dashboard/rpc-answers.ts';
import { quickPlanOf } from '../plan/planned.ts';

const SET = 'chains: { main: { conductor: true, nodes: { s: { role: sequencer, count: 3 }, v: {} } } }';

describe('the places that a command asks', () => {
  const labels = (...words: Parameters<typeof layersOf>) => layersOf(...words).map(({ label }) => label);

  it('are the leader of a set and L1', () => {
    expect(labels(quickPlanOf(SET), {}, new Map([['main', 's-2']]))).toEqual(['main/s-2', 'l1']);
    expect(labels(quickPlanOf(SET), { chain: 'main' }, new Map([['main', 's-3']]))).toEqual(['main/s-3']);
  });

  it('are the first sequencer and L1 when no conductor names a leader', () => {
    expect(labels(quickPlanOf(SET), {}, new Map())).toEqual(['main/s-1', 'l1']);
    expect(labels(quickPlanOf('{}'), {}, new Map())).toEqual(['main/sequencer', 'l1']);
  });

  it('are the node that is named, whichever leads', () => {
    expect(labels(quickPlanOf(SET), { node: 'v' }, new Map([['main', 's-2']]))).toEqual(['main/v']);
  });

  it('are all sequencers when the leader is not asked for', () => {
    expect(labels(quickPlanOf(SET), {})).toEqual(['main/s-1', 'main/s-2', 'main/s-3', 'l1']);
  });
});

describe('the places that a name gives', () => {
  const plan = quickPlanOf('chains: { one: { nodes: { s: { role: sequencer }, v: {} } }, two: {} }');
  const places = (place: Parameters<typeof layersOf>[1]) => layersOf(plan, place);

  it('are L1 with the address that its own processes use', () => {
    expect(places({ chain: 'l1' })).toEqual([{ kind: 'l1', label: 'l1', url: plan.network.l1.rpc }]);
  });

  it('are the sequencers of all chains, or of one', () => {
    expect(places({}).map(({ label }) => label)).toEqual(['one/s', 'two/sequencer', 'l1']);
    const [chain] = plan.network.chains;
    const [node] = chain!.nodes;
    expect(places({ chain: 'one' })).toEqual([{ kind: 'l2', label: 'one/s', url: node!.el.http, chain, node }]);
    expect(places({ chain: 'two', node: 'sequencer' }).map(({ label }) => label)).toEqual(['two/sequencer']);
  });

  it('are none of another name, and its failure lists the names', () => {
    const failure = (place: Parameters<typeof layersOf>[1]) => {
      try {
        return places(place);
      } catch (error) {
        const { code, exit, message } = error as { code: string; exit: number; message: string };
        return { code, exit, message };
      }
    };
    expect(failure({ chain: 'three' })).toEqual({
      ...{ code: 'chain', exit: 2, message: 'my-devnet has no chain three; expected one of l1, one, two' },
    });
    expect(failure({ node: 'x' })).toEqual({
      ...{ code: 'node', exit: 2, message: 'my-devnet has no node x; expected one of s, v, sequencer, verifier' },
    });
    expect(failure({ chain: 'two', node: 'v' })).toMatchObject({ code: 'node' });
  });
});

describe('a place', () => {
  it.each([
    [3, 5, [3, 4, 5]],
    [3, 3, [3]],
    [4, 3, []],
    [9, 3, []],
  ])('has between %d and %d the numbers %j', (first, last, numbers) => {
    expect(numbersOf(first, last)).toEqual(numbers);
  });

  it('answers a call, and many blocks at once without those that it lacks', async () => {
    const requests: unknown[] = [];
    const node = await answeringNode((method, params) => {
      requests.push([method, params]);
      if (params[0] === '0x3') throw new Error('pruned');
      return params[0] === '0x2' ? null : { number: params[0] };
    });
    try {
      expect(await blocksAt(node, [1, 2, 3, 16], true)).toEqual([{ number: '0x1' }, { number: '0x10' }]);
      expect(requests).toEqual(['0x1', '0x2', '0x3', '0x10'].map((id) => ['eth_getBlockByNumber', [id, true]]));
      expect(await ask(node, 'eth_call', 'a', 5)).toEqual({ number: 'a' });
      expect(requests.at(-1)).toEqual(['eth_call', ['a', 5]]);
    } finally {
      node.close();
    }
  });
});
