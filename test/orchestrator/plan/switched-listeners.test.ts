import { expect, it } from 'vitest';
import { optionOf, planOf, task } from './planned.ts';

/** Returns a spec with two nodes and both posters of some clients, and these arguments on each of one kind. */
function specWith(kind: 'el' | 'cl' | 'batcher' | 'proposer', client: string, args: Record<string, unknown>): string {
  const program = { client, args, ...(/^(op-|kona)/.test(client) ? { binary: `/bin/${client}` } : {}) };
  const nodes = { a: { role: 'sequencer' }, b: {} };
  const chain =
    kind === 'el' || kind === 'cl'
      ? { nodes: { a: { ...nodes.a, [kind]: program }, b: { [kind]: program } } }
      : { nodes, [kind]: program };
  return JSON.stringify({ chains: { main: chain } });
}

const GO = { metrics: 'metrics.enabled', pprof: 'pprof.enabled' };
const GETH = { metrics: 'metrics', pprof: 'pprof' };

it.each([
  ['cl', 'rollup-node', GO],
  ['cl', 'op-node', GO],
  ['cl', 'kona-node', { metrics: 'metrics.enabled' }],
  ['el', 'op-geth', GETH],
  ['batcher', 'op-batcher', GO],
  ['proposer', 'op-proposer', GO],
] as const)(
  'a listener that an argument switches on in a %s (%s) gets loopback and a port of the plan',
  (kind, client, switches) => {
    const args = Object.fromEntries(Object.values(switches).map((name) => [name, true]));
    const plan = planOf(specWith(kind, client, args));
    const ids = kind === 'el' || kind === 'cl' ? [`main/a/${kind}`, `main/b/${kind}`] : [`main/${kind}`];
    const used = plan.tasks.flatMap(({ ports }) => ports.map(({ port }) => port));
    for (const id of ids)
      for (const name of Object.keys(switches)) {
        const planned = task(plan, id).ports.find((port) => port.name === name)?.port;
        expect(planned, `${id} ${name}`).toBeDefined();
        expect(optionOf(task(plan, id), `${name}.addr`)).toBe('127.0.0.1');
        expect(optionOf(task(plan, id), `${name}.port`)).toBe(String(planned));
        expect(used.filter((port) => port === planned)).toHaveLength(1);
      }
    const bare = planOf(specWith(kind, client, {}));
    const closed = ids.flatMap((id) => task(bare, id).ports.map(({ name }) => name));
    expect(closed.filter((name) => name in switches)).toEqual([]);
  },
);

it('the interop RPC of rollup-node has a port of the plan', () => {
  const args = { 'interop.rpc.addr': '127.0.0.1', 'interop.jwt-secret': '/jwt.hex' };
  const plan = planOf(specWith('cl', 'rollup-node', args));
  const ports = ['main/a/cl', 'main/b/cl'].map((id) => optionOf(task(plan, id), 'interop.rpc.port'));
  expect(new Set(ports).size).toBe(2);
  expect(task(plan, 'main/a/cl').ports.map(({ name, port }) => `${name} ${port}`)).toContain(`interop ${ports[0]}`);
});

it('op-node gets no option of a managed node, which its releases of 2026 do not know', () => {
  const { command } = task(planOf(specWith('cl', 'op-node', {})), 'main/a/cl');
  expect(JSON.stringify(command)).not.toContain('interop');
});
