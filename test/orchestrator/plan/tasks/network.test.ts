import { privateKeyFromRaw } from '@libp2p/crypto/keys';
import { peerIdFromPrivateKey } from '@libp2p/peer-id';
import { mnemonicToAccount, privateKeyToAddress } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { peerIdOf } from '../../../../src/orchestrator/plan/keys.ts';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { planText } from '../../../../src/orchestrator/plan/print/print.ts';
import { shellScript } from '../../../../src/orchestrator/plan/print/shell.ts';
import { redactPlan } from '../../../../src/orchestrator/plan/redact.ts';
import { renderContent } from '../../../../src/orchestrator/plan/render.ts';
import { publicKeyOf } from '../../../../src/system/crypto/secp256k1.ts';
import { NOW } from '../../package.ts';
import { contracts, HIDDEN, optionOf, planOf, task } from '../planned.ts';

const NODE_ENV = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' };

const sizes = ({ files }: Plan) => new Map(files.map(({ path }) => [path, 1]));

function l1Inputs({ files }: Plan) {
  const content = files.map((file) => file.content).find(({ kind }) => kind === 'l1-genesis');
  if (content?.kind !== 'l1-genesis') throw new Error('the plan has no L1 genesis file');
  return content.inputs;
}

const nodes = (lines: string, chain = '') =>
  'l1: { blockTime: 1 }\n' +
  `chains: { main: { blockTime: 1, ${chain} nodes: { seq: { role: sequencer, el: execution-go }, ${lines} } } }`;

