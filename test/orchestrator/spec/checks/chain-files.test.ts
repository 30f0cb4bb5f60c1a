import { describe, expect, it } from 'vitest';
import { GENESIS_TIME } from '../../../protocol/genesis/inputs.ts';
import { parse } from '../../package.ts';
import { chainDocuments, LATER } from './chain-documents.ts';
import { faultsOf, problemsOf, waysOutOf } from './problems.ts';

/** A machine with JSON files by path. */
const read = (files: Readonly<Record<string, unknown>>) => ({
  machine: {
    readJson: (path: string) => {
      if (Object.hasOwn(files, path)) return files[path];
      throw new Error(`no file ${path}`);
    },
    programFault: () => undefined,
  },
});

const GENESIS = '/base/spec/g.json';
const ROLLUP = '/base/spec/r.json';
const FROM = 'from: { genesis: g.json, rollup: r.json }';
const existing = (more = '') => `chains: { main: { ${FROM}${more} } }`;
const { genesis, rollup } = chainDocuments();

describe('files of a chain', () => {
  it.each([
    ['l1: { alloc: a.json }', 'l1.alloc'],
    ['chains: { main: { alloc: a.json } }', 'chains.main.alloc'],
  ])('%s is reported when the file is missing or wrong, and kept when it is right', (text, path) => {
    expect(waysOutOf(text, read({}))[0]).toMatch(`chain-files ${path}: the path of a `);
    expect(waysOutOf(text, read({ '/base/spec/a.json': { x: 1 } }))[0]).toMatch(
      `chain-files ${path}: a map of accounts`,
    );
    const outcome = parse(text, read({ '/base/spec/a.json': {} }));
    expect(outcome.ok && outcome.files.allocs).toEqual({ '/base/spec/a.json': {} });
  });

  it('an upgrade bundle that cannot be read is reported at its fork', () => {
    const text = 'chains: { main: { bundles: { jovian: b.json } } }';
    const path = 'chain-files chains.main.bundles.jovian';
    expect(waysOutOf(text, read({}))).toEqual([`${path}: the path of an upgrade bundle`]);
    expect(waysOutOf(text, read({ '/base/spec/b.json': {} }))).toEqual([`${path}: an upgrade bundle`]);
  });

  it.each([
    ['chains: { main: { bundles: { jovian: 5 } } }', 'type chains.main.bundles.jovian'],
    ['chains: { main: { alloc: 5 } }', 'type chains.main.alloc'],
    ['chains: { main: { from: { genesis: g.json, rollup: 5 } } }', 'type chains.main.from.rollup'],
  ])('%s names no file, and none is read', (text, fault) => {
    expect(faultsOf(text, read({}))).toEqual([fault]);
  });

  it('the file of each chain is read, and what is wrong with it is told', () => {
    const text = 'chains: { a: { alloc: a.json }, b: { alloc: b.json, chainId: 7 } }';
    const found = problemsOf(text, read({ '/base/spec/a.json': { x: 1 }, '/base/spec/b.json': {} }));
    expect(found.map(({ path }) => path)).toEqual(['chains.a.alloc']);
    expect(found[0]?.message).toMatch(/^\/base\/spec\/a\.json is not a map of accounts, as the alloc .* is: ./);
  });

  it('a file that is missing is reported with the reason of the machine', () => {
    const found = problemsOf('l1: { alloc: a.json }', read({}));
    expect(found.map(({ message }) => message)).toEqual(['no file /base/spec/a.json']);
  });

  it('the text of an upgrade bundle is kept as one line of JSON', () => {
    const bundle = { metadata: { version: '1' }, transactions: [] };
    const outcome = parse('chains: { main: { bundles: { jovian: b.json } } }', read({ '/base/spec/b.json': bundle }));
    expect(outcome.ok && outcome.files.bundleTexts).toEqual({ '/base/spec/b.json': `${JSON.stringify(bundle)}\n` });
  });

  it('both files of an existing chain are reported when they are missing', () => {
    expect(waysOutOf(existing(), read({})).toSorted()).toEqual([
      'chain-files chains.main.from.genesis: the path of a genesis file',
      'chain-files chains.main.from.rollup: the path of a rollup configuration',
    ]);
  });

  it('the files of an existing chain are kept when they are right', () => {
    const outcome = parse(existing(), read({ [GENESIS]: genesis, [ROLLUP]: rollup }));
    expect(outcome.ok && outcome.files).toMatchObject({
      rollupConfigs: { [ROLLUP]: { l2_chain_id: 901, jovian_time: 0 } },
      genesisConfigs: { [GENESIS]: genesis['config'] },
      genesisFunds: { [GENESIS]: { ether: '7', canWithdraw: false } },
      allocs: {},
    });
  });

  it.each<[string, unknown, unknown, readonly string[]]>([
    ['a rollup configuration that is none', genesis, {}, ['chains.main.from.rollup: a rollup configuration']],
    ['a genesis file that is none', {}, rollup, ['chains.main.from.genesis: a genesis file']],
    [
      'a fork before its predecessor',
      genesis,
      { ...rollup, isthmus_time: LATER, jovian_time: LATER - 1 },
      ['chains.main.from.rollup: a rollup configuration'],
    ],
    [
      'the genesis file of another chain',
      { ...genesis, timestamp: '0x5' },
      rollup,
      ['chains.main.from.genesis: the genesis file and the rollup configuration of one chain'],
    ],
    [
      'a genesis file beside a configuration that cannot be read',
      { ...genesis, timestamp: '0x5' },
      {},
      ['chains.main.from.rollup: a rollup configuration'],
    ],
    [
      'a genesis file beside a configuration with forks in a wrong order',
      { ...genesis, timestamp: '0x5' },
      { ...rollup, isthmus_time: LATER, jovian_time: LATER - 1 },
      ['chains.main.from.rollup: a rollup configuration'],
    ],
  ])('%s is reported', (_, genesisDocument, rollupDocument, faults) => {
    const ways = waysOutOf(existing(), read({ [GENESIS]: genesisDocument, [ROLLUP]: rollupDocument }));
    expect(ways).toEqual(faults.map((fault) => `chain-files ${fault}`));
  });

  it.each([
    'chainId: 7',
    'blockTime: 2',
    'gasLimit: 30000000',
    'sequenceWindow: 9',
    'systemConfig: {}',
    'forks: {}',
    'alloc: a.json',
  ])('%s beside the files of an existing chain is refused, and has no other fault', (key) => {
    const path = `chains.main.${key.replace(/:.*/, '')}`;
    expect(waysOutOf(existing(`, ${key}`))).toEqual([`chain-files ${path}: undefined`]);
    const machine = read({ [GENESIS]: genesis, [ROLLUP]: rollup });
    expect(waysOutOf(existing(`, ${key}`), machine)).toEqual([`chain-files ${path}: undefined`]);
  });
});

