import { describe, expect, it } from 'vitest';
import { referencesFor } from '../../../../src/orchestrator/template/references.ts';
import { clientsWith, HIDDEN, optionOf, quickPlanOf, task } from '../planned.ts';

const SECRETS = ['sequencer.key', 'batcher.key', 'proposer.key'];

/** A client of a kind that has each reference as an option of its name, secrets in its environment. */
function asking(
  kind: 'l1' | 'beacon' | 'el' | 'cl' | 'batcher' | 'proposer',
  ports: readonly string[],
  more = '',
): string {
  // A beacon client that refers to the Engine API of L1 would make its blocks.
  const names = referencesFor(kind, ports).filter((name) => kind !== 'beacon' || name !== 'l1.engine');
  const args = names.filter((name) => !SECRETS.includes(name)).map((name) => `${name}: "\${${name}}"`);
  const env = names.filter((name) => SECRETS.includes(name)).map((name) => `KEY: "\${${name}}"`);
  return [
    `kind: ${kind}`,
    'implementation: mine',
    'runs: { process: mine }',
    'clock: network',
    'ready: []',
    'stop: { grace: 1s }',
    `ports: { ${ports.map((port) => `${port}: tcp`).join(', ')} }`,
    `args: { ${args.join(', ')} }`,
    `env: { ${env.join(', ')} }`,
    more,
  ].join('\n');
}

/** The values of all options of a task, as words. */
const valuesIn = (argv: readonly string[]) =>
  Object.fromEntries(argv.slice(1).map((word) => word.slice(2).split(/=(.*)/s).slice(0, 2)));

const HOME = '/state/demo';
const NETWORK = {
  devnet: 'demo',
  cache: '/state/.cache',
  clock: `${HOME}/clock.json`,
  host: '127.0.0.1',
  'genesis.time': '1799999998',
  'l1.chainId': '900',
  'l1.chainIdHex': '0x384',
  'l1.blockTime': '4',
  'l1.hardfork': 'prague',
  'l1.gasLimit': '60000000',
  'l1.slotsInAnEpoch': '1',
  'l1.genesis': `${HOME}/genesis/l1.json`,
  'l1.chainConfig': `${HOME}/genesis/l1-chain-config.json`,
  'l1.http': 'http://127.0.0.1:8545',
  'l1.ws': 'ws://127.0.0.1:8545',
  'l1.beacon': 'http://127.0.0.1:5052',
};
const own = (id: string) => ({ task: id, dir: `${HOME}/nodes/${id}`, data: `${HOME}/nodes/${id}/data` });
const spec = (chain: string) => `name: demo\nl1: { blockTime: 4 }\nchains: { main: { ${chain} } }`;