describe('the default devnet', () => {
  const plan = planOf('name: demo');

  it('starts slow processes first, then those that read rendered files, the proposer when it is ready', () => {
    expect(plan.tasks.map(({ id, client, needs }) => [id, client, needs])).toEqual([
      ['main/sequencer/cl', 'rollup-node', []],
      ['main/verifier/cl', 'rollup-node', []],
      ['l1-beacon', 'l1-beacon', []],
      ['main/batcher', 'batcher', []],
      ['main/sequencer/el', 'execution-rust', []],
      ['main/verifier/el', 'execution-go', []],
      ['l1', 'anvil', []],
      ['main/proposer', 'proposer', []],
    ]);
    expect(plan.tasks.filter(({ late }) => late).map(({ id }) => id)).toEqual(['main/proposer']);
  });

  it('names for each process the files that it reads', () => {
    const reads = (id: string) => task(plan, id).reads.map((path) => path.slice(plan.home.length + 1));
    expect(reads('l1')).toEqual(['genesis/l1.json']);
    expect(reads('l1-beacon')).toEqual([]);
    expect(reads('main/verifier/el')).toEqual(['genesis/main/genesis.json', 'nodes/main/verifier/jwt.hex']);
    expect(reads('main/verifier/cl')).toContain('genesis/main/rollup.json');
    expect(reads('main/batcher')).toEqual(['nodes/main/batcher-key.hex']);
  });

  it('has its documented ports', () => {
    expect(
      Object.fromEntries(plan.tasks.flatMap(({ id, ports }) => ports.map(({ name, port }) => [`${id}:${name}`, port]))),
    ).toEqual({
      'l1:rpc': HIDDEN.port,
      'l1-beacon:http': 5052,
      'l1-beacon:gate': 8545,
      'main/sequencer/el:http': 9545,
      'main/sequencer/el:ws': 9546,
      'main/sequencer/el:engine': 9551,
      'main/verifier/el:http': 9555,
      'main/verifier/el:ws': 9556,
      'main/verifier/el:engine': 9561,
      'main/sequencer/cl:rpc': 9547,
      'main/sequencer/cl:p2p': 9522,
      'main/verifier/cl:rpc': 9557,
      'main/verifier/cl:p2p': 9532,
      'main/batcher:rpc': 9540,
      'main/proposer:rpc': 9541,
    });
  });

  it('begins one L2 block before now, with the hash that its genesis file has', () => {
    expect(plan.genesisTime).toBe(NOW - 2);
    const [chain] = plan.network.chains;
    const genesis = plan.files.find(({ path }) => path === chain!.genesisFile)!;
    const rollup = JSON.parse(
      renderContent(plan.files.find(({ path }) => path === chain!.rollupFile)!.content, {
        contracts,
        bundle: () => '',
      }),
    );
    expect(rollup.genesis).toMatchObject({
      l2: { hash: chain!.genesisHash, number: 0 },
      l1: { hash: plan.network.l1.genesisHash, number: 0 },
      l2_time: plan.genesisTime,
    });
    expect(JSON.parse(renderContent(genesis.content, { contracts, bundle: () => '' })).config).toMatchObject({
      chainId: 901,
      holoceneTime: 0,
      jovianTime: 0,
    });
  });

  it('keeps secrets in files for their owner only, and out of what is printed', () => {
    const secrets = plan.files
      .filter(({ secret }) => secret)
      .map(({ content }) => (content.kind === 'text' ? content.text.trim() : ''));
    expect(secrets).toHaveLength(7);
    expect(plan.files.filter(({ secret }) => secret).every(({ mode }) => mode === 0o600)).toBe(true);
    const { network: _, ...printed } = redactPlan(plan);
    for (const text of [JSON.stringify(printed), planText(plan, sizes(plan)), shellScript(plan)]) {
      for (const secret of secrets) expect(text).not.toContain(secret.replace(/^0x/, ''));
    }
  });

  it('is probed for its identity before it counts as ready', () => {
    const { genesisHash } = plan.network.chains[0]!;
    expect(task(plan, 'main/verifier/el').ready).toContainEqual(
      expect.objectContaining({ method: 'eth_getBlockByNumber', expect: { hash: genesisHash } }),
    );
    expect(task(plan, 'main/verifier/cl').ready).toContainEqual(
      expect.objectContaining({ method: 'optimism_rollupConfig', expect: { 'genesis.l2.hash': genesisHash } }),
    );
    expect(task(plan, 'l1').ready).toContainEqual(
      expect.objectContaining({ method: 'eth_chainId', expect: { '': '0x384' } }),
    );
  });

  it('shows users and its processes the gate of L1, and `l1-beacon` the hidden address of L1', () => {
    const direct = `127.83.12.201:${HIDDEN.port}`;
    expect(plan.network.l1).toMatchObject({
      rpc: 'http://127.0.0.1:8545',
      ws: 'ws://127.0.0.1:8545',
      direct: { rpc: `http://${direct}`, ws: `ws://${direct}` },
    });
    expect(task(plan, 'l1').command.argv).toEqual(expect.arrayContaining(['--host=127.83.12.201', '--no-cors']));
    expect(task(plan, 'l1').ports).toEqual([{ name: 'rpc', host: HIDDEN.host, port: HIDDEN.port, transport: 'tcp' }]);
    expect(optionOf(task(plan, 'l1-beacon'), 'l1')).toBe(`ws://${direct}`);
    expect(optionOf(task(plan, 'l1-beacon'), 'gate.port')).toBe('8545');
    expect(optionOf(task(plan, 'main/batcher'), 'l1-eth-rpc')).toBe('ws://127.0.0.1:8545');
    expect(optionOf(task(plan, 'main/verifier/cl'), 'l1')).toBe('ws://127.0.0.1:8545');
    const urls = (id: string) => task(plan, id).ready.flatMap((probe) => ('url' in probe ? [probe.url] : []));
    expect(urls('l1').every((url) => url === `http://${direct}`)).toBe(true);
    expect(urls('l1-beacon')).toContain('http://127.0.0.1:8545');
  });

  it('signs gossip with the key whose address the L1 contracts hold', () => {
    const signer = plan.network.chains[0]!.accounts.find(({ role }) => role === 'sequencer')!;
    const { argv, env } = task(plan, 'main/sequencer/cl').command;
    const [, path] = /--p2p\.sequencer\.key\.path=(\S+)/.exec(argv.join(' ')) ?? [];
    const file = plan.files.find((each) => each.path === path)!;
    const key = file.content.kind === 'text' ? file.content.text.trim() : '';
    expect(privateKeyToAddress(`0x${key}`).toLowerCase()).toBe(signer.address);
    expect(JSON.stringify([argv, env])).not.toContain(key);
    expect(task(plan, 'main/verifier/cl').command.env).toEqual(NODE_ENV);
    expect(JSON.stringify(task(plan, 'l1').ready)).toContain(signer.address.slice(2));
  });
});

