import { describe, expect, it } from 'vitest';
import { isPortOpen } from '../../../../src/orchestrator/plan/given.ts';
import type { Task } from '../../../../src/orchestrator/plan/plan.ts';
import { clientsWith, optionOf, quickPlanOf, task } from '../planned.ts';
import { OWN_EL } from './own-client.ts';

const client = clientsWith('execution-go', OWN_EL);
const planOfNode = (el: string, more = '') =>
  quickPlanOf(
    'name: demo\nchains: { main: { forks: { base: isthmus, jovian: +8s }, ' +
      `nodes: { s: { role: sequencer }, v: { el: { client: execution-go, ${el} } ${more} } } } }`,
    {},
    client,
  );
const FOLDER = '/state/demo/nodes/main/v/el';
const GENESIS = '/state/demo/genesis/main/genesis.json';
const JWT = '/state/demo/nodes/main/v/jwt.hex';

describe('a task of a client that uses each key of a template', () => {
  const plan = planOfNode(
    'runtime: process, args: { ws: true, extra: [1, x], level: null, quiet: true }, ' +
      'env: { NAME: w, MORE: 1, EMPTY: null }',
    ', override: { jovian: +40s }',
  );
  const planned = task(plan, 'main/v/el');
  const options = [
    `--datadir=${FOLDER}/data`,
    '--http=127.0.0.1:9555',
    '--p2p=9595',
    `--jwt=${JWT}`,
    '--peers=http://127.0.0.1:9545',
    '--on',
    '--ws',
    '--from=http://127.0.0.1:9545',
    `--override.jovian=${plan.genesisTime + 40}`,
    '--extra=1',
    '--extra=x',
    '--quiet',
  ];
  const env = { NAME: 'w', ROLE: 'verifier', MORE: '1' };
  const command = (...argv: readonly string[]) => ({ argv: ['/bin/demo-el', ...argv], cwd: FOLDER, env });

  it('has its commands, ports, probes and files', () => {
    expect(planned).toEqual({
      id: 'main/v/el',
      kind: 'el',
      chain: 'main',
      node: 'v',
      client: 'execution-go',
      launch: 'spawn',
      clock: 'network',
      prepare: [command('init', `--datadir=${FOLDER}/data`, '--bare', GENESIS), command('check')],
      rewind: command('rewind', `--datadir=${FOLDER}/data`),
      version: { argv: ['/bin/demo-el', '--version', 'demo'], cwd: FOLDER, env: {} },
      command: command('node', 'v', `--chain=${GENESIS}`, ...options),
      resume: {
        file: `${FOLDER}/state`,
        command: command('node', 'v', ...options, '--load=/state/demo/genesis/main/rollup.json'),
        reads: [GENESIS, '/state/demo/genesis/main/rollup.json', JWT].sort(),
      },
      secrets: [expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)],
      needs: [
        { task: 'l1', until: 'spawned' },
        { task: 'main/v/cl', until: 'ready' },
      ],
      reads: [GENESIS, JWT],
      ports: [
        { name: 'http', host: '127.0.0.1', port: 9555, transport: 'tcp' },
        { name: 'engine', host: '127.0.0.1', port: 9561, transport: 'tcp' },
        { name: 'ws', host: '127.0.0.1', port: 9556, transport: 'tcp' },
      ],
      given: { ws: 'true', extra: '1,x', level: null, quiet: 'true' },
      polls: { l1HeadMs: 2000, l1FinalityMs: 0 },
      harmless: ['noise'],
      ready: [
        {
          kind: 'rpc',
          url: 'http://127.0.0.1:9555',
          method: 'm',
          params: [901, [null, null], { a: 'main/v/el' }],
          expect: {},
          description: 'answers m',
        },
        { kind: 'tcp', host: '127.0.0.1', port: 9556, description: 'listens at its port ws' },
        { kind: 'tcp', host: '127.0.0.1', port: 9561, description: 'listens at its port engine' },
      ],
      live: [{ kind: 'log', pattern: 'up', description: 'writes up' }],
      stop: { signal: 'SIGINT', graceMs: 3000, againMs: 1000 },
      onExit: 'fail',
      log: `${FOLDER}.log`,
      lifeline: false,
    } satisfies Task);
  });

  it('has neither changed arguments nor limits if the spec has none, and a port that no switch closes', () => {
    const plain = task(planOfNode('runtime: process'), 'main/v/el');
    expect(plain).not.toHaveProperty('given');
    expect(plain).not.toHaveProperty('container');
    expect(plain.ports.map(({ name, transport }) => `${name}/${transport}`)).toEqual([
      'http/tcp',
      'engine/tcp',
      'p2p/udp',
    ]);
    expect(plain.ready.map(({ kind }) => kind)).toEqual(['rpc', 'tcp']);
    expect(optionOf(plain, 'level')).toBe('5');
    expect(plain.command.env).toEqual({ NAME: 'v', ROLE: 'verifier' });
  });

  it('reads no file whose option or variable the spec replaces', () => {
    const bare = OWN_EL.replace(/prepare:\n.*\n.*\n/, '').replace('EMPTY: "${host.name}"', 'EMPTY: "${chain.rollup}"');
    const readsOf = (el: string) => {
      const text = `chains: { main: { nodes: { s: { role: sequencer, el: { client: execution-go, ${el} } } } } }`;
      const plan = quickPlanOf(text, {}, clientsWith('execution-go', bare));
      return task(plan, 'main/s/el').reads.map((path) => path.slice(plan.home.length + 1));
    };
    const [genesis, rollup, jwt] = ['genesis/main/genesis.json', 'genesis/main/rollup.json', 'nodes/main/s/jwt.hex'];
    expect(readsOf('runtime: process')).toEqual([genesis, rollup, jwt]);
    expect(readsOf('runtime: process, env: { EMPTY: x }')).toEqual([genesis, jwt]);
    expect(readsOf('runtime: process, args: { chain: x }')).toEqual([rollup, jwt]);
  });

  it('has the options of its role', () => {
    const text =
      'chains: { main: { nodes: { s: { role: sequencer, el: { client: execution-go, runtime: process } } } } }';
    const sequencer = task(quickPlanOf(text, {}, client), 'main/s/el');
    expect([optionOf(sequencer, 'seq'), optionOf(sequencer, 'from'), optionOf(sequencer, 'level')]).toEqual([
      'yes',
      undefined,
      '3',
    ]);
    expect(sequencer.command.env).toEqual({ NAME: 'main/s/el', ROLE: 'sequencer' });
  });
});

