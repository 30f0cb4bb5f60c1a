import { describe, expect, it } from 'vitest';
import { followingHeads } from '../../../src/orchestrator/health/following-heads.ts';
import { chainGauges } from '../../../src/orchestrator/health/gauges.ts';
import { quickPlanOf } from '../plan/planned.ts';

const SET = 'chains: { main: { conductor: true, nodes: { s: { role: sequencer, count: 3 }, v: {} } } }';
const members = ['main/s-1/cl', 'main/s-2/cl', 'main/s-3/cl'];

describe('the health of a chain with a conductor', () => {
  it('has a verifier follow the highest head of the set', () => {
    const head = followingHeads(quickPlanOf(SET), 'l1 head').find(({ gauge }) => gauge === 'main/v/cl unsafe');
    expect(head?.leaders).toEqual(members.map((task) => `${task} unsafe`));
  });

  it('explains missing blocks by the conductor, not by the first sequencer', () => {
    const plan = quickPlanOf(SET);
    const [chain] = plan.network.chains;
    const gauges = chain === undefined ? [] : chainGauges(plan, chain);
    for (const id of ['main/v/cl unsafe', 'main/batcher posts', 'main/s-2/cl unsafe']) {
      const causes = gauges.find((gauge) => gauge.id === id)?.causes ?? [];
      expect(causes).toContain('main/conductor');
      expect(causes.filter((task) => task.startsWith('main/s-1/'))).toEqual([]);
    }
  });
});