it("peer ids are those of libp2p's own keys", () => {
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    const plan = planOf(`name: ${name}\nseed: ${index}`);
    const file = plan.files.find(({ path }) => path.endsWith('main/verifier/p2p-key.hex'))!;
    const key = file.content.kind === 'text' ? file.content.text.trim() : '';
    const expected = peerIdFromPrivateKey(
      privateKeyFromRaw(Buffer.from(key, 'hex')) as Parameters<typeof peerIdFromPrivateKey>[0],
    ).toString();
    expect(peerIdOf(publicKeyOf(Buffer.from(key, 'hex'), 'compressed'))).toBe(expected);
    expect(plan.network.chains[0]!.nodes[1]!.cl.peerId).toBe(expected);
  }
});

describe('fork times come from one schedule', () => {
  const forks = 'forks: { base: granite, holocene: +8s, isthmus: { block: 20 } },';
  const plan = planOf(
    nodes(
      'late: { override: { holocene: +30s, isthmus: +40s } }, ' +
        'reth: { el: { client: op-reth, binary: op-reth }, override: { isthmus: +25s } }',
      forks,
    ),
  );
  const T = plan.genesisTime;
  const text = (path: string) =>
    renderContent(plan.files.find((file) => file.path === path)!.content, { contracts, bundle: () => '' });

  it('in genesis, rollup config and view', () => {
    const [chain] = plan.network.chains;
    expect(chain!.forks).toMatchObject({ granite: 0, holocene: T + 8, isthmus: T + 20 });
    expect(JSON.parse(text(chain!.rollupFile))).toMatchObject({
      granite_time: 0,
      holocene_time: T + 8,
      isthmus_time: T + 20,
    });
    expect(JSON.parse(text(chain!.genesisFile)).config).toMatchObject({
      graniteTime: 0,
      holoceneTime: T + 8,
      isthmusTime: T + 20,
      pragueTime: T + 20,
    });
  });

  it('in flags of the node that has its own', () => {
    for (const id of ['main/late/el', 'main/late/cl']) {
      expect(optionOf(task(plan, id), 'override.holocene')).toBe(String(T + 30));
      expect(optionOf(task(plan, id), 'override.isthmus')).toBe(String(T + 40));
    }
    expect(task(plan, 'main/seq/el').command.argv.join(' ')).not.toContain('override');
    expect(plan.network.chains[0]!.nodes[1]!.overrides).toEqual({ holocene: T + 30, isthmus: T + 40 });
  });

  it('in a chain file of the node whose client has no flag', () => {
    const file = optionOf(task(plan, 'main/reth/el'), 'chain')!;
    expect(file).toBe('/state/my-devnet/nodes/main/reth/el/genesis.json');
    expect(JSON.parse(text(file)).config).toMatchObject({ holoceneTime: T + 8, isthmusTime: T + 25 });
    expect(task(plan, 'main/reth/el').command.argv.join(' ')).not.toContain('override');
    expect(optionOf(task(plan, 'main/reth/cl'), 'override.isthmus')).toBe(String(T + 25));
  });

  it('upgrade transactions go to nodes that take them', () => {
    expect(plan.files.filter(({ content }) => content.kind === 'upgrade-bundle').map(({ path }) => path)).toEqual([
      '/state/my-devnet/genesis/main/bundles/isthmus.json',
    ]);
    expect(optionOf(task(plan, 'main/seq/cl'), 'rollup.upgrade-bundles')).toBe('/state/my-devnet/genesis/main/bundles');
    expect(optionOf(task(planOf('{}'), 'main/sequencer/cl'), 'rollup.upgrade-bundles')).toBeUndefined();
  });
});

