import { describe, expect, it } from 'vitest';
import { problemsOf, waysOutOf } from './problems.ts';

const spec = (members: string, conductor = 'true') =>
  `chains: { main: { conductor: ${conductor}, nodes: { ${members === '' ? '' : `${members}, `}v: {} } } }`;
const SEQUENCER = '{ role: sequencer }';
const set = (third: string) => `a: ${SEQUENCER}, b: ${SEQUENCER}, c: ${third}`;

describe('a conductor', () => {
  it.each(['true', '{}', 'conductor', '{ ports: { rpc: 9000 } }'])('%s is accepted with three sequencers', (text) => {
    expect(problemsOf(spec(set(SEQUENCER), text))).toEqual([]);
    expect(problemsOf(spec('s: { role: sequencer, count: 3 }', text))).toEqual([]);
  });

  it.each([
    ['one', `a: ${SEQUENCER}`, '1'],
    ['two', `a: ${SEQUENCER}, b: ${SEQUENCER}`, '2'],
    ['none', '', '0'],
  ])('is refused with a set of %s, at its position', (_, members, count) => {
    const message = `a conductor leads a set of sequencers, and "main" has ${count}`;
    expect(problemsOf(spec(members))).toMatchObject([{ path: 'chains.main.conductor', message, line: 1, column: 19 }]);
  });

  it.each([
    ['p2p.sequencer.key.path', 'null', 'could not sign its blocks: it lacks the key'],
    ['p2p.sequencer.key.path', '""', 'could not sign its blocks: it lacks the key'],
    ['conductor.enabled', 'null', 'would not follow the conductor'],
    ['conductor.enabled', 'false', 'would not follow the conductor'],
    ['conductor.rpc', 'null', 'would not follow the conductor'],
  ])('is refused with a member whose %s is %s, at its position', (name, value, what) => {
    const member = `{ role: sequencer, cl: { args: { ${name}: ${value} } } }`;
    const path = `chains.main.nodes.c.cl.args."${name}"`;
    const text = spec(set(member));
    const column = text.indexOf(name) + name.length + ': '.length + 1;
    expect(problemsOf(text)).toMatchObject([{ path, message: `"c" ${what}`, line: 1, column }]);
  });

  it('is refused with a member that lacks the signer of its chain', () => {
    const member = '{ role: sequencer, cl: { args: { signer.endpoint: null } } }';
    const text = spec(set(member)).replace('conductor:', 'signer: {}, conductor:');
    const message = '"c" could not sign its blocks: it lacks the key';
    expect(problemsOf(text)).toMatchObject([{ path: 'chains.main.nodes.c.cl.args."signer.endpoint"', message }]);
  });

  it('is refused with a rollup node that does not follow it', () => {
    const member = '{ role: sequencer, cl: { client: kona-node, binary: /bin/true } }';
    const found = problemsOf(spec(set(member))).filter(({ code }) => code === 'client');
    const message = 'kona-node does not follow the conductor';
    expect(found).toMatchObject([{ path: 'chains.main.nodes.c.cl', message }]);
  });

  it('is refused with one raft port for three op-conductors, at its position', () => {
    const text = spec(set(SEQUENCER), '{ client: op-conductor, binary: /bin/true, ports: { raft: 9000 } }');
    const message = 'each sequencer of the set has a raft port of its own';
    expect(problemsOf(text)).toMatchObject([{ path: 'chains.main.conductor.ports.raft', message, line: 1 }]);
  });

  it.each([
    [`a: ${SEQUENCER}`, 'sequencer chains.main.conductor: 3 or more nodes with role: sequencer, or no conductor'],
    [
      set('{ role: sequencer, cl: { args: { p2p.sequencer.key.path: null } } }'),
      'value chains.main.nodes.c.cl.args."p2p.sequencer.key.path": ' +
        'every member of the set has it; leave the argument out',
    ],
    [
      set('{ role: sequencer, cl: { external: { rpc: "http://127.0.0.1:1" } } }'),
      'client chains.main.nodes.c.cl: rollup-node, or a template of yours that refers to ${conductor.rpc}',
    ],
  ])('with the set %s has a way out', (members, way) => {
    expect(waysOutOf(spec(members))).toContain(way);
  });

  it('needs no key of a member when the chain has a signer', () => {
    const member = '{ role: sequencer, cl: { args: { p2p.sequencer.key.path: null } } }';
    const text = spec(set(member)).replace('conductor:', 'signer: {}, conductor:');
    expect(problemsOf(text).filter(({ path }) => path.includes('key.path'))).toEqual([]);
  });

  it('is not refused by the number of sequencers when the role of one is wrong', () => {
    const found = problemsOf(spec(set('{ role: sequencerr }')));
    expect(found.map(({ path }) => path)).toEqual(['chains.main.nodes.c.role']);
  });

  it('is needed by several sequencers', () => {
    expect(problemsOf(spec(set(SEQUENCER), 'false')).map(({ code }) => code)).toEqual(['sequencer', 'sequencer']);
  });
});
