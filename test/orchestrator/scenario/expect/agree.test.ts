import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { agree } from '../../../../src/orchestrator/scenario/expect/agree.ts';
import { scriptedRun } from '../scripted-run.ts';
import { HEAD, type NodeKind, type TwoNodes, twoNodes } from '../two-nodes.ts';

let nodes: TwoNodes;
beforeAll(async () => {
  nodes = await twoNodes();
});
afterAll(() => nodes[Symbol.dispose]());

afterEach(() => {
  nodes.verifier.head = undefined;
});

const run = () => ({ ...scriptedRun(), plan: () => nodes.plan });
const look = async (isExpected: boolean, kind: NodeKind) => {
  nodes.verifier.is = kind;
  return (await agree.begin(isExpected, run()))();
};
/** Begins while both nodes have the newest block. */
const beginning = (isExpected: boolean) => {
  Object.assign(nodes.verifier, { is: 'same', head: undefined });
  return agree.begin(isExpected, run());
};

describe('the expectation of agreement', () => {
  it.each<[boolean, NodeKind, boolean]>([
    [true, 'same', true],
    [true, 'other', false],
    [true, 'silent', false],
    [false, 'same', false],
    [false, 'other', true],
    [false, 'silent', false],
  ])('%j: with a verifier that is %s, it holds: %j', async (isExpected, kind, holds) => {
    expect(await look(isExpected, kind)).toMatchObject({ holds });
  });

  it.each([true, false])('%j: names a node that does not answer', async (isExpected) => {
    expect(await look(isExpected, 'silent')).toMatchObject({
      because: expect.stringContaining('main/node-1/el does not answer'),
    });
  });

  it('says that no node differs before it names those that do not answer', async () => {
    expect(await look(false, 'silent')).toMatchObject({
      because: expect.stringMatching(/^no node differs; main\/node-1\/el does not answer/),
    });
  });

  it('says what was compared, and what differs', async () => {
    expect(await look(true, 'same')).toEqual({ holds: true, evidence: { agree: true, implementations: 2 } });
    const because =
      /^the nodes do not agree: node-1 at block 3: stateRoot is 0x2 on main\/node-1, 0x1 on main\/node-0$/;
    expect(await look(true, 'other')).toMatchObject({
      because: expect.stringMatching(because),
      evidence: { agree: false, divergences: [{ nodes: ['node-1'], block: 3 }] },
    });
    expect(await look(false, 'same')).toMatchObject({ because: 'no node differs', evidence: { agree: true } });
    expect((await look(false, 'same')).evidence).not.toHaveProperty('divergences');
  });

  it.each([
    [HEAD - 2, true],
    [HEAD - 3, false],
  ])('lets a node lack two of the blocks that stood at the beginning: block %d, %s', async (head, holds) => {
    const check = await beginning(true);
    nodes.verifier.head = () => head;
    expect(await check()).toMatchObject({
      holds,
      ...(!holds && { because: `the nodes do not agree: main/node-1 is at block ${head} of ${HEAD - 2}` }),
    });
    const other = await beginning(false);
    nodes.verifier.head = () => head;
    expect(await other()).toMatchObject({ holds: !holds });
  });

  it('counts from the highest block of all nodes of a chain, and of no other chain', async () => {
    const [chain] = nodes.plan.network.chains;
    const [first, second] = chain!.nodes;
    const two = [
      { ...chain!, nodes: [first!] },
      { ...chain!, name: 'other', nodes: [second!] },
    ];
    nodes.verifier.head = () => 5;
    const plan = { ...nodes.plan, network: { ...nodes.plan.network, chains: two } };
    expect(await (await agree.begin(true, { ...run(), plan: () => plan }))()).toMatchObject({ holds: true });
    expect(await (await agree.begin(true, run()))()).toMatchObject({
      because: expect.stringContaining(`main/node-1 is at block 5 of ${HEAD - 2}`),
    });
  });

  it('counts from the highest block of the beginning, whichever node has it', async () => {
    nodes.verifier.head = () => HEAD + 9;
    const check = await agree.begin(true, run());
    nodes.verifier.head = undefined;
    expect(await check()).toMatchObject({ because: expect.stringContaining(`is at block ${HEAD} of ${HEAD + 7}`) });
  });
});
