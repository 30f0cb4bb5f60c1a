import { describe, expect, it } from 'vitest';
import { loadTemplate } from '../../../src/orchestrator/template/load.ts';
import type { ClientTemplate } from '../../../src/orchestrator/template/template.ts';

/** The keys that every template has, in YAML. */
const MINIMAL = {
  kind: 'batcher',
  implementation: 'mine',
  runs: '{}',
  ports: '{}',
  clock: 'wall',
  ready: '[]',
  stop: '{ grace: 5s }',
} as const;

/** The template of the minimal document with these keys beside or instead of its own. */
function built(keys: Readonly<Record<string, string>> = {}): ClientTemplate {
  const text = Object.entries({ ...MINIMAL, ...keys }).map(([key, value]) => `${key}: ${value}`);
  const outcome = loadTemplate('mine', { name: 'mine.yaml', text: text.join('\n') });
  if (!outcome.ok) throw new Error(outcome.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  return outcome.template;
}

const text = (...parts: ClientTemplate['command'][number]['parts']) => ({ parts });
const reference = (name: string) => ({ reference: name });

it('a template has its documented defaults when its document has the required keys alone', () => {
  const { override: _, takesOverride: __, ...data } = built();
  expect(data).toEqual({
    name: 'mine',
    kind: 'batcher',
    implementation: 'mine',
    engineKind: null,
    engineWs: false,
    stateRoot: 'genesis',
    drivesEngine: false,
    drivesAnvil: false,
    l1Forks: false,
    slotsPerEpoch: null,
    dials: false,
    leadsOne: false,
    version: null,
    versions: null,
    runs: {},
    runtimes: [],
    needsImage: false,
    needsBinary: false,
    program: null,
    command: [],
    prepare: [],
    resume: null,
    args: {},
    env: {},
    sequencer: { args: {}, env: {} },
    verifier: { args: {}, env: {} },
    ports: {},
    portNames: [],
    refusedArguments: {},
    ownArguments: {},
    follows: false,
    takesAltDa: false,
    takesConductor: false,
    takesSigner: false,
    omit: {},
    booleans: 'value',
    needs: {},
    hardforks: null,
    forks: {},
    upgradeBundles: 'none',
    until: null,
    distinctTimesFrom: null,
    clock: 'wall',
    pace: null,
    polls: { l1HeadMs: 0, l1FinalityMs: 0 },
    firstBlock: null,
    harmless: [],
    probe: null,
    ready: [],
    live: [],
    stop: { signal: 'SIGTERM', graceMs: 5000 },
  });
});

describe('a template', () => {
  it.each<[string, Readonly<Record<string, string>>, object]>([
    ['the kind of an engine', { engineKind: 'erigon' }, { engineKind: 'erigon' }],
    ['an Engine API by WebSocket', { engineWs: 'true' }, { engineWs: true }],
    ['no Engine API by WebSocket', { engineWs: 'false' }, { engineWs: false }],
    ['an empty state root', { stateRoot: 'empty' }, { stateRoot: 'empty' }],
    ['the state root of the genesis state', { stateRoot: 'genesis' }, { stateRoot: 'genesis' }],
    ['the words of a version', { version: '[--version, x]' }, { version: [text('--version'), text('x')] }],
    ['its versions', { versions: 'v1' }, { versions: 'v1' }],
    ['bare switches', { booleans: 'bare' }, { booleans: 'bare' }],
    ['switches with values', { booleans: 'value' }, { booleans: 'value' }],
    [
      'words before the options',
      { command: '[node, "${devnet}"]' },
      { command: [text('node'), text(reference('devnet'))] },
    ],
    ['refused options', { refuses: '{ a: use b }' }, { refusedArguments: { a: 'use b' } }],
    ['omitted keys', { omit: '{ chain.rollup: [a.b] }' }, { omit: { 'chain.rollup': ['a.b'] } }],
    ['needs', { needs: '{ l1: spawned, el: ready }' }, { needs: { l1: 'spawned', el: 'ready' } }],
    ['hardforks', { hardforks: '[cancun]' }, { hardforks: ['cancun'] }],
    ['no hardfork', { hardforks: '[]' }, { hardforks: [] }],
    ['no upgrade bundles', { upgradeBundles: 'none' }, { upgradeBundles: 'none' }],
    ['upgrade bundles', { upgradeBundles: 'builtin' }, { upgradeBundles: 'builtin' }],
    ['its newest fork', { until: 'jovian' }, { until: 'jovian' }],
    ['forks with distinct times', { distinctTimesFrom: 'holocene' }, { distinctTimesFrom: 'holocene' }],
    [
      'a probe of Kubernetes by HTTP',
      { ports: '{ rpc: tcp }', probe: '{ httpGet: { path: /up, port: rpc } }' },
      { probe: { httpGet: { path: '/up', port: 'rpc' } } },
    ],
    [
      'a probe of Kubernetes by TCP',
      { ports: '{ rpc: tcp }', probe: '{ tcpSocket: { port: rpc } }' },
      { probe: { tcpSocket: { port: 'rpc' } } },
    ],
    ['harmless lines', { harmless: "['a b']" }, { harmless: ['a b'] }],
    ['probes that keep holding', { live: '[{ log: up }]' }, { live: [{ log: 'up' }] }],
    ['polls', { polls: '{ l1Head: 4s, l1Finality: 1m }' }, { polls: { l1HeadMs: 4000, l1FinalityMs: 60_000 } }],
    [
      'a pace',
      { pace: '{ l1Blocks: n, every: t, atLeast: 3s, safeWith: safe }' },
      { pace: { l1Blocks: 'n', every: 't', atLeastMs: 3000, safeWith: 'safe' } },
    ],
    ['a pace without values', { pace: '{}' }, { pace: { l1Blocks: null, every: null, atLeastMs: 0, safeWith: null } }],
    [
      'a call with its first block',
      { firstBlock: '{ rpc: "http://${host}/", method: m, head: h }' },
      { firstBlock: { rpc: text('http://', reference('host'), '/'), method: 'm', head: text('h') } },
    ],
    [
      'a second signal',
      { stop: '{ signal: SIGQUIT, again: 1s, grace: 2s }' },
      { stop: { signal: 'SIGQUIT', againMs: 1000, graceMs: 2000 } },
    ],
    ['its signal', { stop: '{ signal: SIGTERM, grace: 0s }' }, { stop: { signal: 'SIGTERM', graceMs: 0 } }],
    [
      'the environment as texts',
      { env: '{ A: 5, B: true, C: "${data}x" }' },
      { env: { A: text('5'), B: text('true'), C: text(reference('data'), 'x') } },
    ],
    [
      'arguments with their types',
      { args: '{ a: 5, b: true, c: null, d: x, e: [x, "${data}"] }' },
      { args: { a: 5, b: true, c: null, d: text('x'), e: [text('x'), text(reference('data'))] } },
    ],
    [
      'options of each role',
      { sequencer: '{ args: { s: 1 }, env: { S: x } }', verifier: '{ args: { v: 2 } }' },
      { sequencer: { args: { s: 1 }, env: { S: text('x') } }, verifier: { args: { v: 2 }, env: {} } },
    ],
    [
      'runs before its start',
      { prepare: '[{ command: [init], args: { a: 1 }, operands: ["${data}"] }, {}]' },
      {
        prepare: [
          { command: [text('init')], args: { a: 1 }, operands: [text(reference('data'))] },
          { command: [], args: {}, operands: [] },
        ],
      },
    ],
    [
      'a run that takes the chain back',
      { rewind: '{ command: [back], args: { a: 1 } }' },
      { rewind: { command: [text('back')], args: { a: 1 } } },
    ],
    ['a run without words', { rewind: '{}' }, { rewind: { command: [], args: {} } }],
    [
      'a start from a file',
      { resume: '{ file: "${data}/state", args: { load: true } }' },
      { resume: { file: text(reference('data'), '/state'), args: { load: true } } },
    ],
    [
      'its ports',
      { ports: '{ rpc: tcp, p2p: udp, ws: { with: ws }, m: { transport: udp, offset: -2, without: off } }' },
      {
        ports: {
          rpc: { transport: 'tcp' },
          p2p: { transport: 'udp' },
          ws: { transport: 'tcp', with: 'ws' },
          m: { transport: 'udp', offset: -2, without: 'off' },
        },
        portNames: ['rpc', 'p2p', 'ws', 'm'],
      },
    ],
  ])('has %s when its document has them', (_, keys, expected) => {
    expect(built(keys)).toMatchObject(expected);
  });

  it.each<
    [string, string, Partial<Pick<ClientTemplate, 'runs' | 'runtimes' | 'needsImage' | 'needsBinary' | 'program'>>]
  >([
    ['nothing', '{}', {}],
    [
      'a program of the package',
      '{ embedded: batcher }',
      { runs: { embedded: 'batcher' }, runtimes: ['embedded', 'docker'] },
    ],
    ['a binary of its name', '{ process: p }', { runs: { process: text('p') }, runtimes: ['process'], program: 'p' }],
    [
      'a binary of the plan',
      '{ process: "${devnet}/p" }',
      { runs: { process: text(reference('devnet'), '/p') }, runtimes: ['process'] },
    ],
    [
      'a binary of the spec',
      '{ process: null }',
      { runs: { process: null }, runtimes: ['process'], needsBinary: true },
    ],
    ['a container', '{ docker: { image: i } }', { runs: { docker: { image: 'i' } }, runtimes: ['docker'] }],
    ['a container of its own image', '{ docker: {} }', { runs: { docker: {} }, runtimes: ['docker'] }],
    [
      'an image of the spec',
      '{ docker: { image: null } }',
      { runs: { docker: { image: null } }, runtimes: ['docker'], needsImage: true },
    ],
    [
      'each of them',
      '{ embedded: batcher, process: p, docker: {} }',
      {
        runs: { embedded: 'batcher', process: text('p'), docker: {} },
        runtimes: ['embedded', 'process', 'docker'],
        program: 'p',
      },
    ],
  ])('tells its runtimes when it runs as %s', (_, runs, expected) => {
    const { runs: launch, runtimes, needsImage, needsBinary, program } = built({ runs });
    expect({ runs: launch, runtimes, needsImage, needsBinary, program }).toEqual({
      runs: {},
      runtimes: [],
      needsImage: false,
      needsBinary: false,
      program: null,
      ...expected,
    });
  });

  it.each([
    ['cl', '{ rpc: tcp, p2p: tcp }', '{ peers: "${ node.peers }" }', { dials: true, drivesEngine: false }],
    ['cl', '{ rpc: tcp, p2p: tcp }', '{ peers: "${node.peerId}" }', { dials: false, drivesEngine: false }],
    ['beacon', '{ http: tcp }', '{ engine: "x${l1.engine}" }', { dials: false, drivesEngine: true }],
    ['beacon', '{ http: tcp }', '{ engine: "l1.engine" }', { dials: false, drivesEngine: false }],
  ])('of the kind %s with ports %s tells what it drives when it has the options %s', (kind, ports, args, expected) => {
    expect(built({ kind, ports, args })).toMatchObject(expected);
  });

  it('claims the options of all roles whose values the plan sets, with what to use instead', () => {
    const { ownArguments } = built({
      kind: 'cl',
      ports: '{ rpc: tcp, p2p: tcp }',
      args:
        '{ url: "${l1.http}", port: "${port.rpc}", both: "${l1.http}${data}", n: 5, off: null, ' +
        'dirs: [x, "${data}"] }',
      sequencer: '{ args: { jwt: "${node.jwt}" } }',
      verifier: '{ args: { p2p: ":${port.p2p}", on: true } }',
    });
    expect(ownArguments).toEqual({
      port: 'ports: { rpc: … }',
      both: expect.stringContaining('nothing: '),
      dirs: expect.stringContaining('nothing: '),
      jwt: expect.stringContaining('nothing: '),
      p2p: 'ports: { p2p: … }',
    });
  });

  it('takes the override of a fork by the rule of its name, else by the common one', () => {
    const { override, takesOverride } = built({
      forks: '{ override: { flag: "override.*" }, delta: none, isthmus: chain-file, jovian: { flag: j } }',
    });
    expect(['holocene', 'delta', 'isthmus', 'jovian'].map((fork) => [override(fork), takesOverride(fork)])).toEqual([
      [{ how: 'flag', flag: 'override.holocene' }, true],
      [{ how: 'none' }, false],
      [{ how: 'chain-file' }, true],
      [{ how: 'flag', flag: 'j' }, true],
    ]);
    expect([built().override('delta'), built().takesOverride('delta')]).toEqual([{ how: 'none' }, false]);
  });
});
