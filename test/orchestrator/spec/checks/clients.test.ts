import { describe, expect, it } from 'vitest';
import { parse } from '../../package.ts';

/** Returns the problems of a spec as `code path: allowed`, in the order of the text. */
const faults = (text: string, more: Parameters<typeof parse>[1] = {}) => {
  const outcome = parse(text, more);
  return outcome.ok ? [] : outcome.problems.map(({ code, path, allowed }) => `${code} ${path}: ${allowed}`);
};
const el = (text: string) => `chains: { main: { nodes: { s: { role: sequencer }, b: { el: ${text} } } } }`;
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
    expect(faults(el(text))).toEqual([fault]);
  });

  it('a batcher and a proposer of another kind are refused', () => {
    const paths = faults('chains: { main: { batcher: proposer, proposer: batcher } }').map((fault) =>
      fault.replace(/:.*/, ''),
    );
    expect(paths).toEqual(['client chains.main.batcher.client', 'client chains.main.proposer.client']);
  });

  it('nodes of one count are reported once', () => {
    const text = 'chains: { main: { nodes: { s: { role: sequencer }, b: { count: 3, el: op-geth } } } }';
    expect(faults(text)).toHaveLength(1);
  });
});

describe('files of a chain', () => {
  const read = (files: Readonly<Record<string, unknown>>) => ({
    machine: {
      readJson: (path: string) => {
        if (Object.hasOwn(files, path)) return files[path];
        throw new Error(`no file ${path}`);
      },
      programFault: () => undefined,
    },
  });

  it.each([
    ['l1: { alloc: a.json }', 'l1.alloc'],
    ['chains: { main: { alloc: a.json } }', 'chains.main.alloc'],
  ])('%s is reported when the file is missing or wrong, and kept when it is right', (text, path) => {
    expect(faults(text, read({}))[0]).toMatch(`chain-files ${path}: the path of a `);
    expect(faults(text, read({ '/base/spec/a.json': { x: 1 } }))[0]).toMatch(`chain-files ${path}: a map of accounts`);
    const outcome = parse(text, read({ '/base/spec/a.json': {} }));
    expect(outcome.ok && Object.keys(outcome.files.allocs)).toEqual(['/base/spec/a.json']);
  });

  it('an upgrade bundle that cannot be read is reported at its fork', () => {
    const text = 'chains: { main: { bundles: { jovian: b.json } } }';
    const path = 'chain-files chains.main.bundles.jovian';
    expect(faults(text, read({}))).toEqual([expect.stringContaining(`${path}: the path of a`)]);
    expect(faults(text, read({ '/base/spec/b.json': {} }))).toEqual([
      expect.stringMatching(/jovian: an? upgrade bundle$/),
    ]);
  });

  it('both files of an existing chain are reported when they are missing', () => {
    const found = faults('chains: { main: { from: { genesis: g.json, rollup: r.json } } }', read({}));
    expect(found.toSorted()).toEqual([
      'chain-files chains.main.from.genesis: the path of a genesis file',
      'chain-files chains.main.from.rollup: the path of a rollup configuration',
    ]);
  });

  it.each(['chainId: 7', 'blockTime: 2', 'gasLimit: 30000000', 'forks: {}', 'alloc: a.json'])(
    '%s beside the files of an existing chain is refused',
    (key) => {
      const text = `chains: { main: { from: { genesis: g.json, rollup: r.json }, ${key} } }`;
      expect(faults(text)).toEqual([`chain-files chains.main.${key.replace(/:.*/, '')}: undefined`]);
    },
  );
});
