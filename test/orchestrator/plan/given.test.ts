import { describe, expect, it } from 'vitest';
import { type GivenParts, isPortOpen, textsGiven } from '../../../src/orchestrator/plan/given.ts';
import type { ArgumentTemplate, OptionsTemplate, Text } from '../../../src/orchestrator/template/template.ts';
import { parseText } from '../../../src/orchestrator/template/text.ts';
import { template } from '../package.ts';

const texts = (values: Readonly<Record<string, string>>): Readonly<Record<string, Text>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, parseText(value)]));
const options = (args: Readonly<Record<string, ArgumentTemplate>>, env: Readonly<Record<string, string>> = {}) =>
  ({ args, env: texts(env) }) satisfies OptionsTemplate;
const written = ({ parts }: Text) =>
  parts.map((part) => (typeof part === 'string' ? part : `\${${part.reference}}`)).join('');

const NOTHING = { args: {}, env: {} };
/** A client with a text in every place that a program reads. */
const CLIENT = {
  ...template('rollup-node'),
  ...options({ ...texts({ l1: 'l1 url', shared: 'shared url' }), list: [parseText('x'), parseText('y')] }, { E: 'e' }),
  command: [parseText('run')],
  prepare: [{ command: [parseText('init')], args: texts({ file: 'prepared' }), operands: [parseText('operand')] }],
};
const ROLE = options(texts({ shared: 'url of the role', p2p: 'p2p of the role' }), { F: 'f' });

describe('the texts that reach a program', () => {
  const given = (...[parts, more]: Parameters<typeof textsGiven>) => textsGiven(parts, more).map(written);

  it('are those of command, arguments, environment and preparation, in this order', () => {
    expect(given({ template: CLIENT, process: NOTHING })).toEqual([
      'run',
      'l1 url',
      'shared url',
      'x',
      'y',
      'e',
      'init',
      'prepared',
      'operand',
    ]);
  });

  it('are those of the role in place of the client’s', () => {
    expect(given({ template: CLIENT, role: ROLE, process: NOTHING })).toEqual([
      'run',
      'l1 url',
      'url of the role',
      'x',
      'y',
      'p2p of the role',
      'e',
      'f',
      'init',
      'prepared',
      'operand',
    ]);
  });

  it('are those of further arguments in place of both', () => {
    const all = given({ template: CLIENT, role: ROLE, process: NOTHING }, texts({ shared: 'further', p2p: 'p' }));
    expect(all.slice(1, 6)).toEqual(['l1 url', 'further', 'x', 'y', 'p']);
  });

  it('leave out what the spec gives by the same name, and overrides', () => {
    const process = { args: { l1: 'mine', list: null }, env: { F: 'mine' } };
    const overrides = { p2p: 7 };
    expect(given({ template: CLIENT, role: ROLE, process, overrides })).toEqual([
      'run',
      'url of the role',
      'e',
      'init',
      'prepared',
      'operand',
    ]);
    expect(given({ template: CLIENT, process, overrides }, texts({ l1: 'further' }))).not.toContain('further');
  });

  it('end with those of a rewind, if the client has one', () => {
    const rewind = { command: [parseText('back')], args: texts({ to: 'block' }) };
    expect(given({ template: { ...CLIENT, rewind }, process: NOTHING }).slice(-3)).toEqual([
      'operand',
      'back',
      'block',
    ]);
  });
});

describe('a port', () => {
  const ports = {
    always: { transport: 'tcp' },
    ws: { transport: 'tcp', with: 'ws.on' },
    p2p: { transport: 'tcp', without: 'p2p.disable' },
    both: { transport: 'tcp', with: 'ws.on', without: 'p2p.disable' },
  } as const;
  type OfSpec = GivenParts['process']['args'];
  const openOf = (args: OptionsTemplate['args'], role: OptionsTemplate | undefined, ofSpec: OfSpec) => {
    const parts = { template: { ...CLIENT, ...options(args), ports }, role, process: { args: ofSpec, env: {} } };
    return ['always', 'ws', 'p2p', 'both', 'absent'].filter((name) => isPortOpen(parts, name));
  };

  it.each<[string, OptionsTemplate['args'], OptionsTemplate['args'], OfSpec, string[]]>([
    ['neither switch', {}, {}, {}, ['always', 'p2p']],
    ['the switch that opens it', { 'ws.on': true }, {}, {}, ['always', 'ws', 'p2p', 'both']],
    ['the switch that closes it', { 'p2p.disable': true }, {}, {}, ['always']],
    ['both switches', { 'ws.on': true, 'p2p.disable': true }, {}, {}, ['always', 'ws']],
    ['the switch of its role', { 'ws.on': false }, { 'ws.on': true }, {}, ['always', 'ws', 'p2p', 'both']],
    ['a switch that the spec takes back', { 'ws.on': true }, { 'ws.on': true }, { 'ws.on': false }, ['always', 'p2p']],
    ['a switch that the spec clears', { 'ws.on': true }, {}, { 'ws.on': null }, ['always', 'p2p']],
    ['a switch of the spec', {}, {}, { 'p2p.disable': 'true' }, ['always']],
  ])('with %s is open as the program opens it', (_, args, role, ofSpec, open) => {
    expect(openOf(args, options(role), ofSpec)).toEqual(open);
  });

  it('is open by the client’s own arguments if its task has no role', () => {
    expect(openOf({ 'ws.on': true }, undefined, {})).toEqual(['always', 'ws', 'p2p', 'both']);
  });
});