describe('the references of a template have the values of the plan', () => {
  const plain = quickPlanOf(spec(''));
  const [chain] = plain.network.chains;
  const { systemConfig, portal } = {
    systemConfig: chain!.contracts.l1['SystemConfig']!,
    portal: chain!.contracts.l1['OptimismPortal']!,
  };
  const ofChain = {
    ...NETWORK,
    'l1.genesisHash': plain.network.l1.genesisHash,
    'chain.name': 'main',
    'chain.id': '901',
    'chain.idHex': '0x385',
    'chain.blockTime': '2',
    'chain.genesis': `${HOME}/genesis/main/genesis.json`,
    'chain.genesisHash': chain!.genesisHash,
    'chain.rollup': `${HOME}/genesis/main/rollup.json`,
    'contract.systemConfig': systemConfig,
    'contract.portal': portal,
    'contract.outputOracle': chain!.contracts.l1['L2OutputOracle']!,
    'sequencer.http': 'http://127.0.0.1:9545',
    'sequencer.ws': 'ws://127.0.0.1:9546',
    'sequencer.rpc': 'http://127.0.0.1:9547',
  };
  const [s, v] = chain!.nodes;
  const folder = (node: string) => `${HOME}/nodes/main/${node}`;

  it('for rollup nodes, with a key for the sequencer', () => {
    const plan = quickPlanOf(
      spec(
        'nodes: { sequencer: { role: sequencer, cl: { runtime: process } }, verifier: { cl: { runtime: process } } }',
      ),
      {},
      clientsWith('rollup-node', asking('cl', ['rpc', 'p2p'])),
    );
    const ofNode = (name: string, at: number) => ({
      ...ofChain,
      ...own(`main/${name}/cl`),
      'node.name': name,
      'node.jwt': `${folder(name)}/jwt.hex`,
      'node.peers': (at === 0 ? v : s)!.cl.p2p,
      'node.p2pKey': `${folder(name)}/p2p-key.hex`,
      'node.peerId': (at === 0 ? s : v)!.cl.peerId,
      'node.adminState': `${folder(name)}/cl/data/admin-state.json`,
      'el.http': `http://127.0.0.1:${9545 + 10 * at}`,
      'el.engine': `http://127.0.0.1:${9551 + 10 * at}`,
      'el.engineWs': `ws://127.0.0.1:${9551 + 10 * at}`,
      'el.engineKind': at === 0 ? 'reth' : 'geth',
      'port.rpc': String(9547 + 10 * at),
      'port.p2p': String(9522 + 10 * at),
    });
    const [sequencer, verifier] = [task(plan, 'main/sequencer/cl'), task(plan, 'main/verifier/cl')];
    expect(valuesIn(sequencer.command.argv)).toEqual({
      ...ofNode('sequencer', 0),
      'sequencer.keyFile': `${folder('sequencer')}/sequencer-key.hex`,
    });
    expect(valuesIn(verifier.command.argv)).toEqual(ofNode('verifier', 1));
    expect(verifier.command.env).toEqual({});
    expect(sequencer.command.env).toEqual({ KEY: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(sequencer.secrets).toHaveLength(3);
    expect(verifier.secrets).toHaveLength(2);
    const texts = plan.files.flatMap(({ path, secret, content }) =>
      secret && content.kind === 'text' && path.startsWith(folder('sequencer')) ? [content.text] : [],
    );
    expect(texts).toEqual(sequencer.secrets.map((secret) => `${secret}\n`));
    expect(texts.at(-1)).toBe(`${sequencer.command.env['KEY']}\n`);
  });

  it('for execution clients, with those of their peers', () => {
    const text = asking('el', ['http', 'engine'], 'engineKind: erigon');
    const nodes = 'a: { role: sequencer }, b: { el: { client: execution-go, runtime: process } }, c: {}';
    const plan = quickPlanOf(spec(`nodes: { ${nodes} }`), {}, clientsWith('execution-go', text));
    expect(valuesIn(task(plan, 'main/b/el').command.argv)).toMatchObject({
      ...own('main/b/el'),
      'node.name': 'b',
      'node.jwt': `${folder('b')}/jwt.hex`,
      'node.elPeers': 'http://127.0.0.1:9545,http://127.0.0.1:9565',
      'port.http': '9555',
      'port.engine': '9561',
    });
    // Without a key for WebSocket in its template, its Engine API is served by HTTP alone.
    expect(optionOf(task(plan, 'main/b/cl'), 'l2')).toBe('http://127.0.0.1:9561');
    expect(optionOf(task(plan, 'main/b/cl'), 'l2.enginekind')).toBe('erigon');
  });

  it.each(['output-oracle', 'dispute-games'])('for proposers with the system %s', (system) => {
    const isGames = system === 'dispute-games';
    const plan = quickPlanOf(
      spec(`proposer: { runtime: process, system: ${system}, interval: 14 }`),
      {},
      clientsWith('proposer', asking('proposer', [])),
    );
    const values = valuesIn(task(plan, 'main/proposer').command.argv);
    const { l1 } = plan.network.chains[0]!.contracts;
    expect(values).toMatchObject({
      ...own('main/proposer'),
      'sequencer.http': 'http://127.0.0.1:9545',
      'proposer.keyFile': `${HOME}/nodes/main/proposer-key.hex`,
      'contract.portal': l1['OptimismPortal'],
      'contract.systemConfig': l1['SystemConfig'],
    });
    const names = [
      'proposer.gameInterval',
      'proposer.gameType',
      'contract.disputeGameFactory',
      'contract.outputOracle',
    ];
    expect(names.map((name) => values[name])).toEqual(
      isGames
        ? ['14s', '1', l1['DisputeGameFactory'], undefined]
        : [undefined, undefined, undefined, l1['L2OutputOracle']],
    );
  });

  it.each([
    ['', `${HOME}/genesis/main/bundles`],
    ['forks: { base: jovian },', undefined],
  ])('for the batcher of a chain with %j', (forks, bundles) => {
    const schedule = forks === '' ? 'forks: { base: isthmus, jovian: +8s },' : forks;
    const plan = quickPlanOf(
      spec(`${schedule} batcher: { runtime: process, da: blobs }`),
      {},
      clientsWith('batcher', asking('batcher', ['rpc'])),
    );
    const values = valuesIn(task(plan, 'main/batcher').command.argv);
    expect(values['chain.bundles']).toBe(bundles);
    expect(values).toMatchObject({
      'batcher.da': 'blobs',
      'batcher.batchType': '1',
      'batcher.keyFile': `${HOME}/nodes/main/batcher-key.hex`,
      'port.rpc': '9540',
    });
  });

  const signer = chain!.accounts.find(({ role }) => role === 'sequencer')!.address;
  const ofL1 = {
    'l1.http': `http://${HIDDEN.host}:${HIDDEN.port}`,
    'l1.ws': `ws://${HIDDEN.host}:${HIDDEN.port}`,
    'l1.state': `${HOME}/nodes/l1-beacon/data/l1-state.json`,
    'l1.systemConfig': systemConfig,
    'l1.unsafeBlockSigner': `0x${'0'.repeat(24)}${signer.slice(2)}`,
  };

  it('for L1 and its beacon API', () => {
    const text = 'name: demo\nl1: { blockTime: 4, runtime: process, beacon: { runtime: process } }';
    const [ofBeacon, ofAnvil] = [
      clientsWith('l1-beacon', asking('beacon', ['http', 'gate'])),
      clientsWith('anvil', asking('l1', ['rpc'], 'stateRoot: empty')),
    ];
    const plan = quickPlanOf(text, {}, (name) => (name === 'anvil' ? ofAnvil(name) : ofBeacon(name)));
    const { genesisHash } = plan.network.l1;
    expect(valuesIn(task(plan, 'l1-beacon').command.argv)).toEqual({
      ...NETWORK,
      ...ofL1,
      ...own('l1-beacon'),
      'l1.genesisHash': genesisHash,
      'port.http': '5052',
      'port.gate': '8545',
    });
    expect(valuesIn(task(plan, 'l1').command.argv)).toEqual({
      ...NETWORK,
      ...ofL1,
      ...own('l1'),
      host: HIDDEN.host,
      'l1.genesisHash': genesisHash,
      'program.anvil': '/bin/anvil',
      'port.rpc': String(HIDDEN.port),
    });
  });

  it('for an L1 with an Engine API', () => {
    const text =
      'name: demo\n' +
      'l1: { client: geth, binary: g, hardfork: cancun, beacon: { client: lodestar, binary: lodestar } }';
    const client = clientsWith('geth', asking('l1', ['rpc', 'engine'], 'stateRoot: empty'));
    const plan = quickPlanOf(text, {}, client);
    const { command, secrets, reads } = task(plan, 'l1');
    const jwt = `${HOME}/nodes/l1-jwt.hex`;
    expect(valuesIn(command.argv)).toMatchObject({
      'l1.hardfork': 'cancun',
      'l1.http': 'http://127.0.0.1:8545',
      'l1.engine': `http://127.0.0.1:${task(plan, 'l1').ports[1]!.port}`,
      'l1.jwt': jwt,
    });
    expect(reads).toEqual([`${HOME}/genesis/l1.json`, `${HOME}/genesis/l1-chain-config.json`, jwt]);
    expect(plan.files.find(({ path }) => path === jwt)?.content).toEqual({ kind: 'text', text: `${secrets[0]}\n` });
  });

  it('for a stepped clock and a real finality', () => {
    const text = `${spec('batcher: { runtime: process }')}\ntime: { clock: stepped }`.replace(
      'blockTime: 4',
      'blockTime: 4, finality: real',
    );
    const client = clientsWith('batcher', asking('batcher', []));
    expect(valuesIn(task(quickPlanOf(text, {}, client), 'main/batcher').command.argv)).toMatchObject({
      'time.order': 'sender',
      'l1.slotsInAnEpoch': '32',
    });
    const hostNames = { 'main/batcher': 'b.example' };
    const elsewhere = valuesIn(task(quickPlanOf(text, { hostNames }, client), 'main/batcher').command.argv);
    expect(elsewhere).toMatchObject({ 'host.name': 'b.example', host: '0.0.0.0' });
    expect(elsewhere).not.toHaveProperty('clock');
  });
});
