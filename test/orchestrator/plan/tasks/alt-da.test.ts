import { describe, expect, it } from 'vitest';
import { optionOf, quickPlanOf, task } from '../planned.ts';

const OPTIONS = ['altda.enabled', 'altda.da-server', 'altda.da-service'];
const USERS = ['main/batcher', 'main/sequencer/cl', 'main/verifier/cl'];

describe('a DA server', () => {
  it('is used by the batcher and every rollup node, and the rollup reads generic commitments', () => {
    const plan = quickPlanOf('chains: { main: { altDa: { challengeWindow: 7 } } }');
    const server = task(plan, 'main/da-server');
    expect(server).toMatchObject({ kind: 'da-server', clock: 'none', secrets: [] });
    for (const user of USERS)
      expect(OPTIONS.map((name) => optionOf(task(plan, user), name))).toEqual([
        'true',
        'http://127.0.0.1:9535',
        'true',
      ]);
    const [chain] = plan.network.chains;
    expect(chain?.daServer).toEqual({ task: 'main/da-server', rpc: 'http://127.0.0.1:9535' });
    const rollup = plan.files.find(({ path }) => path.endsWith('/main/rollup.json'));
    expect(JSON.stringify(rollup)).toContain('GenericCommitment');
  });

  it('is called by links with faults', () => {
    const links = quickPlanOf('faults: true\nchains: { main: { altDa: {} } }').links ?? [];
    expect(
      links
        .filter(({ to }) => to === 'main/da-server')
        .map(({ from }) => from)
        .sort(),
    ).toEqual(USERS);
  });

  it('is absent if the spec has none', () => {
    const plan = quickPlanOf('{}');
    expect(plan.tasks.filter(({ kind }) => kind === 'da-server')).toEqual([]);
    for (const user of USERS) expect(optionOf(task(plan, user), 'altda.enabled')).toBeUndefined();
  });
});
