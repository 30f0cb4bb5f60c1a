import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { wait } from '../../../../src/orchestrator/scenario/steps/wait.ts';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { type ServedDevnet, servedDevnet, standingTime } from '../served-devnet.ts';
import { HEAD, type TwoNodes, twoNodes } from '../two-nodes.ts';

let nodes: TwoNodes;
let devnet: ServedDevnet;
beforeAll(async () => {
  nodes = await twoNodes();
});
beforeEach(async () => {
  nodes.verifier.head = undefined;
  devnet = await servedDevnet(() => nodes.plan);
});
afterEach(() => devnet[Symbol.asyncDispose]());
afterAll(() => nodes[Symbol.dispose]());

/** Waits on the network. `pass` is called as time passes, by default as asked. Returns how long that was. */
async function run(value: Json, pass: () => void = () => undefined, slotMs?: number) {
  let now = 0;
  const time = standingTime({
    now: () => now,
    async pass(ms) {
      now += slotMs ?? ms;
      pass();
    },
  });
  expect(await wait.run(value, devnet.run({ time }))).toEqual({});
  return now;
}

describe('the step wait', () => {
  it.each([`block:${HEAD}`, 'ready', 'finalized:0', `safe:${HEAD} @node-1`, { for: 'ready' }])(
    'ends at once when it is so: %j',
    async (value) => {
      expect(await run(value)).toBe(0);
    },
  );

  it.each([
    `block:${HEAD} @node-1`,
    `block:${HEAD} node-1`,
    `block:${HEAD}   node-1`,
    { for: `block:${HEAD}`, node: 'main/node-1' },
  ])('ends when the node that it names has the block: %j', async (value) => {
    nodes.verifier.head = () => 2;
    const passed = await run(value, () => {
      nodes.verifier.head = undefined;
    });
    expect(passed).toBeGreaterThan(0);
  });

  it('waits for every node without a name, and for no other with one', async () => {
    nodes.verifier.head = () => 2;
    expect(await run(`block:${HEAD} @node-0`)).toBe(0);
    await expect(run({ for: `block:${HEAD}`, timeout: '200ms' })).rejects.toMatchObject({
      code: 'late',
      message: 'not within 0.2 s: main/node-1: its unsafe block is 2',
    });
  });

  it('waits a minute by default', async () => {
    nodes.verifier.head = () => 2;
    let passed = 0;
    const slot = () => {
      passed += 1;
    };
    await expect(run('block:9', slot, 20_000)).rejects.toThrow(/^not within 60 s: /);
    expect(passed).toBe(3);
  });

  it('asks the supervisor whether the network is ready', async () => {
    devnet.become({ phase: 'starting' });
    const passed = await run('ready', () => devnet.become({ phase: 'ready' }));
    expect(passed).toBeGreaterThan(0);
    expect(devnet.asked).toContainEqual({ method: 'state' });
  });

  it.each<[Json, RegExp]>([
    ['blok:5', /\(did you mean block:5\?\), and @NODE after it for one node$/],
    [{ for: 'blok:5' }, /^ready, block:N, .* \(did you mean block:5\?\)$/],
    [{ for: 'x' }, /^ready, block:N, safe:N, finalized:N or fork:NAME$/],
    ['block:5 @a b', /^ready, block:N, .*, and @NODE after it for one node$/],
    ['block:5@a', /^ready, block:N, /],
    ['x', /^ready, block:N, safe:N, finalized:N or fork:NAME, and @NODE/],
  ])('refuses %j', (value, message) => {
    const { issues = [] } = wait.schema.safeParse(value).error ?? {};
    const problem = { code: 'custom', message: expect.stringMatching(message) };
    expect(leavesOf(issues)).toContainEqual(expect.objectContaining(problem));
  });
});

/** Lists the issues of a schema, those of each branch of a union. */
function leavesOf(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  return issues.flatMap((each) => (each.code === 'invalid_union' ? leavesOf(each.errors.flat()) : [each]));
}
