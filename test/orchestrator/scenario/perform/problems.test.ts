import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { devnetAt } from '../../../../src/orchestrator/devnet/select.ts';
import { networkProblems } from '../../../../src/orchestrator/scenario/perform/problems.ts';
import { pathsOf } from '../../../../src/orchestrator/state/paths.ts';
import type { Problem } from '../../../../src/orchestrator/state/problem.ts';
import { type ServedDevnet, servedDevnet } from '../served-devnet.ts';
import { type NodeKind, type TwoNodes, twoNodes } from '../two-nodes.ts';

let nodes: TwoNodes;
let devnet: ServedDevnet | undefined;
beforeAll(async () => {
  nodes = await twoNodes();
});
afterEach(async () => {
  nodes.verifier.head = undefined;
  await devnet?.[Symbol.asyncDispose]();
});
afterAll(() => nodes[Symbol.dispose]());

/** The problems of a network whose verifier is such, beside those of its health watch. */
async function problemsOf(kind: NodeKind, ...watched: readonly Pick<Problem, 'subject' | 'what'>[]) {
  nodes.verifier.is = kind;
  const [chain] = nodes.plan.network.chains;
  const split = chain!.nodes.map((node) => ({ ...node, cl: { ...node.cl, task: `main/${node.name}/cl` } }));
  // Another chain stands first, whose node has the name of one of them.
  const [alike] = chain!.nodes;
  const other = { ...chain!, name: 'other', nodes: [{ ...alike!, el: { ...alike!.el, task: 'other/node-0/el' } }] };
  const network = { ...nodes.plan.network, chains: [other, { ...chain!, nodes: split }] };
  devnet = await servedDevnet(() => ({ ...nodes.plan, network }));
  devnet.become({ problems: watched.map((each) => ({ since: 1, because: null, ...each })) });
  const problems = await networkProblems(devnetAt(pathsOf(devnet.home, 'one')));
  return problems.map(({ subject, what, because }) => [subject, what, because]);
}

const EL = 'main/node-1/el';
const OTHER = [EL, 'has another block 3', 'stateRoot is 0x2 on main/node-1, 0x1 on main/node-0'];

describe('the problems of a network', () => {
  it('are none when its nodes agree', async () => {
    expect(await problemsOf('same')).toEqual([]);
  });

  it('are those of its health, and nodes that diverge', async () => {
    expect(await problemsOf('other', { subject: 'main/node-0/el', what: 'stands still' })).toEqual([
      ['main/node-0/el', 'stands still', null],
      OTHER,
    ]);
  });

  it.each([
    ['refused block 3', [OTHER]],
    ['stands still', [[EL, 'stands still', null]]],
  ])('name a node once, of which the health watch knows that it %s', async (what, problems) => {
    expect(await problemsOf('other', { subject: EL, what })).toEqual(problems);
  });

  it('keep a block that another node, or one without another block, has refused', async () => {
    const refused = { subject: 'main/node-0/el', what: 'refused block 3' };
    expect(await problemsOf('other', refused)).toEqual([['main/node-0/el', 'refused block 3', null], OTHER]);
    await devnet?.[Symbol.asyncDispose]();
    expect(await problemsOf('same', { ...refused, subject: EL })).toEqual([[EL, 'refused block 3', null]]);
  });

  it('keep a refused block of a node that is missing blocks', async () => {
    expect(await problemsOf('behind', { subject: EL, what: 'refused block 2' })).toEqual([
      [EL, 'refused block 2', null],
    ]);
  });

  it('have no reason for another block that differs in its hash alone', async () => {
    expect(await problemsOf('renamed')).toEqual([[EL, 'has another block 3', null]]);
  });

  it('are a block that a node is missing, unless its rollup node has a problem', async () => {
    expect(await problemsOf('behind')).toEqual([[EL, 'is missing block 2', expect.anything()]]);
    await devnet?.[Symbol.asyncDispose]();
    const stopped = { subject: 'main/node-1/cl', what: 'is stopped' };
    expect(await problemsOf('behind', stopped)).toEqual([['main/node-1/cl', 'is stopped', null]]);
  });

  it('are no blocks that a node is missing while it catches up', async () => {
    let head = 1;
    // It moves, but stays far behind.
    nodes.verifier.head = () => Math.min(3, head++);
    expect(await problemsOf('behind')).toEqual([]);
  });

  it('keep another block of a node whose rollup node has a problem', async () => {
    const stopped = { subject: 'main/node-1/cl', what: 'is stopped' };
    expect(await problemsOf('other', stopped)).toEqual([['main/node-1/cl', 'is stopped', null], OTHER]);
  });
});
