import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/orchestrator/spec/text/yaml.ts';
import { loadTemplate } from '../../../src/orchestrator/template/load.ts';

/** A template with all keys that it needs, and these lines over them. */
function problemsOf(lines: string, kind = 'batcher', ports = '{ rpc: tcp, admin: tcp }') {
  const text = [
    `kind: ${kind}`,
    'implementation: mine',
    'runs: { process: mine }',
    `ports: ${ports}`,
    'clock: wall',
    'stop: { grace: 5s }',
    lines.includes('ready:') ? '' : 'ready: []',
    lines,
  ];
  const outcome = loadTemplate('mine', { name: 'mine.yaml', text: text.join('\n') });
  return outcome.ok ? [] : outcome.problems;
}

describe('a template is refused', () => {
  it.each([
    ['l1', ['rpc']],
    ['beacon', ['http']],
    ['el', ['http', 'engine']],
    ['cl', ['rpc', 'p2p']],
    ['batcher', []],
    ['proposer', []],
  ])('without the ports by which the network finds the kind %s', (kind, names) => {
    expect(problemsOf('', kind, '{}').map(({ code, path, allowed }) => ({ code, path, allowed }))).toEqual(
      names.map((name) => ({ code: 'missing', path: `ports.${name}`, allowed: `ports: { ${name}: tcp }` })),
    );
  });

  it.each([
    [
      'ready: [{ tcp: rcp }]',
      { code: 'reference', path: 'ready.0.tcp', allowed: 'rpc, admin', nearest: 'rpc', column: 16, width: 3 },
    ],
    ['probe: { tcpSocket: { port: rcp } }', { code: 'reference', path: 'probe.tcpSocket.port', nearest: 'rpc' }],
    ['probe: { ping: rpc }', { path: 'probe', allowed: '{ httpGet: { path, port } } or { tcpSocket: { port } }' }],
    ['live: [{ tcp: rcp }]', { code: 'reference', path: 'live.0.tcp', allowed: 'rpc, admin', nearest: 'rpc' }],
    [
      'args: { a: "${devnet} ${ l1.htp }" }',
      {
        code: 'reference',
        path: 'args.a',
        nearest: 'l1.http',
        allowed: expect.stringMatching(/^devnet, task, .*, port\.rpc, port\.admin$/),
        column: 23,
        width: 11,
      },
    ],
    ['args: { a: "${batcher.key}" }', { code: 'reference', path: 'args.a', allowed: 'env', column: 13, width: 14 }],
    ['args: { a: [x, "${l1.htp}"] }', { code: 'reference', path: 'args.a.1', nearest: 'l1.http', column: 17 }],
    ['stop: { grace: soon }', { code: 'duplicate-key', path: 'stop' }],
    ['polls: { l1Head: soon }', { code: 'value', path: 'polls.l1Head', allowed: 'a duration such as 5s' }],
    ['polls: { l1Head: 5 }', { code: 'type', path: 'polls.l1Head', allowed: 'a duration such as 5s' }],
    ['versions: 5', { code: 'type', path: 'versions', allowed: 'text' }],
    ['harmless: [5]', { code: 'type', path: 'harmless.0', allowed: 'text' }],
    ["harmless: ['(']", { code: 'value', path: 'harmless.0', allowed: 'a regular expression' }],
    ['needs: { l1: up }', { code: 'value', path: 'needs.l1', allowed: 'spawned, ready' }],
  ])('with the place and what is allowed when it has %s', (lines, expected) => {
    expect(problemsOf(lines)).toMatchObject([expected]);
  });

  it.each(['1rpc', 'my-rpc', 'Rpc', '_rpc'])('when a port has the name %s', (name) => {
    expect(problemsOf('', 'batcher', `{ ${name}: tcp }`)).toMatchObject([
      { code: 'name', path: `ports.${name}`, allowed: 'letters and digits' },
    ]);
  });

  it('without further problems when its kind is unknown or its ports are no map', () => {
    expect(problemsOf('', 'rollup')).toMatchObject([{ code: 'value', path: 'kind' }]);
    expect(problemsOf('ready: [{ tcp: rpc }]', 'batcher', '5')).toMatchObject([
      { path: 'ports' },
      { path: 'ready.0.tcp', allowed: '' },
    ]);
  });

  it('with the faults of its YAML alone when the text cannot be read', () => {
    const source = { name: 'mine.yaml', text: 'kind: [' };
    const outcome = loadTemplate('mine', source);
    expect(outcome).toEqual({ ok: false, problems: parseYaml(source).problems });
    expect(parseYaml(source).problems).not.toEqual([]);
  });
});

describe('a template is accepted', () => {
  it.each([
    'args: { tcp: any }',
    'env: { A: "${batcher.key}" }',
    'args: { a: "${ devnet }${port.admin}" }',
    'ready: [{ tcp: admin }]',
  ])('with %s', (lines) => {
    expect(problemsOf(lines)).toEqual([]);
  });

  it('with a secret in the environment of a role', () => {
    expect(problemsOf('sequencer: { env: { A: "${sequencer.key}" } }', 'cl', '{ rpc: tcp, p2p: tcp }')).toEqual([]);
  });
});