describe('changes of a process by the spec', () => {
  it('arguments are added, replaced in place, and dropped', () => {
    const plan = planOf(nodes('v: { el: { args: { http.api: eth, ws: null, verbosity: -1, log.color: true } } }'));
    const { command, ports } = task(plan, 'main/v/el');
    expect(command.argv).toContain('--http.api=eth');
    expect(command.argv).toContain('--verbosity=-1');
    expect(command.argv).not.toContain('--ws=true');
    expect(ports.map(({ name }) => name)).toEqual(['http', 'engine']);
    expect(plan.network.chains[0]!.nodes[1]!.el.ws).toBe('');
  });

  it('the environment too', () => {
    const plan = planOf(nodes('v: { cl: { env: { A: 5, B: null } } }'));
    expect(task(plan, 'main/v/cl').command.env).toEqual({ ...NODE_ENV, A: '5' });
  });

  it('a manual process is planned like any other and not spawned', () => {
    const plan = planOf(nodes('v: { cl: { launch: manual } }'));
    expect(task(plan, 'main/v/cl')).toMatchObject({ launch: 'manual' });
    expect(task(plan, 'main/v/cl').command.argv.length).toBeGreaterThan(5);
    // A node that is started by hand may come late, so its peers do not wait for it.
    expect(task(plan, 'main/seq/cl').ready.filter(({ kind }) => kind === 'peers')).toEqual([]);
  });

  it('an external execution client is driven with its own secret', () => {
    const plan = planOf(
      nodes('v: { el: { external: { http: "http://10.0.0.1:1", engine: "http://10.0.0.1:2", jwt: /keys/jwt } } }'),
    );
    expect(task(plan, 'main/v/el')).toMatchObject({ launch: 'external', command: { argv: [] }, ports: [] });
    expect(optionOf(task(plan, 'main/v/cl'), 'l2')).toBe('http://10.0.0.1:2');
    expect(optionOf(task(plan, 'main/v/cl'), 'l2.jwt-secret')).toBe('/keys/jwt');
    expect(optionOf(task(plan, 'main/seq/el'), 'sync.peers')).toBe('http://10.0.0.1:1');
    expect(plan.network.chains[0]!.nodes[1]!.el).toMatchObject({
      client: 'external',
      http: 'http://10.0.0.1:1',
      ws: '',
    });
  });

  it('a node connects only to peers that it names and to nodes that name it', () => {
    const links = (lines: string) =>
      Object.fromEntries(
        planOf(nodes(lines)).tasks.flatMap((each) => {
          if (each.kind !== 'cl') return [];
          const dialled = optionOf(each, 'p2p.static')?.split(',').length ?? 0;
          const probe = each.ready.find((one) => one.kind === 'peers');
          return [[each.node, [dialled, probe?.kind === 'peers' ? probe.atLeast : 0]]];
        }),
      );
    expect(links('alone: { peers: [] }, v: {}')).toEqual({ seq: [1, 1], alone: [0, 0], v: [1, 1] });
    expect(links('late: { peers: [seq] }, v: {}')).toEqual({ seq: [2, 2], late: [1, 1], v: [1, 1] });
    expect(links('late: { peers: [] }, v: { peers: [late] }')).toEqual({ seq: [0, 0], late: [0, 1], v: [1, 1] });
  });

  it('a node without gossip has no peer', () => {
    const plan = planOf(nodes('alone: { cl: { args: { p2p.disable: true } } }, v: {}'));
    expect(optionOf(task(plan, 'main/seq/cl'), 'p2p.static')!.split(',')).toHaveLength(1);
    expect(task(plan, 'main/seq/cl').ready).toContainEqual(expect.objectContaining({ kind: 'peers', atLeast: 1 }));
    expect(plan.network.chains[0]!.nodes[1]!.cl.p2p).toBe('');
    const none = planOf(nodes('alone: { peers: [], cl: { args: { p2p.disable: true } } }, v: {}'));
    expect(optionOf(task(none, 'main/alone/cl'), 'p2p.static')).toBeUndefined();
    expect(optionOf(task(none, 'main/alone/el'), 'sync.peers')).toBeUndefined();
    expect(optionOf(task(none, 'main/v/el'), 'sync.peers')!.split(',')).toHaveLength(1);
  });

  it('a client that dials no peer waits for those that dial it, and without peers it receives its own head', () => {
    const kona = 'cl: { client: kona-node, binary: /bin/kona-node }';
    const peersOf = (plan: ReturnType<typeof planOf>, id: string) =>
      task(plan, id).ready.find((one) => one.kind === 'peers');
    const dialled = planOf(nodes(`k: { ${kona} }`));
    expect(peersOf(dialled, 'main/k/cl')).toMatchObject({ atLeast: 1 });
    const alone = planOf(nodes(`k: { ${kona}, peers: [] }`));
    expect(peersOf(alone, 'main/k/cl')).toBeUndefined();
    const view = alone.network.chains[0]!.nodes[1]!;
    expect(task(alone, 'main/k/cl').firstBlock).toEqual({
      rpc: view.cl.rpc,
      method: 'admin_postUnsafePayload',
      head: view.el.http,
    });
    expect(task(dialled, 'main/k/cl').firstBlock).toBeUndefined();
    expect(task(alone, 'main/seq/cl').firstBlock).toBeUndefined();
    const withPeers = planOf(nodes(`k: { ${kona}, peers: [] }, v: { peers: [k] }`));
    expect(task(withPeers, 'main/k/cl').firstBlock).toBeUndefined();
    expect(optionOf(task(withPeers, 'main/k/el'), 'sync.peers')).toBe(withPeers.network.chains[0]!.nodes[2]!.el.http);
    expect(optionOf(task(alone, 'main/k/el'), 'sync.peers')).toBeUndefined();
    const two = planOf(nodes(`k: { ${kona} }, l: { ${kona} }`));
    expect(peersOf(two, 'main/k/cl')).toMatchObject({ atLeast: 1 });
    const sequencer = task(
      planOf(nodes(`v: { ${kona} }`).replace('el: execution-go', `el: execution-go, ${kona}`)),
      'main/seq/cl',
    );
    expect(sequencer.firstBlock).toBeUndefined();
    const { argv, env } = sequencer.command;
    expect(argv.slice(0, 2)).toEqual(['/bin/kona-node', 'node']);
    expect(argv).toContain('--mode=Sequencer');
    expect(Object.keys(env)).toEqual(['KONA_NODE_P2P_SEQUENCER_KEY']);
  });

  it('a file lacks the keys that a spec leaves out for a client', () => {
    const plan = planOf(
      nodes(
        'old: { cl: { client: op-node, binary: /bin/op-node, ' +
          'omit: { chain.rollup: [chain_op_config, genesis.system_config.gasLimit, no.such] } }, ' +
          'el: { client: execution-go, omit: { chain.genesis: [config.optimism, baseFeePerGas] } } }',
      ),
    );
    const render = (path: string) =>
      JSON.parse(
        renderContent(plan.files.find((file) => file.path === path)!.content, { contracts, bundle: () => '' }),
      );
    const rollup = optionOf(task(plan, 'main/old/cl'), 'rollup.config')!;
    expect(rollup).toBe('/state/my-devnet/nodes/main/old/cl/rollup.json');
    const [ofNode, ofChain] = [render(rollup), render(plan.network.chains[0]!.rollupFile)];
    expect(ofNode).not.toHaveProperty('chain_op_config');
    expect(ofNode).toEqual({
      ...Object.fromEntries(Object.entries(ofChain).filter(([key]) => key !== 'chain_op_config')),
      genesis: {
        ...ofChain.genesis,
        system_config: Object.fromEntries(
          Object.entries(ofChain.genesis.system_config).filter(([key]) => key !== 'gasLimit'),
        ),
      },
    });
    const genesis = optionOf(task(plan, 'main/old/el'), 'chain')!;
    expect(genesis).toBe('/state/my-devnet/nodes/main/old/el/genesis.json');
    expect(render(genesis).config).not.toHaveProperty('optimism');
    expect(render(genesis)).not.toHaveProperty('baseFeePerGas');
    expect(Object.keys(render(genesis).alloc).length).toBeGreaterThan(2000);
    expect(optionOf(task(plan, 'main/seq/cl'), 'rollup.config')).toBe(plan.network.chains[0]!.rollupFile);
    expect(plan.notices.join()).toContain('has no key "no.such" to omit');
  });

  it('real clients wait for the tasks that they need, and a notice says that they read the wall clock', () => {
    const plan = planOf(
      nodes(
        'v: { el: { client: op-geth, binary: geth }, cl: { client: op-node, binary: op-node } }',
        'batcher: { client: op-batcher, binary: /bin/op-batcher },',
      ),
    );
    expect(task(plan, 'main/v/cl').needs).toEqual([
      { task: 'l1', until: 'ready' },
      { task: 'l1-beacon', until: 'ready' },
      { task: 'main/v/el', until: 'ready' },
    ]);
    expect(task(plan, 'main/batcher').needs.map(({ task: id }) => id)).toEqual(['l1', 'main/seq/el', 'main/seq/cl']);
    expect(task(plan, 'main/v/el').prepare[0]!.argv.slice(0, 2)).toEqual(['geth', 'init']);
    expect(task(plan, 'main/batcher').command.argv[0]).toBe('/bin/op-batcher');
    expect(plan.notices).toEqual([expect.stringContaining('main/v/el (op-geth)')]);
  });
});

