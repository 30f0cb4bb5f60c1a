import { describe, expect, it } from 'vitest';
import { optionOf, quickPlanOf, task } from '../planned.ts';

const SET = 'chains: { main: { conductor: true, nodes: { s: { role: sequencer, count: 3 }, v: {} } } }';

const OP_CONDUCTORS =
  'chains: { main: { conductor: { client: op-conductor, binary: /bin/sh, ports: { rpc: 9600 } }, ' +
  'nodes: { s: { role: sequencer, count: 3 }, v: {} } } }';

describe('a conductor', () => {
  it('knows its members, and batcher, proposer and verifiers reach the leader by it', () => {
    const plan = quickPlanOf(SET);
    const conductor = task(plan, 'main/conductor');
    expect(conductor).toMatchObject({ kind: 'conductor', clock: 'none', secrets: [] });
    const members = [0, 1, 2].map((at) => `s-${at + 1}=http://127.0.0.1:95${at + 4}7=http://127.0.0.1:95${at + 4}5`);
    expect(optionOf(conductor, 'members')).toBe(members.join(','));
    expect(optionOf(conductor, 'l1-eth-rpc')).toBe('http://127.0.0.1:8545');
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

  it('stands before op-conductors, one for each sequencer, which it tells from each other', () => {
    const plan = quickPlanOf(OP_CONDUCTORS);
    const front = task(plan, 'main/conductor');
    expect([front.client, task(plan, 'main/s-1/conductor').client]).toEqual(['conductor', 'op-conductor']);
    const [first, ...others] = (optionOf(front, 'members') ?? '').split(',');
    expect(first).toBe('s-1=http://127.0.0.1:9547=http://127.0.0.1:9545=http://127.0.0.1:9554=127.0.0.1:9845');
    expect(others).toHaveLength(2);
    expect(plan.network.chains[0]?.conductor).toEqual({ task: 'main/conductor', rpc: 'http://127.0.0.1:9600' });
    expect(plan.network.chains[0]?.nodes[0]?.conductor?.task).toBe('main/s-1/conductor');
    expect(plan.network.chains[0]?.nodes.at(-1)?.conductor).toBeUndefined();
    expect(optionOf(task(plan, 'main/batcher'), 'l2-eth-rpc')).toBe('http://127.0.0.1:9600/el');
  });

  it('begins the raft cluster at the first op-conductor, and only once', () => {
    const plan = quickPlanOf(OP_CONDUCTORS);
    const [first, second] = ['main/s-1/conductor', 'main/s-2/conductor'].map((id) => task(plan, id));
    expect(first && optionOf(first, 'raft.bootstrap')).toBe('true');
    expect(second && optionOf(second, 'raft.bootstrap')).toBeUndefined();
    expect(first?.resume?.file).toMatch(/main\/s-1\/conductor\/data\/s-1\/raft-log\.db$/);
    expect(first?.resume?.command.argv).toContain('--raft.bootstrap=false');
    expect(first && optionOf(first, 'node.rpc')).toBe('http://127.0.0.1:9547');
    expect(second && optionOf(second, 'execution.rpc')).toBe('http://127.0.0.1:9555');
    expect(optionOf(task(plan, 'main/s-2/cl'), 'conductor.rpc')).toBe('http://127.0.0.1:9564');
    expect(optionOf(task(plan, 'main/s-2/el'), 'rollup.sequencer-http')).toBe('http://127.0.0.1:9600/el/s-2');
  });

  it('is called by links with faults as each op-conductor is, and raft goes by none', () => {
    const links = quickPlanOf(`faults: true\n${OP_CONDUCTORS}`).links ?? [];
    const of = (from: string) => links.flatMap((link) => (link.from === from ? [`${link.to}:${link.port}`] : []));
    expect(of('main/s-1/conductor')).toEqual(['main/s-1/cl:rpc', 'main/s-1/el:http']);
    expect(of('main/s-1/cl')).toContain('main/s-1/conductor:rpc');
    expect(of('main/conductor')).toContain('main/s-3/conductor:rpc');
    expect(links.filter(({ port }) => port === 'raft')).toEqual([]);
  });

  it('is absent if the spec has none', () => {
    const plan = quickPlanOf('{}');
    expect(plan.tasks.filter(({ kind }) => kind === 'conductor')).toEqual([]);
    expect(optionOf(task(plan, 'main/sequencer/cl'), 'rpc.admin-state')).toMatch(/admin-state\.json$/);
  });
});
