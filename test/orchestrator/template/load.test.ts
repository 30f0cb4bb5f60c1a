import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { renderProblems } from '../../../src/orchestrator/spec/text/problem.ts';
import { loadTemplate } from '../../../src/orchestrator/template/load.ts';
import { referencesFor, type Values } from '../../../src/orchestrator/template/references.ts';
import {
  argumentWords,
  parseText,
  renderArguments,
  renderText,
  renderWords,
} from '../../../src/orchestrator/template/text.ts';
import { ANVIL_ARGUMENTS } from '../../../src/protocol/genesis/index.ts';
import { packageFile, template, templateNames } from '../package.ts';

const minimal = (lines: string) => `kind: batcher
implementation: mine
runs: { process: mine }
ports: { rpc: tcp }
clock: wall
ready: [{ tcp: rpc }]
stop: { grace: 5s }
${lines}`;

const problemsOf = (text: string) => {
  const outcome = loadTemplate('mine', { name: 'mine.yaml', text });
  return outcome.ok
    ? []
    : outcome.problems.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);
};

describe('a wrong template is reported with its place', () => {
  it.each([
    ['an unknown reference', 'args: { url: "http://${l1.htp}/" }', ['8:22 args.url: unknown reference "${l1.htp}"']],
    [
      'a reference of another kind of client',
      'args: { x: "${node.jwt}" }',
      ['8:13 args.x: unknown reference "${node.jwt}"'],
    ],
    [
      'a port that it does not have',
      'args: { x: "${port.metrics}" }',
      ['8:13 args.x: unknown reference "${port.metrics}"'],
    ],
    [
      'a secret in the command line',
      'args: { key: "${batcher.key}" }',
      ['8:15 args.key: "${batcher.key}" is a secret, and every user of the machine can read command lines'],
    ],
    ['a second document', '---\nargz: {}', ['8:1 : a second YAML document begins here']],
    ['an unknown key', 'argz: {}', ['8:1 argz: unknown key "argz"']],
    [
      'an option with its dashes, and one of two words',
      'args: { --url: x, a b: y }',
      ['8:9 args.--url: "--url" cannot be used as a name here', '8:19 args."a b": "a b" cannot be used as a name here'],
    ],
    ['a name that no variable can have', 'env: { A=B: x }', ['8:8 env.A=B: "A=B" cannot be used as a name here']],
    ['a probe of a port that it does not have', 'live: [{ tcp: rcp }]', ['8:15 live.0.tcp: there is no port "rcp"']],
    ['a probe of no kind', 'live: [{ ping: rpc }]', ['8:8 live.0: found a map with "ping"']],
    ['a probe of two kinds', 'live: [{ tcp: rpc, log: x }]', ['8:8 live.0: found a map with "tcp", "log"']],
    ['a probe of a wrong value', 'live: [{ exit: ok }]', ['8:16 live.0.exit: found "ok"']],
    [
      'a probe with wrong values and a key of another kind',
      'live: [{ rpc: 5, method: m, params: 1, atLeast: 1 }]',
      [
        '8:15 live.0.rpc: found the number 5',
        '8:37 live.0.params: found the number 1',
        '8:40 live.0.atLeast: unknown key "atLeast"',
      ],
    ],
    ['a pattern that is no regular expression', "harmless: ['a(']", ['8:12 harmless.0: found "a("']],
    ['a switch that is none', 'clock: wall', ['8:1 clock: the key "clock" stands here twice']],
  ])('%s', (_, lines, expected) => {
    expect(problemsOf(minimal(lines))).toEqual(expected);
  });

  it('a port of another protocol, once', () => {
    const text = minimal('args: { x: "${port.rpc}" }').replace('rpc: tcp', 'rpc: sctp').replace('batcher', 'l1');
    expect(problemsOf(text)).toEqual(['4:15 ports.rpc: found "sctp"']);
  });

  it('all of them at once', () => {
    expect(problemsOf('kind: el\nruns: {}\nports: { http: tcp }\nstop: {}\n')).toEqual([
      '1:1 implementation: "implementation" is missing',
      '1:1 clock: "clock" is missing',
      '1:1 ready: "ready" is missing',
      '3:1 ports.engine: a client of the kind el needs a port "engine"',
      '4:1 stop.grace: "grace" is missing',
    ]);
  });

  it('a secret in the environment is right', () => {
    expect(problemsOf(minimal('env: { KEY: "${batcher.key}" }'))).toEqual([]);
  });
});

