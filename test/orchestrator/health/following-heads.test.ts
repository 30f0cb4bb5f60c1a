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

describe('the heads that follow others', () => {
  const headsOf = (text: string) =>
    followingHeads(quickPlanOf(text), 'l1 head').map(({ gauge, leaders, pace, name }) => [
      name,
      gauge,
      pace,
      ...leaders,
    ]);
  const derivation = (cl: string) => ['derivation', `${cl} derivation`, `${cl} derivation`, 'l1 head'];
  const safe = (cl: string, ...others: string[]) => ['safe head', `${cl} safe`, `${cl} derivation`, ...others];
  const [S, V, ALONE] = ['main/s/cl', 'main/v/cl', 'main/alone/cl'];
  const NODES = 'nodes: { s: { role: sequencer }, v: {}, alone: { peers: [] } }';

  it('are unsafe heads by gossip, safe heads of all nodes, and each derivation', () => {
    expect(headsOf(`chains: { main: { ${NODES} } }`)).toEqual([
      safe(S, `${V} safe`, `${ALONE} safe`),
      derivation(S),
      ['unsafe head', `${V} unsafe`, `${V} unsafe`, `${S} unsafe`],
      safe(V, `${S} safe`, `${ALONE} safe`),
      derivation(V),
      safe(ALONE, `${S} safe`, `${V} safe`),
      derivation(ALONE),
    ]);
  });

  it('are no safe heads without a batcher or another node', () => {
    expect(headsOf('chains: { main: { nodes: { s: { role: sequencer } } } }')).toEqual([derivation(S)]);
    expect(
      headsOf('chains: { main: { batcher: false, nodes: { s: { role: sequencer }, alone: { peers: [] } } } }'),
    ).toEqual([derivation(S), derivation(ALONE)]);
  });

  it('are none of a chain without a sequencer', () => {
    const { network, ...plan } = quickPlanOf(`chains: { main: { ${NODES} } }`);
    const chains = network.chains.map((chain) => ({ ...chain, nodes: chain.nodes.slice(1) }));
    expect(followingHeads({ ...plan, network: { ...network, chains } }, 'l1 head')).toEqual([]);
  });
});
