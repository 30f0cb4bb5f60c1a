import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { renderContent } from '../../../../src/orchestrator/plan/render.ts';
import { contracts, optionOf, planOf, task } from '../planned.ts';

const NEVER = Number.MAX_SAFE_INTEGER;

/** A chain on which holocene and isthmus activate after genesis, with one more node. */
const planWith = (node: string) =>
  planOf(
    'l1: { blockTime: 1 }\n' +
      'chains: { main: { blockTime: 1, forks: { base: granite, holocene: +8s, isthmus: +20s, jovian: never }, ' +
      `nodes: { seq: { role: sequencer }, late: ${node} } } }`,
  );
const jsonOf = (plan: Plan, path: string) =>
  JSON.parse(
    renderContent(plan.files.find((file) => file.path === path)!.content, { contracts, bundle: () => '' }),
  ) as Record<string, unknown> & { readonly config: Record<string, unknown> };

describe('an override reaches a client by a flag', () => {
  it.each([
    ['a later time', '{ override: { isthmus: +40s } }', { 'override.isthmus': 40 }],
    ['never', '{ override: { isthmus: never } }', { 'override.isthmus': NEVER }],
    ['two forks', '{ override: { holocene: +9s, isthmus: +40s } }', { 'override.holocene': 9, 'override.isthmus': 40 }],
    ["the chain's own time, which needs none", '{ override: { isthmus: +20s } }', {}],
    [
      'one of two, when the other has the time of the chain',
      '{ override: { holocene: +8s, isthmus: +40s } }',
      {
        'override.isthmus': 40,
      },
    ],
  ])('%s', (_, node, flags) => {
    const plan = planWith(node);
    const expected = Object.fromEntries(
      Object.entries(flags).map(([flag, after]) => [flag, after === NEVER ? after : plan.genesisTime + after]),
    );
    for (const part of ['el', 'cl']) {
      const argv = task(plan, `main/late/${part}`).command.argv.filter((word) => word.startsWith('--override.'));
      expect(Object.fromEntries(argv.map((word) => word.slice(2).split('=')))).toEqual(
        Object.fromEntries(Object.entries(expected).map(([flag, time]) => [flag, String(time)])),
      );
    }
    for (const part of ['el', 'cl'])
      expect(task(plan, `main/seq/${part}`).command.argv.join(' ')).not.toContain('override');
  });
});

describe('an override reaches a client by a file of its own', () => {
  const plan = planWith(
    '{ el: { client: op-reth, binary: op-reth }, cl: { client: kona-node, binary: kona-node }, ' +
      'override: { isthmus: +40s } }',
  );
  const [chain] = plan.network.chains;
  const T = plan.genesisTime;

  it('of the execution client: genesis.json', () => {
    const own = optionOf(task(plan, 'main/late/el'), 'chain')!;
    expect(own).toBe('/state/my-devnet/nodes/main/late/el/genesis.json');
    expect(jsonOf(plan, own)['config']).toMatchObject({ holoceneTime: T + 8, isthmusTime: T + 40, pragueTime: T + 40 });
    expect(jsonOf(plan, chain!.genesisFile)['config']).toMatchObject({ isthmusTime: T + 20, pragueTime: T + 20 });
    expect(task(plan, 'main/late/el').reads).toContain(own);
  });

  it('of the rollup node: rollup.json', () => {
    const own = '/state/my-devnet/nodes/main/late/cl/rollup.json';
    expect(task(plan, 'main/late/cl').command.argv.join(' ')).toContain(own);
    expect(task(plan, 'main/late/cl').command.argv.join(' ')).not.toContain(chain!.rollupFile);
    expect(jsonOf(plan, own)).toEqual({ ...jsonOf(plan, chain!.rollupFile), isthmus_time: T + 40 });
    expect(jsonOf(plan, chain!.rollupFile)['isthmus_time']).toBe(T + 20);
  });

  it('not of the sequencer, which has the files of the chain', () => {
    for (const part of ['el', 'cl'])
      expect(task(plan, `main/seq/${part}`).command.argv.join(' ')).not.toContain('/nodes/main/late/');
    expect(optionOf(task(plan, 'main/seq/cl'), 'rollup.config')).toBe(chain!.rollupFile);
  });

  it('that leaves out a fork which never activates', () => {
    const never = planWith('{ cl: { client: kona-node, binary: kona-node }, override: { isthmus: never } }');
    const own = jsonOf(never, '/state/my-devnet/nodes/main/late/cl/rollup.json');
    expect(Object.keys(own)).not.toContain('isthmus_time');
    expect(own).toMatchObject({ holocene_time: never.genesisTime + 8 });
  });
});
