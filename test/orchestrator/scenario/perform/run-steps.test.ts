import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { devnetAt } from '../../../../src/orchestrator/devnet/select.ts';
import { runSteps } from '../../../../src/orchestrator/scenario/perform/run-steps.ts';
import { pathsOf } from '../../../../src/orchestrator/state/paths.ts';
import { EXIT } from '../../../../src/system/failure.ts';
import { replaceFile } from '../../../../src/system/files/folder.ts';
import { type ServedDevnet, servedDevnet } from '../served-devnet.ts';
import { HEAD, type TwoNodes, twoNodes } from '../two-nodes.ts';

let nodes: TwoNodes;
let devnet: ServedDevnet;
beforeAll(async () => {
  nodes = await twoNodes();
});
beforeEach(async () => {
  devnet = await servedDevnet(() => nodes.plan);
});
afterEach(() => devnet[Symbol.asyncDispose]());
afterAll(() => nodes[Symbol.dispose]());

function run(text: string, { seed, over = new AbortController().signal }: { seed?: number; over?: AbortSignal } = {}) {
  const env = { DEVNET_HOME: devnet.home };
  const io = { stdout: () => undefined, stderr: () => undefined, env, cwd: devnet.home, isTty: false };
  const here = devnetAt(pathsOf(devnet.home, 'one'));
  return runSteps(io, here, { name: 'Some Steps.yaml', text }, { seed, over });
}
const STOP = 'steps: [{ node: { stop: node-1 } }]';

describe('the steps that run on a network that is up', () => {
  it('give a result with the heads of its nodes', async () => {
    expect(await run(STOP)).toEqual({
      ...{ name: 'some-steps', passed: true, seed: 0, seconds: expect.any(Number) },
      steps: [expect.objectContaining({ status: 'passed', evidence: { said: ['main/node-1/el stopped'] } })],
      heads: Object.fromEntries(
        ['main/node-0', 'main/node-1'].map((node) => [node, { number: HEAD, hash: `0x${'b'.repeat(62)}${HEAD}` }]),
      ),
    });
    expect(devnet.asked).toMatchObject([{ method: 'node', action: 'stop', tasks: ['main/node-1/el'] }]);
  });

  it('have the seed of their caller, else that of the scenario', async () => {
    expect(await run(`seed: 5\n${STOP}`)).toMatchObject({ seed: 5 });
    expect(await run(`seed: 5\n${STOP}`, { seed: 0 })).toMatchObject({ seed: 0 });
  });

  it('have not passed when one fails', async () => {
    const steps = 'steps: [{ expect: { agree: true } }, { expect: { head: { at: 9 } } }, { node: { stop: node-1 } }]';
    expect(await run(steps)).toMatchObject({
      ...{ passed: false, steps: [{ status: 'passed' }, { status: 'failed' }, { status: 'skipped' }] },
    });
    expect(devnet.asked.filter(({ method }) => method === 'node')).toEqual([]);
  });

  it('are refused before the first when one can never come true', async () => {
    await expect(run(`${STOP.slice(0, -1)}, { node: { stop: x } }]`)).rejects.toMatchObject({
      ...{ code: 'scenario', exit: EXIT.usage },
    });
    await expect(run('steps: 5')).rejects.toMatchObject({ code: 'scenario', exit: EXIT.usage });
    expect(devnet.asked).toEqual([]);
  });

  it.each([
    ['those of the plan that a step leaves', 'main/node-0', ['main/node-0']],
    ['those of the plan before it when that is gone', undefined, ['main/node-0', 'main/node-1']],
  ])('give the heads of %s', async (_, left, heads) => {
    const { plan: path } = pathsOf(devnet.home, 'one');
    devnet.answers = {
      node() {
        const chains = nodes.plan.network.chains.map((chain) => ({ ...chain, nodes: chain.nodes.slice(0, 1) }));
        if (left === undefined) rmSync(path);
        else replaceFile(path, JSON.stringify({ ...nodes.plan, network: { ...nodes.plan.network, chains } }));
        return { tasks: ['main/node-1/el'] };
      },
    };
    expect(Object.keys((await run(STOP)).heads)).toEqual(heads);
  });

  it('fail when no supervisor answers', async () => {
    await devnet.end();
    expect(await run(STOP)).toMatchObject({ passed: false, steps: [{ status: 'failed' }] });
  });

  it('fail when their caller has ended them before they run', async () => {
    expect(await run(STOP, { over: AbortSignal.abort() })).toMatchObject({
      ...{ passed: false, steps: [{ evidence: { error: 'the network ended while this step ran' } }] },
    });
  });

  it.each(['their caller ends them', 'the network ends'])('fail when %s', async (which) => {
    const over = new AbortController();
    devnet.answers = {
      node() {
        if (which === 'the network ends') void devnet.end();
        else over.abort();
        return new Promise(() => undefined);
      },
    };
    expect(await run(STOP, { over: over.signal })).toMatchObject({
      ...{ passed: false, steps: [{ evidence: { error: 'the network ended while this step ran' } }] },
    });
  });
});