describe('two chains of one L1', () => {
  const plan = planOf(
    'chains: { a: { blockTime: 1, proposer: { interval: 4, finalization: 9 } }, ' +
      'b: { accounts: { count: 1, balance: 1 ether } } }',
  );

  it('have ports, contracts and roles of their own', () => {
    expect(task(plan, 'b/sequencer/el').ports[0]!.port).toBe(9645);
    expect(task(plan, 'b/batcher').ports[0]!.port).toBe(9640);
    expect(task(plan, 'a/proposer').ports[0]!.port).toBe(9541);
    const [a, b] = plan.network.chains;
    const addresses = [a!, b!].flatMap(({ contracts: { l1 } }) => Object.values(l1));
    expect(new Set(addresses).size).toBe(addresses.length);
    const roles = [a!, b!].flatMap(({ accounts }) =>
      accounts.filter(({ role }) => role !== undefined).map(({ address }) => address),
    );
    expect(new Set(roles).size).toBe(roles.length);
  });

  it('propose to the oracle of their chain', () => {
    expect(optionOf(task(plan, 'a/proposer'), 'l2oo-address')).toBe(
      plan.network.chains[0]!.contracts.l1['L2OutputOracle'],
    );
    expect(l1Inputs(plan).chains.map(({ withdrawals }) => withdrawals)).toMatchObject([
      { system: 'output-oracle', submissionInterval: 4, finalizationPeriod: 9 },
      { system: 'output-oracle', submissionInterval: 2, finalizationPeriod: 4 },
    ]);
  });
});