describe('text with references', () => {
  it('keeps the type of a reference alone, joins others, is absent with an absent one', () => {
    const values = { 'l1.chainId': 7, 'l1.engine': undefined, devnet: 'x' };
    expect(renderText(parseText('${l1.chainId}'), values)).toBe(7);
    expect(renderText(parseText('${l1.chainId}s'), values)).toBe('7s');
    expect(renderText(parseText('${l1.chainId}${devnet}'), values)).toBe('7x');
    expect(renderText(parseText('${l1.engine}'), values)).toBeUndefined();
    expect(renderText(parseText('x${l1.engine}'), values)).toBeUndefined();
    expect(renderText(parseText('$${l1.chainId} $(b) ${devnet}'), values)).toBe('${l1.chainId} $(b) x');
    expect(renderText(parseText(''), values)).toBe('');
  });

  it('throws on a reference that has no entry', () => {
    expect(() => renderText(parseText('${z}'), {})).toThrow('${z}');
  });

  it('has values by the names of the table alone, as the compiler checks', () => {
    const values: Values = { 'l1.chainId': 7, 'port.anything': 1 };
    // @ts-expect-error: the table has no such name
    const unknown: Values = { ...values, 'l1.chainID': 7 };
    expect(() => renderText(parseText('${l1.chainId}'), { devnet: 'x' })).toThrow('${l1.chainId}');
    expect(Object.keys(unknown)).toHaveLength(3);
  });
});

describe('arguments', () => {
  it('are one word each, whatever they hold', () => {
    expect(argumentWords({ a: '-5', b: '$(touch x); rm', c: 'x\ny', d: 0, e: '', f: ['p', 'q'] }, 'value')).toEqual([
      '--a=-5',
      '--b=$(touch x); rm',
      '--c=x\ny',
      '--d=0',
      '--e=',
      '--f=p',
      '--f=q',
    ]);
  });

  it('spell switches as their program reads them; null drops one', () => {
    expect(argumentWords({ on: true, off: false, none: null }, 'value')).toEqual(['--on=true', '--off=false']);
    expect(argumentWords({ on: true, off: false, none: null }, 'bare')).toEqual(['--on']);
  });
});

describe.each(templateNames)('the template %s', (name) => {
  it('is right, and every word of it can be rendered', () => {
    const outcome = loadTemplate(name, packageFile('templates', name));
    if (!outcome.ok) throw new Error(renderProblems(outcome.problems));
    const client = outcome.template;
    const values = Object.fromEntries(
      referencesFor(client.kind, client.portNames).map((reference) => [reference, `<${reference}>`]),
    );
    for (const { args } of [client, client.sequencer, client.verifier, ...client.prepare])
      for (const word of argumentWords(renderArguments(args, values), client.booleans))
        expect(word).toMatch(/^--[a-z0-9][\w.-]*(=.*)?$/);
    for (const words of [client.command, ...client.prepare.flatMap(({ command, operands }) => [command, operands])])
      expect(renderWords(words, values)).toHaveLength(words.length);
  });

  it('has no secret in its command line, and listens on the loopback interface only', () => {
    const client = template(name);
    const args = { ...client.args, ...client.sequencer.args, ...client.verifier.args };
    expect(JSON.stringify(args)).not.toContain('.key"');
    const listening = Object.entries(args).filter(([option]) =>
      /^(host|addr|listenAddress)$|(?<!advertise|signer)\.(addr|address|ip)$/.test(option),
    );
    for (const [, value] of listening) expect(value).toEqual(parseText('${host}'));
    const loopback = Object.values(args).filter((value) => isDeepStrictEqual(value, parseText('${host}')));
    if (Object.keys(client.ports).length > 0) expect(loopback.length).toBeGreaterThan(0);
  });

  it('names the versions that it was written for, if it starts a program of others', () => {
    const { runs, version, versions } = template(name);
    if (runs.embedded === undefined)
      expect([version, versions]).toEqual([expect.any(Array), expect.stringMatching(/\d/)]);
  });

  it('is probed, and has time to end', () => {
    const { ready, stop } = template(name);
    expect(ready.length).toBeGreaterThan(0);
    expect(stop.graceMs).toBeGreaterThanOrEqual(1000);
  });
});

it('anvil is given what its genesis file was computed with', () => {
  const { args } = template('anvil');
  for (const [option, value] of Object.entries(ANVIL_ARGUMENTS)) {
    const argument = args[option];
    expect(
      String(
        typeof argument === 'object' && argument !== null && 'parts' in argument ? argument.parts.join('') : argument,
      ),
      option,
    ).toBe(value);
  }
  expect(args).toMatchObject({
    'gas-limit': { parts: [{ reference: 'l1.gasLimit' }] },
    'enable-tx-gas-limit': true,
  });
});

describe('another activation time reaches a client', () => {
  it.each([
    ['execution-go', 'isthmus', { how: 'flag', flag: 'override.isthmus' }],
    ['execution-rust', 'pectrablobschedule', { how: 'flag', flag: 'override.pectrablobschedule' }],
    ['rollup-node', 'delta', { how: 'flag', flag: 'override.delta' }],
    ['op-geth', 'holocene', { how: 'flag', flag: 'override.holocene' }],
    ['op-geth', 'delta', { how: 'none' }],
    ['op-geth', 'pectrablobschedule', { how: 'none' }],
    ['op-reth', 'holocene', { how: 'chain-file' }],
    ['batcher', 'holocene', { how: 'none' }],
  ])('%s for %s', (name, fork, expected) => {
    expect(template(name).override(fork)).toEqual(expected);
  });
});
