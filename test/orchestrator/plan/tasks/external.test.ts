import { describe, expect, it } from 'vitest';
import { quickPlanOf, task } from '../planned.ts';

const EL = '{ external: { http: "http://h:1", ws: "ws://h:4", engine: "http://h:2", jwt: /j } }';
const CL = '{ external: { rpc: "http://h:3" } }';
const planWith = (node: string) => quickPlanOf(`chains: { main: { nodes: { s: { role: sequencer }, v: ${node} } } }`);

describe('a process outside the devnet', () => {
  const plan = planWith(`{ el: ${EL}, cl: ${CL} }`);
  const { genesisHash } = plan.network.chains[0]!;

  it.each([
    [
      'el',
      {
        kind: 'rpc',
        url: 'http://h:1',
        method: 'eth_getBlockByNumber',
        params: ['0x0', false],
        expect: { hash: genesisHash },
        description: 'has the genesis block of this chain',
      },
    ],
    [
      'cl',
      {
        kind: 'rpc',
        url: 'http://h:3',
        method: 'optimism_rollupConfig',
        params: [],
        expect: { 'genesis.l2.hash': genesisHash },
        description: 'follows this chain',
      },
    ],
  ])('of the kind %s is probed for its chain, and not launched', (kind, probe) => {
    const folder = `/state/my-devnet/nodes/main/v/${kind}`;
    expect(task(plan, `main/v/${kind}`)).toEqual({
      id: `main/v/${kind}`,
      kind,
      chain: 'main',
      node: 'v',
      client: 'external',
      launch: 'external',
      clock: 'none',
      prepare: [],
      command: { argv: [], cwd: folder, env: {} },
      secrets: [],
      needs: [],
      reads: [],
      ports: [],
      ready: [probe],
      live: [probe],
      stop: { signal: 'SIGTERM', graceMs: 0 },
      onExit: 'ignore',
      log: `${folder}.log`,
      lifeline: false,
    });
  });

  it('is seen at the URLs of the spec, and has no secret in the plan', () => {
    expect(plan.network.chains[0]!.nodes[1]).toEqual({
      name: 'v',
      role: 'verifier',
      el: {
        task: 'main/v/el',
        client: 'external',
        implementation: 'external',
        http: 'http://h:1',
        ws: 'ws://h:4',
        engine: 'http://h:2',
        jwt: '/j',
      },
      cl: {
        task: 'main/v/cl',
        client: 'external',
        implementation: 'external',
        rpc: 'http://h:3',
        p2p: '',
        peerId: expect.stringMatching(/^16Uiu2HA/),
      },
      gossip: false,
      overrides: {},
    });
    expect(plan.files.filter(({ path }) => path.includes('/v/'))).toEqual([]);
  });

  it('gossips at the multiaddr of the spec, with the nodes that dial it', () => {
    const p2p = `/ip4/10.0.0.1/tcp/9222/p2p/16Uiu2HAmQ7bXrftPb9giCz94CC6o4QABdgV4Fv7m5b3yBC2rtmVf`;
    const dialed = planWith(`{ cl: { external: { rpc: "http://h:3", p2p: ${p2p} } } }`);
    const [s, v] = dialed.network.chains[0]!.nodes;
    expect([s!.gossip, v!.gossip, v!.cl.p2p]).toEqual([true, true, p2p]);
    expect(task(dialed, 'main/s/cl').command.argv).toContain(`--p2p.static=${p2p}`);
    // Its connections are not waited for: it may start late.
    expect(task(dialed, 'main/s/cl').ready.map(({ kind }) => kind)).not.toContain('peers');
    const files = dialed.files.flatMap(({ path }) => (path.includes('/v/') ? [path.replace(/.*\//, '')] : []));
    expect(files).toEqual(['jwt.hex']);
  });
});