describe('an existing chain', () => {
  it.each([
    ['forks in a wrong order', existing(', forks: { base: isthmus, granite: +9s }'), 'chains.main.forks'],
    ['the chain id of L1', existing(', chainId: 900'), 'chains.main.chainId'],
    ['the id of another chain', `chains: { main: { ${FROM}, chainId: 7 }, b: { chainId: 7 } }`, 'chains.main.chainId'],
  ])('with %s is reported for the key alone, as the files decide', (_, text, path) => {
    expect(faultsOf(text)).toEqual([`chain-files ${path}`]);
  });

  it('has the block time of its files, which L1 is not compared with', () => {
    expect(faultsOf(`l1: { blockTime: 1 }\n${existing()}`)).toEqual([]);
  });

  const OP_NODE = ', nodes: { s: { role: sequencer }, b: { cl: { client: op-node, binary: op-node } } }';

  it.each([
    [
      'both after genesis',
      LATER,
      ['fork-client chains.main.from.rollup: a later time than that of jovian, or genesis'],
    ],
    ['both at genesis', GENESIS_TIME, []],
  ])('with two forks at one time, %s, is refused for op-node alone', (_, time, faults) => {
    const files = chainDocuments({ jovian_time: time, karst_time: time });
    const machine = read({ [GENESIS]: files.genesis, [ROLLUP]: files.rollup });
    expect(waysOutOf(existing(OP_NODE), machine)).toEqual(faults.map((fault) => `${fault} for both`));
    expect(waysOutOf(existing(), machine)).toEqual([]);
  });
});
