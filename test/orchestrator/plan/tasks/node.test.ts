import { describe, expect, it } from 'vitest';
import { clientsWith, optionOf, quickPlanOf, task } from '../planned.ts';
import { OWN_EL } from './own-client.ts';

const planWith = (nodes: string, chain = '', more: Parameters<typeof quickPlanOf>[1] = {}) =>
  quickPlanOf(`chains: { main: { ${chain} nodes: { s: { role: sequencer }, ${nodes} } } }`, more);
const nodesOf = (plan: ReturnType<typeof planWith>) =>
  Object.fromEntries(plan.network.chains[0]!.nodes.map((node) => [node.name, node]));

describe('the view of a node', () => {
  it('has its addresses, clients and role', () => {
    const { s } = nodesOf(planWith('v: {}'));
    expect(s).toEqual({
      name: 's',
      role: 'sequencer',
      el: {
        task: 'main/s/el',
        client: 'execution-rust',
        implementation: 'rollup-devnet',
        http: 'http://127.0.0.1:9545',
        ws: 'ws://127.0.0.1:9546',
        engine: 'http://127.0.0.1:9551',
        jwt: '/state/my-devnet/nodes/main/s/jwt.hex',
      },
      cl: {
        task: 'main/s/cl',
        client: 'rollup-node',
        implementation: 'rollup-devnet',
        rpc: 'http://127.0.0.1:9547',
        p2p: `/ip4/127.0.0.1/tcp/9522/p2p/${s!.cl.peerId}`,
        peerId: s!.cl.peerId,
      },
      gossip: true,
      overrides: {},
    });
  });

  it('has no URL for WebSocket when a switch closes the port', () => {
    const text =
      'chains: { main: { nodes: { s: { role: sequencer, el: { client: execution-go, runtime: process } } } } }';
    const client = clientsWith('execution-go', OWN_EL);
    const wsOf = (spec: string) => quickPlanOf(spec, {}, client).network.chains[0]!.nodes[0]!.el.ws;
    expect(wsOf(text)).toBe('');
    expect(wsOf(text.replace('process', 'process, args: { ws: true }'))).toBe('ws://127.0.0.1:9546');
  });

  it('has the fork times that differ from those of the chain, null for never', () => {
    const plan = planWith(
      'v: { override: { isthmus: +40s, jovian: never, holocene: +8s } }',
      'forks: { base: granite, holocene: +8s, isthmus: +20s, jovian: +30s },',
    );
    const { s, v } = nodesOf(plan);
    expect([s!.overrides, v!.overrides]).toEqual([{}, { isthmus: plan.genesisTime + 40, jovian: null }]);
  });

  it('has a name of its machine in its multiaddr when processes run elsewhere', () => {
    const hostNames = { 'main/v/cl': 'v.example' };
    const { s, v } = nodesOf(planWith('v: {}', '', { hostNames }));
    expect(v!.cl.p2p).toBe(`/dns4/v.example/tcp/9532/p2p/${v!.cl.peerId}`);
    expect(s!.cl.p2p).toBe(`/dns4/127.0.0.1/tcp/9522/p2p/${s!.cl.peerId}`);
  });
});

describe('the peers of a node', () => {
  const dialled = (plan: ReturnType<typeof planWith>, node: string, option = 'p2p.static', part = 'cl') =>
    optionOf(task(plan, `main/${node}/${part}`), option);

  it.each([
    ['v: {}', { s: true, v: true }],
    ['v: { peers: [] }', { s: false, v: false }],
    ['a: { peers: [] }, b: { peers: [s] }', { s: true, a: false, b: true }],
    ['v: { cl: { args: { p2p.disable: true } } }', { s: false, v: false }],
  ])('of the nodes %s gossip: %j', (nodes, gossip) => {
    const views = Object.entries(nodesOf(planWith(nodes)));
    expect(Object.fromEntries(views.map(([name, each]) => [name, each.gossip]))).toEqual(gossip);
  });

  it('are static in the order of the spec, by commas', () => {
    const plan = planWith('a: {}, b: {}');
    const { s, a, b } = nodesOf(plan);
    expect(dialled(plan, 'a')).toBe(`${s!.cl.p2p},${b!.cl.p2p}`);
    expect(dialled(plan, 's')).toBe(`${a!.cl.p2p},${b!.cl.p2p}`);
    expect(dialled(plan, 'a', 'sync.peers', 'el')).toBe(`${s!.el.http},${b!.el.http}`);
  });

  it('are waited for only if the devnet spawns them', () => {
    const probeOf = (nodes: string) => task(planWith(nodes), 'main/s/cl').ready.find(({ kind }) => kind === 'peers');
    expect(probeOf('a: {}, b: {}')).toMatchObject({ atLeast: 2 });
    expect(probeOf('a: {}, b: { cl: { launch: manual } }')).toMatchObject({ atLeast: 1 });
  });

  it('of its execution client are also those that dial a node which dials none', () => {
    const kona = 'cl: { client: kona-node, binary: /bin/kona-node }';
    const plan = planWith(`k: { ${kona}, peers: [] }, a: { peers: [k] }, b: { peers: [] }`);
    const { a } = nodesOf(plan);
    expect(dialled(plan, 'k', 'sync.peers', 'el')).toBe(a!.el.http);
    const both = planWith(`k: { ${kona}, peers: [a] }, a: { peers: [k] }`);
    expect(dialled(both, 'k', 'sync.peers', 'el')).toBe(nodesOf(both)['a']!.el.http);
    const plain = planWith('k: { peers: [] }, a: { peers: [k] }');
    expect(dialled(plain, 'k', 'sync.peers', 'el')).toBeUndefined();
  });

  it('that are none leave a verifier alone, and never the sequencer', () => {
    const kona = 'cl: { client: kona-node, binary: /bin/kona-node }';
    const plan = planWith(`k: { ${kona}, peers: [] }`);
    const { k } = nodesOf(plan);
    expect(task(plan, 'main/k/cl').firstBlock).toEqual({
      rpc: k!.cl.rpc,
      method: 'admin_postUnsafePayload',
      head: k!.el.http,
    });
    expect(task(planWith(`k: { ${kona}, peers: [s] }`), 'main/k/cl')).not.toHaveProperty('firstBlock');
    const alone = quickPlanOf(`chains: { main: { nodes: { s: { role: sequencer, ${kona} } } } }`);
    expect(task(alone, 'main/s/cl')).not.toHaveProperty('firstBlock');
  });
});

describe('the secrets of a node', () => {
  it('lie in files of its folder, and differ from node to node', () => {
    const plan = planWith('v: {}');
    const files = plan.files.filter(({ path }) => /nodes\/main\/[sv]\//.test(path));
    expect(files.map(({ path, mode, secret }) => [path.replace(`${plan.home}/nodes/main/`, ''), mode, secret])).toEqual(
      [
        ['s/jwt.hex', 0o600, true],
        ['s/p2p-key.hex', 0o600, true],
        ['s/sequencer-key.hex', 0o600, true],
        ['v/jwt.hex', 0o600, true],
        ['v/p2p-key.hex', 0o600, true],
      ],
    );
    const texts = files.map(({ content }) => (content.kind === 'text' ? content.text : ''));
    for (const text of texts) expect(text).toMatch(/^[0-9a-f]{64}\n$/);
    expect(new Set(texts).size).toBe(5);
    expect(task(plan, 'main/s/el').secrets.map((secret) => `${secret}\n`)).toEqual(texts.slice(0, 3));
  });
});
