import { describe, expect, it } from 'vitest';
import { template } from '../../package.ts';
import { problemsOf, waysOutOf } from './problems.ts';

const spec = (cl: string, signer = '{}') =>
  `chains: { main: { signer: ${signer}, nodes: { s: { role: sequencer, cl: ${cl} }, v: {} } } }`;

describe('a signer', () => {
  it.each(['{}', 'signer', '{ ports: { rpc: 9000 } }', 'false'])('%s is accepted', (signer) => {
    expect(problemsOf(spec('rollup-node', signer))).toEqual([]);
  });

  it.each([
    ['{ client: op-node, binary: /bin/true }', 'op-node does not ask the signer of the chain'],
    ['{ external: { rpc: "http://127.0.0.1:1" } }', 'an external rollup node does not ask the signer of the chain'],
  ])('is refused with a sequencer whose rollup node is %s', (cl, message) => {
    const found = problemsOf(spec(cl)).filter(({ code }) => code === 'client');
    expect(found).toMatchObject([{ path: 'chains.main.nodes.s.cl', message }]);
  });

  it('has a way out of a rollup node that does not ask it, and a verifier needs none', () => {
    const client = '{ client: op-node, binary: /bin/true }';
    const way = 'client chains.main.nodes.s.cl: rollup-node, or a template of yours that refers to ${signer.rpc}';
    expect(waysOutOf(spec(client))).toContain(way);
    const verifier = `chains: { main: { signer: {}, nodes: { s: { role: sequencer }, v: { cl: ${client} } } } }`;
    expect(problemsOf(verifier).filter(({ message }) => message.includes('signer'))).toEqual([]);
  });

  it('is refused at its own place when the spec does not name the rollup node that does not ask it', () => {
    const client = (name: string) => ({ ...template(name), takesSigner: false });
    const found = problemsOf('chains: { main: { signer: {}, nodes: { s: { role: sequencer } } } }', { client });
    expect(found).toMatchObject([{ code: 'client', path: 'chains.main.signer', line: 1, column: 19 }]);
  });

  it('is a client of its kind, and no node has its name', () => {
    expect(problemsOf(spec('rollup-node', 'batcher'))).toMatchObject([{ path: 'chains.main.signer.client' }]);
    const text = 'chains: { main: { nodes: { s: { role: sequencer }, signer: {} } } }';
    expect(problemsOf(text)).toMatchObject([{ code: 'name', path: 'chains.main.nodes.signer' }]);
  });
});