describe('an existing chain', () => {
  const first = planOf('name: first', { now: NOW - 500 });
  const rollup = (() => {
    const { content } = first.files.find(({ path }) => path === first.network.chains[0]!.rollupFile)!;
    return JSON.parse(content.kind === 'text' ? content.text : '');
  })();
  const genesis = first.files.find(({ path }) => path === first.network.chains[0]!.genesisFile)!;
  const { config: genesisConfig } = JSON.parse(renderContent(genesis.content, { contracts, bundle: () => '' }));
  const from = (config: unknown, ofGenesis: unknown = genesisConfig) =>
    planOf('name: second\nchains: { old: { from: { genesis: /old/genesis.json, rollup: /old/rollup.json } } }', {
      rollupConfigs: { '/old/rollup.json': config as never },
      genesisConfigs: { '/old/genesis.json': ofGenesis as never },
      genesisFunds: { '/old/genesis.json': { ether: '0', tokens: [], canWithdraw: true } },
    });

  it('runs from its own files, at its own time', () => {
    const second = from(rollup);
    expect(second.genesisTime).toBe(first.genesisTime);
    expect(second.network.chains[0]).toMatchObject({
      chainId: 901,
      genesisHash: first.network.chains[0]!.genesisHash,
      genesisFile: '/old/genesis.json',
      rollupFile: '/old/rollup.json',
    });
    expect(second.files.some(({ content }) => content.kind === 'l2-genesis')).toBe(false);
    expect(optionOf(task(second, 'old/sequencer/el'), 'chain')).toBe('/old/genesis.json');
  });

  it('of another L1 is refused with what differs', () => {
    expect(() => from({ ...rollup, l1_chain_id: 1 })).toThrow(
      "its l1_chain_id is 1, expected 900 as on this devnet's L1",
    );
    expect(() => from({ ...rollup, deposit_contract_address: `0x${'1'.repeat(40)}` })).toThrow(
      'deposit_contract_address',
    );
  });

  it('whose files contradict each other is refused with every difference', () => {
    expect(() => from(rollup, { ...genesisConfig, chainId: 5, jovianTime: 7 })).toThrow(
      'contradict each other: l2_chain_id is 901, chainId is 5; jovian_time is 0, jovianTime is 7',
    );
    expect(() => from({ ...rollup, jovian_time: undefined })).toThrow('jovian_time is absent, jovianTime is 0');
  });
});

