import { describe, expect, it } from 'vitest';
import { nodes, waysOutOf } from './problems.ts';

const el = (text: string) => nodes(`b: { el: ${text} }`);
const PLACE = 'chains.main.nodes.b.el';

describe('clients', () => {
  it.each([
    ['{ runtime: embedded, image: x }', `runtime ${PLACE}.image: runtime: docker`],
    ['{ runtime: embedded, limits: { cpus: 1 } }', `runtime ${PLACE}.limits: runtime: docker`],
    ['{ client: op-geth, image: x, binary: ./g }', `runtime ${PLACE}.binary: image: the name of an image`],
    ['{ client: op-geth, runtime: embedded }', `runtime ${PLACE}.runtime: process, docker`],
    ['{ client: op-geth }', `runtime ${PLACE}.client: binary: a path, or a name on the PATH`],
    ['{ client: op-geth, runtime: docker }', `runtime ${PLACE}.runtime: image: the name of an image`],
    ['{ args: { http.port: 7 } }', `argument ${PLACE}.args."http.port": ports: { http: … }`],
  ])('an execution client %s is reported with its code and the way out', (text, fault) => {
    expect(waysOutOf(el(text))).toEqual([fault]);
  });

  it('a batcher and a proposer of another kind are refused', () => {
    const paths = waysOutOf('chains: { main: { batcher: proposer, proposer: batcher } }').map((fault) =>
      fault.replace(/:.*/, ''),
    );
    expect(paths).toEqual(['client chains.main.batcher.client', 'client chains.main.proposer.client']);
  });

  it('nodes of one count are reported once', () => {
    const text = 'chains: { main: { nodes: { s: { role: sequencer }, b: { count: 3, el: op-geth } } } }';
    expect(waysOutOf(text)).toHaveLength(1);
  });
});
