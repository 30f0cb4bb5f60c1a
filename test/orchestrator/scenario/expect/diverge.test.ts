import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diverge } from '../../../../src/orchestrator/scenario/expect/diverge.ts';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { fixturePlan } from '../../supervisor/fixture-plan.ts';
import { scriptedRun } from '../scripted-run.ts';
import { type NodeKind, type TwoNodes, twoNodes } from '../two-nodes.ts';

let nodes: TwoNodes;
beforeAll(async () => {
  nodes = await twoNodes();
});
afterAll(() => nodes[Symbol.dispose]());

const look = async (value: Record<string, Json>, kind: NodeKind = 'other') => {
  nodes.verifier.is = kind;
  return (await diverge.begin(value, { ...scriptedRun(), plan: () => nodes.plan }))();
};
const REASON = 'stateRoot is 0x2 on main/node-1, 0x1 on main/node-0';

describe('the expectation of a divergence', () => {
  it.each<Record<string, Json>>([
    { node: 'node-1' },
    { node: 'main/node-1' },
    { node: 'node-1', block: 3, kind: 'hash', field: 'stateRoot' },
  ])('holds for the node that differs: %j', async (value) => {
    expect(await look(value)).toMatchObject({
      holds: true,
      evidence: { divergence: { chain: 'main', nodes: ['node-1'], block: 3, kind: 'hash' } },
    });
  });

  it.each<[Record<string, Json>, string]>([
    [{ block: 2 }, `node-1 diverges at block 3, not at 2: ${REASON}`],
    [{ block: 4 }, `node-1 diverges at block 3, not at 4: ${REASON}`],
    [{ kind: 'behind' }, `node-1 diverges by "hash", not by "behind": ${REASON}`],
    [{ field: 'extraData' }, 'extraData is the same in block 3; these fields differ: stateRoot'],
  ])('does not hold for %j, and says how it is', async (value, because) => {
    expect(await look({ node: 'node-1', ...value })).toMatchObject({
      ...{ holds: false, because },
      evidence: { divergence: { block: 3 } },
    });
  });

  it('holds for each of several nodes that differ from the others', async () => {
    const [same = 0, other = 0] = nodes.plan.tasks.map(({ ports }) => ports[0]?.port);
    const plan = fixturePlan(
      '/home',
      'one',
      [same, same, same, other, other].map((port) => ({ port })),
    );
    nodes.verifier.is = 'other';
    for (const node of ['node-3', 'main/node-4'])
      expect(await (await diverge.begin({ node }, { ...scriptedRun(), plan: () => plan }))()).toMatchObject({
        ...{ holds: true, evidence: { divergence: { nodes: ['node-3', 'node-4'] } } },
      });
  });

  it.each([
    ['hash', true],
    ['refused', true],
    ['behind', true],
    ['late', false],
  ])('knows the kind %s: %s', (kind, isKnown) => {
    expect(diverge.schema.safeParse({ node: 'a', kind }).success).toBe(isKnown);
  });

  it('does not hold when another node diverges, which it names', async () => {
    expect(await look({ node: 'node-0' })).toMatchObject({
      because: 'node-0 agrees with the others; node-1 diverges',
      evidence: { divergences: [{ nodes: ['node-1'] }] },
    });
    expect(await look({ node: 'other/node-1' })).toMatchObject({ holds: false });
  });

  it('does not hold when all agree', async () => {
    expect(await look({ node: 'node-1' }, 'same')).toEqual({
      ...{ holds: false, because: 'node-1 agrees with the others', evidence: { divergences: [] } },
    });
  });
});