it('a fork that only one node schedules brings its upgrade transactions', () => {
  const plan = planOf(nodes('late: { override: { jovian: +9s } }', 'forks: { base: isthmus },'));
  expect(plan.files.filter(({ content }) => content.kind === 'upgrade-bundle').map(({ path }) => path)).toEqual([
    '/state/my-devnet/genesis/main/bundles/jovian.json',
  ]);
});

describe('dispute games', () => {
  const games = '{ system: dispute-games, interval: 9, finalization: 60, gameClock: 30, gameFinality: 5 }';
  const plan = planOf(`chains: { a: { proposer: ${games} } }`);
  const [chain] = plan.network.chains;

  it.each([
    { client: 'proposer', proposer: task(plan, 'a/proposer') },
    {
      client: 'op-proposer',
      proposer: task(
        planOf('chains: { a: { proposer: { client: op-proposer, binary: /p, system: dispute-games, interval: 9 } } }'),
        'a/proposer',
      ),
    },
  ])('are what $client makes', ({ proposer }) => {
    expect(optionOf(proposer, 'l2oo-address')).toBeUndefined();
    expect(optionOf(proposer, 'game-factory-address')).toBe(chain!.contracts.l1['DisputeGameFactory']);
    expect(optionOf(proposer, 'game-type')).toBe('1');
    expect(optionOf(proposer, 'proposal-interval')).toBe('9s');
  });

  it('replace the output oracle among the contracts, and begin at the output of block 0', () => {
    const { l1 } = chain!.contracts;
    expect(Object.keys(l1)).toEqual(
      expect.arrayContaining(['OptimismPortal', 'AnchorStateRegistry', 'DelayedWETH', 'PermissionedDisputeGame']),
    );
    expect(Object.keys(l1)).not.toContain('L2OutputOracle');
    const { withdrawals } = l1Inputs(plan).chains[0]!;
    expect(withdrawals).toMatchObject({ finalizationPeriod: 60, gameClock: 30, gameFinality: 5 });
    expect(withdrawals.startingRoot).toMatch(/^0x(?!dead)[0-9a-f]{64}$/);
  });
});

describe('accounts of the user', () => {
  const address = '0x00000000000000000000000000000000000000c0';
  const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  const plan = planOf(`chains: { a: { accounts: { count: 2, mnemonic: ${mnemonic}, addresses: ["${address}"] } } }`);
  const { accounts } = plan.network.chains[0]!;

  it('are those that other programs derive of the mnemonic, and the addresses without keys', () => {
    const derived = [0, 1].map((index) => mnemonicToAccount(mnemonic, { addressIndex: index }).address.toLowerCase());
    expect(accounts.filter(({ role }) => role === undefined).map(({ address }) => address)).toEqual(derived);
    expect(accounts.find(({ role }) => role === 'funded')).toEqual({ address, role: 'funded' });
  });

  it('are funded on both layers', () => {
    for (const kind of ['l1-genesis', 'l2-genesis']) {
      const { content } = plan.files.find((file) => file.content.kind === kind)!;
      expect(JSON.stringify(content)).toContain(`{"address":"${address}","balance":"10000000000000000000000"}`);
    }
  });
});