describe('the program of a task', () => {
  it.each([
    ['runtime: process', ['/bin/demo-el', 'node'], undefined],
    ['binary: /my/el', ['/my/el', 'node'], undefined],
    ['runtime: docker', ['/own', 'node'], { image: 'own:1', own: false, entry: false }],
    ['image: "their:2"', ['/own', 'node'], { image: 'their:2', own: false, entry: false }],
    [
      'runtime: docker, limits: { cpus: 2, memory: 1 GB }',
      ['/own', 'node'],
      { image: 'own:1', own: false, entry: false, limits: { cpus: 2, memory: 1_000_000_000 } },
    ],
  ])('is that of %s', (el, words, container) => {
    const planned = task(planOfNode(el), 'main/v/el');
    expect(planned.command.argv.slice(0, 2)).toEqual(words);
    expect(planned.container).toEqual(container);
    expect(planned.version?.argv[0]).toBe(words[0]);
  });

  it.each([
    ['{ docker: {} }', 'runtime: docker', ['node'], { image: 'rollup-devnet:test', own: true, entry: true }],
    ['{ docker: { image: i } }', 'runtime: docker', ['node'], { image: 'i', own: false, entry: true }],
    [
      '{ embedded: own }',
      'runtime: docker',
      ['node', '--min-semi-space-size=1', '--max-semi-space-size=2', '/opt/rollup-devnet/dist/own.js'],
      { image: 'rollup-devnet:test', own: true, entry: false },
    ],
    [
      '{ embedded: own }',
      'runtime: embedded',
      ['/bin/node', '--min-semi-space-size=1', '--max-semi-space-size=2', '/package/dist/own.js'],
      undefined,
    ],
    ['{ process: null }', 'binary: /x', ['/x'], undefined],
  ])('of the template %s with %s begins with %j', (runs, el, words, container) => {
    const text = OWN_EL.replace(/^runs: .*$/m, `runs: ${runs}`);
    const spec = `chains: { main: { nodes: { s: { role: sequencer, el: { client: execution-go, ${el} } } } } }`;
    const planned = task(quickPlanOf(spec, {}, clientsWith('execution-go', text)), 'main/s/el');
    expect(planned.command.argv.slice(0, words.length)).toEqual(words);
    expect(planned.container).toEqual(container);
    const isEmbedded = el === 'runtime: embedded';
    expect(planned.lifeline).toBe(isEmbedded);
    expect(planned.version === undefined).toBe(isEmbedded);
    expect('MALLOC_ARENA_MAX' in planned.command.env).toBe(isEmbedded);
  });
});

describe('a port', () => {
  const template = client('execution-go');
  const process = { args: {}, env: {}, ports: {}, omit: {}, client: 'x', runtime: 'process', launch: 'spawn' } as never;
  const withArgs = (args: object) => ({ template, process: { ...(process as object), args } as never });

  it.each([
    ['http', {}, true],
    ['none', {}, false],
    ['ws', {}, false],
    ['ws', { ws: true }, true],
    ['ws', { ws: 'true' }, true],
    ['ws', { ws: null }, false],
    ['ws', { ws: 'false' }, false],
    ['p2p', {}, true],
    ['p2p', { quiet: true }, false],
    ['p2p', { quiet: false }, true],
    ['p2p', { quiet: null }, true],
  ])('%s with the arguments %j is open: %s', (name, args, open) => {
    expect(isPortOpen(withArgs(args), name)).toBe(open);
  });

  it('is open by an option of the role, which the spec can change', () => {
    const role = { args: { ws: true }, env: {} };
    expect(isPortOpen({ ...withArgs({}), role }, 'ws')).toBe(true);
    expect(isPortOpen({ ...withArgs({ ws: false }), role }, 'ws')).toBe(false);
  });
});
