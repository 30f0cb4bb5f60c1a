import { describe, expect, it } from 'vitest';
import { renderContent } from '../../../../src/orchestrator/plan/render.ts';
import { clientsWith, contracts, optionOf, quickPlanOf, task } from '../planned.ts';
import { OWN_EL } from './own-client.ts';

const FOLDER = '/state/my-devnet/nodes/main/v/el';
const client = (omit: string) =>
  clientsWith(
    'execution-go',
    OWN_EL.replace('needs:', `omit: ${omit}\nneeds:`).replace(
      'chain: ${',
      'l1: ${l1.genesis}\n  config: ${chain.rollup}\n  chain: ${',
    ),
  );
const planWith = (ofTemplate: string, ofSpec = '{}', more = '') =>
  quickPlanOf(
    'chains: { main: { forks: { base: isthmus, jovian: +8s }, nodes: { s: { role: sequencer }, ' +
      `v: { el: { client: execution-go, runtime: process, omit: ${ofSpec} } ${more} } } } }`,
    {},
    client(ofTemplate),
  );
const own = ({ files }: ReturnType<typeof planWith>) => files.filter(({ path }) => path.startsWith(FOLDER));

describe('a file without keys', () => {
  it('is a copy of the client alone, in its folder', () => {
    const plan = planWith('{ chain.rollup: [jovian_time, genesis.l2] }');
    const planned = task(plan, 'main/v/el');
    const original = plan.files.find(({ path }) => path.endsWith('genesis/main/rollup.json'))!;
    const [copy, ...others] = own(plan);
    expect(others).toEqual([]);
    expect(copy).toMatchObject({ path: `${FOLDER}/rollup.json`, mode: 0o644, secret: false });
    if (copy?.content.kind !== 'text' || original.content.kind !== 'text') throw new Error('a file is no text');
    const { jovian_time: _, genesis, ...rest } = JSON.parse(original.content.text);
    const { l2: __, ...restOfGenesis } = genesis;
    expect(JSON.parse(copy.content.text)).toEqual({ ...rest, genesis: restOfGenesis });
    expect(optionOf(planned, 'config')).toBe(`${FOLDER}/rollup.json`);
    expect(planned.reads).toContain(`${FOLDER}/rollup.json`);
    expect(planned.reads).not.toContain(original.path);
    expect(task(plan, 'main/v/cl').reads).toContain(original.path);
    expect(plan.notices).toEqual([]);
  });

  it('is rendered from its source if that is large', () => {
    const plan = planWith('{ chain.genesis: [config.chainId], l1.genesis: [alloc] }');
    const [l2, l1] = own(plan);
    expect([l2, l1]).toEqual([
      expect.objectContaining({
        path: `${FOLDER}/genesis.json`,
        content: { kind: 'without', of: expect.objectContaining({ kind: 'l2-genesis' }), keys: ['config.chainId'] },
      }),
      expect.objectContaining({
        path: `${FOLDER}/l1.json`,
        content: { kind: 'without', of: expect.objectContaining({ kind: 'l1-genesis' }), keys: ['alloc'] },
      }),
    ]);
    const text = renderContent(l2!.content, { contracts, bundle: () => '', alloc: () => '{}' });
    expect(JSON.parse(text).config).not.toHaveProperty('chainId');
  });

  it('lacks the keys of the spec rather than those of the template', () => {
    const plan = planWith('{ chain.rollup: [jovian_time] }', '{ chain.rollup: [block_time] }');
    const { content } = own(plan)[0]!;
    const parsed = JSON.parse(content.kind === 'text' ? content.text : '');
    expect(parsed).toHaveProperty('jovian_time');
    expect(parsed).not.toHaveProperty('block_time');
    expect(own(planWith('{ chain.rollup: [jovian_time] }', '{ chain.rollup: [] }'))).toEqual([]);
  });

  it('takes the place of a chain file of its own', () => {
    const text = OWN_EL.replace(/^forks: .*$/m, 'forks: { override: chain-file }').replace(
      'needs:',
      'omit: { chain.genesis: [a.b] }\nneeds:',
    );
    const plan = quickPlanOf(
      'chains: { main: { forks: { base: isthmus, jovian: +8s }, nodes: { s: { role: sequencer }, ' +
        'v: { el: { client: execution-go, runtime: process }, override: { jovian: +40s } } } } }',
      {},
      clientsWith('execution-go', text),
    );
    expect(own(plan)).toEqual([
      expect.objectContaining({
        path: `${FOLDER}/genesis.json`,
        content: expect.objectContaining({ kind: 'without', keys: ['a.b'] }),
      }),
    ]);
    const { content } = own(plan)[0]!;
    expect(content.kind === 'without' && content.of.kind === 'l2-genesis' && content.of.inputs.schedule).toMatchObject({
      jovian: plan.genesisTime + 40,
    });
  });

  it.each([
    ['{ chain.rollup: [no.such, block_time] }', ['/genesis/main/rollup.json has no key "no.such" to omit']],
    ['{ chain.genesis: [config.none] }', ['/genesis/main/genesis.json has no key "config.none" to omit']],
    ['{ l1.genesis: [none] }', []],
  ])('is reported when the spec omits %s that it does not have', (omit, notices) => {
    expect(planWith('{}', omit).notices).toEqual(notices.map((notice) => `main/v/el: /state/my-devnet${notice}`));
  });

  it('is not reported when the template omits a key that it does not have', () => {
    expect(planWith('{ chain.rollup: [no.such] }').notices).toEqual([]);
  });
});
