import { describe, expect, it } from 'vitest';
import { optionOf, quickPlanOf, task } from '../planned.ts';

const SET = 'chains: { main: { conductor: true, nodes: { s: { role: sequencer, count: 3 }, v: {} } } }';

describe('a conductor', () => {
  it('knows its members, and batcher, proposer and verifiers reach the leader by it', () => {
    const plan = quickPlanOf(SET);
    const conductor = task(plan, 'main/conductor');
    expect(conductor).toMatchObject({ kind: 'conductor', clock: 'none', secrets: [] });
    const members = [0, 1, 2].map((at) => `s-${at + 1}=http://127.0.0.1:95${at + 4}7=http://127.0.0.1:95${at + 4}5`);
    expect(optionOf(conductor, 'members')).toBe(members.join(','));
    expect(optionOf(conductor, 'l1-eth-rpc')).toBe('http://127.83.12.201:18545');
    expect(optionOf(conductor, 'clock.task')).toBe('main/conductor');
    const url = 'http://127.0.0.1:9534';
    expect(optionOf(task(plan, 'main/batcher'), 'l2-eth-rpc')).toBe(`${url}/el`);
    expect(optionOf(task(plan, 'main/proposer'), 'rollup-rpc')).toBe(`${url}/cl`);
    expect(optionOf(task(plan, 'main/v/el'), 'rollup.sequencerhttp')).toBe(`${url}/el`);
    expect(plan.network.chains[0]?.conductor).toEqual({ task: 'main/conductor', rpc: url });
  });

  it('leads members, each with a path of its own and no state of its own', () => {
    const plan = quickPlanOf(SET);
    const member = task(plan, 'main/s-2/cl');
    expect(optionOf(member, 'conductor.enabled')).toBe('true');
    expect(optionOf(member, 'conductor.rpc')).toBe('http://127.0.0.1:9534/member/s-2');
    expect(optionOf(member, 'rpc.admin-state')).toBeUndefined();
    expect(optionOf(task(plan, 'main/s-2/el'), 'rollup.sequencer-http')).toBe('http://127.0.0.1:9534/el/s-2');
  });

  it('is called by links with faults, in both directions', () => {
    const links = quickPlanOf(`faults: true\n${SET}`).links ?? [];
    expect(links.filter(({ to, from }) => to === 'main/conductor' && from === 'main/s-1/cl')).toHaveLength(1);
    const called = links.flatMap(({ from, to }) => (from === 'main/conductor' ? [to] : []));
    const members = [1, 2, 3].flatMap((at) => [`main/s-${at}/cl`, `main/s-${at}/el`]);
    expect(called.toSorted()).toEqual(['l1', ...members].toSorted());
  });

  it('is absent if the spec has none', () => {
    const plan = quickPlanOf('{}');
    expect(plan.tasks.filter(({ kind }) => kind === 'conductor')).toEqual([]);
    expect(optionOf(task(plan, 'main/sequencer/cl'), 'rpc.admin-state')).toMatch(/admin-state\.json$/);
  });
});
