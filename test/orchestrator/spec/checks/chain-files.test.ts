import { describe, expect, it } from 'vitest';
import { parse } from '../../package.ts';
import { waysOutOf } from './problems.ts';

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
    expect(waysOutOf(text, read({}))[0]).toMatch(`chain-files ${path}: the path of a `);
    expect(waysOutOf(text, read({ '/base/spec/a.json': { x: 1 } }))[0]).toMatch(
      `chain-files ${path}: a map of accounts`,
    );
    const outcome = parse(text, read({ '/base/spec/a.json': {} }));
    expect(outcome.ok && Object.keys(outcome.files.allocs)).toEqual(['/base/spec/a.json']);
  });

  it('an upgrade bundle that cannot be read is reported at its fork', () => {
    const text = 'chains: { main: { bundles: { jovian: b.json } } }';
    const path = 'chain-files chains.main.bundles.jovian';
    expect(waysOutOf(text, read({}))).toEqual([`${path}: the path of an upgrade bundle`]);
    expect(waysOutOf(text, read({ '/base/spec/b.json': {} }))).toEqual([`${path}: an upgrade bundle`]);
  });

  it('both files of an existing chain are reported when they are missing', () => {
    const found = waysOutOf('chains: { main: { from: { genesis: g.json, rollup: r.json } } }', read({}));
    expect(found.toSorted()).toEqual([
      'chain-files chains.main.from.genesis: the path of a genesis file',
      'chain-files chains.main.from.rollup: the path of a rollup configuration',
    ]);
  });

  it.each(['chainId: 7', 'blockTime: 2', 'gasLimit: 30000000', 'forks: {}', 'alloc: a.json'])(
    '%s beside the files of an existing chain is refused',
    (key) => {
      const text = `chains: { main: { from: { genesis: g.json, rollup: r.json }, ${key} } }`;
      expect(waysOutOf(text)).toEqual([`chain-files chains.main.${key.replace(/:.*/, '')}: undefined`]);
    },
  );
});
