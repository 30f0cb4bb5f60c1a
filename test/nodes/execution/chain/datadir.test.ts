import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Chain } from '../../../../src/nodes/execution/chain/chain.ts';
import { type DatadirOptions, openChain } from '../../../../src/nodes/execution/chain/datadir.ts';
import { readGenesisFile } from '../../../../src/nodes/execution/chain/genesis-file.ts';
import { ChainStore } from '../../../../src/nodes/execution/store/chain-store.ts';
import { databaseFile, openDatabase } from '../../../../src/nodes/execution/store/database.ts';
import { Failure } from '../../../../src/system/failure.ts';
import { crc32, openCache } from '../../../../src/system/files/cache.ts';
import { GENESIS_TIME, genesisText, upTo } from '../support/genesis.ts';
import { temporaryFolder } from '../support/nodes.ts';
import { StoredChain } from '../support/stored-chain.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a genesis file of this folder and returns its path. */
function genesisFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const genesis = (changes: object = {}, base = genesisText(upTo('regolith'))) =>
  genesisFile('genesis.json', JSON.stringify({ ...JSON.parse(base), ...changes }));

/** Opens the datadir of a name, uses its chain, and closes it. */
function opened<Result>(options: Partial<DatadirOptions>, use: (chain: Chain) => Result, name = 'data'): Result {
  const chain = openChain({ datadir: join(folder, name), overrides: {}, ...options });
  try {
    return use(chain);
  } finally {
    chain.store.close();
  }
}
const hashIn = (options: Partial<DatadirOptions>, name?: string) =>
  opened(options, ({ genesisHash }) => genesisHash, name);

/** Returns the failure of an opening. The datadir is free again afterwards. */
function failureOf(options: Partial<DatadirOptions>): Failure {
  try {
    hashIn(options);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('it opened');
}
const configOf = (changes: object) => {
  const text = genesisText(upTo('regolith'));
  return { config: { ...(JSON.parse(text) as { readonly config: object }).config, ...changes } };
};

describe('a datadir', () => {
  it('without a chain and without a genesis file is refused, and is free for the next start', () => {
    expect(failureOf({ genesisCache: join(folder, 'cache') })).toMatchObject({ code: 'datadir-empty' });
    expect(failureOf({})).toMatchObject({
      code: 'datadir-empty',
      exit: 2,
      data: { datadir: join(folder, 'data') },
      message: expect.stringContaining(`the datadir ${join(folder, 'data')} holds no chain`),
    });
    expect(hashIn({ genesis: genesis() })).toMatch(/^0x/);
  });

  it('has its chain at the next start, with or without the genesis file', () => {
    const path = genesis();
    const hash = hashIn({ genesis: path });
    expect([hashIn({}), hashIn({ genesis: path })]).toEqual([hash, hash]);
    expect(opened({}, ({ chainId, head }) => [chainId, head.hash])).toEqual([901, hash]);
  });

  it('is refused when it has another chain, and is free for the next start', () => {
    const hash = hashIn({ genesis: genesis() });
    const other = genesis({ gasLimit: '0x1c9c381' });
    expect(failureOf({ genesis: other })).toMatchObject({
      code: 'genesis-mismatch',
      exit: 2,
      data: { datadir: join(folder, 'data'), stored: hash, given: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
      message: expect.stringMatching(`its genesis block is ${hash}, that of ${other} is 0x`),
    });
    expect(hashIn({ genesis: genesis() })).toBe(hash);
  });

  it('has the chain of a genesis file whose state is written in another way', () => {
    const hash = hashIn({ genesis: genesis() });
    const { alloc } = JSON.parse(genesisText(upTo('regolith'))) as { readonly alloc: object };
    expect(hashIn({ genesis: genesis({ alloc: Object.fromEntries(Object.entries(alloc).toReversed()) }) })).toBe(hash);
    expect(failureOf({ genesis: genesis({ alloc: {} }) })).toMatchObject({ code: 'genesis-mismatch' });
  });

  it('takes the definition of a changed genesis file, and keeps it', () => {
    const hash = hashIn({ genesis: genesis() });
    const later = genesis(configOf({ canyonTime: GENESIS_TIME + 9 }));
    const canyonOf = ({ schedule }: Chain) => schedule.canyon;
    expect(opened({ genesis: later }, canyonOf)).toBe(GENESIS_TIME + 9);
    expect([opened({}, canyonOf), hashIn({})]).toEqual([GENESIS_TIME + 9, hash]);
  });

  it('has the fork times of its options over those of the genesis file', () => {
    const overrides = { canyon: GENESIS_TIME + 5 };
    expect(opened({ genesis: genesis(), overrides }, ({ schedule }) => schedule)).toEqual({
      regolith: 0,
      ...overrides,
    });
  });

  it('warns of each unknown key of the genesis file', () => {
    const warnings: string[] = [];
    const path = genesis({ one: 1, two: 2 });
    hashIn({ genesis: path, warn: (message) => warnings.push(message) });
    expect(warnings).toEqual(['one', 'two'].map((key) => `${path}: the key ${key} is unknown and ignored`));
    expect(hashIn({ genesis: path })).toMatch(/^0x/);
  });
});

describe('a chain with blocks', () => {
  /** A datadir with one block two seconds after genesis, and a function that opens it again. */
  async function withBlock(options: Partial<DatadirOptions>) {
    const sample = new StoredChain(options);
    const { chain, folder: place } = sample;
    chain.makeCanonical(await sample.child(chain.genesisHash, 1));
    chain.store.close();
    const again = (more: Partial<DatadirOptions>) => {
      const next = openChain({ datadir: join(place, 'data'), overrides: {}, ...more });
      next.store.close();
      return next.schedule;
    };
    return { again, [Symbol.dispose]: () => rmSync(place, { recursive: true }) };
  }

  it('is not executed on with other fork times for its blocks', async () => {
    const overrides = { canyon: GENESIS_TIME + 2 };
    using sample = await withBlock({ overrides, executes: true });
    const mismatch = { code: 'genesis-mismatch', message: expect.stringContaining('canyon at') };
    for (const other of [{ canyon: GENESIS_TIME + 1 }, { canyon: GENESIS_TIME + 3 }, {}])
      expect(() => sample.again({ overrides: other, executes: true })).toThrow(expect.objectContaining(mismatch));
    expect(sample.again({ overrides, executes: true })).toMatchObject(overrides);
    // A command that executes nothing reads the chain all the same.
    expect(sample.again({ overrides: {} })).not.toHaveProperty('canyon');
  });

  it('keeps the fork times of its last start, if they change later blocks alone', async () => {
    using sample = await withBlock({ executes: true });
    const at = (canyon: number) => sample.again({ overrides: { canyon: GENESIS_TIME + canyon }, executes: true });
    expect(at(3)).toMatchObject({ canyon: GENESIS_TIME + 3 });
    expect(at(9)).toMatchObject({ canyon: GENESIS_TIME + 9 });
    expect(() => at(2)).toThrow('executed with canyon at 1700000009, the options now set 1700000002');
  });

  it('is not opened with a genesis file that changes its rules', async () => {
    using sample = await withBlock({});
    const moved = genesis(configOf({ canyonTime: GENESIS_TIME + 2 }));
    expect(() => sample.again({ genesis: moved })).toThrow('executed with canyon at no time, the genesis file says');
    const overrides = { canyon: GENESIS_TIME + 3 };
    expect(sample.again({ genesis: moved, overrides })).toMatchObject(overrides);
  });

  it('compares a genesis file with the fork times that were executed', async () => {
    const overrides = { canyon: GENESIS_TIME + 2 };
    using sample = await withBlock({ overrides, executes: true });
    const same = genesis(configOf({ canyonTime: GENESIS_TIME + 2 }));
    expect(sample.again({ genesis: same, executes: true })).toMatchObject(overrides);
  });
});

describe('the cache of genesis states', () => {
  const cacheOf = (name = 'cache') => join(folder, name);
  const entries = () => readdirSync(cacheOf());

  it('has one entry after two starts, and each datadir the same chain', () => {
    const path = genesis();
    const plain = hashIn({ genesis: path });
    const shared = { genesis: path, genesisCache: cacheOf() };
    expect(['one', 'two'].map((name) => hashIn(shared, name))).toEqual([plain, plain]);
    expect(entries()).toHaveLength(1);
    expect(entries()[0]).toMatch(/^[0-9a-f]{64}\.v3\.db\.\d+-[0-9a-f]{8}$/);
  });

  it('is the state of a new datadir', () => {
    const shared = { genesis: genesis(), genesisCache: cacheOf() };
    const root = opened(shared, ({ head, store }) => [store.fact('state-root'), head.header.stateRoot], 'one');
    expect(root[0]).toBe(root[1]);
    const entry = join(cacheOf(), entries()[0]!);
    const before = readFileSync(entry);
    opened(shared, (chain) => chain.stateOf(chain.head.header).account(new Uint8Array(20)), 'two');
    expect(readFileSync(entry).equals(before)).toBe(true);
  });

  it('is what a datadir has: nothing computes its state again', () => {
    const rootIn = (options: Partial<DatadirOptions>, name: string) =>
      opened(options, ({ head, store }) => [head.header.stateRoot, store.fact('alloc-key')], name);
    const first = { genesis: genesis(), genesisCache: cacheOf() };
    const [root, key] = rootIn(first, 'one');
    expect(key).toBe(`0x${readGenesisFile(first.genesis).allocKey}`);
    // An entry of another alloc gets the state of this one, which shows where a state is from.
    const other = { genesis: genesis({ alloc: {} }), genesisCache: cacheOf('other') };
    const { allocKey } = readGenesisFile(other.genesis);
    const seed = join(folder, 'seed');
    mkdirSync(seed);
    writeFileSync(databaseFile(seed), readFileSync(join(cacheOf(), entries()[0]!)));
    const store = new ChainStore(openDatabase(seed));
    store.setFact('alloc-key', `0x${allocKey}`);
    store.close();
    openCache(cacheOf('other'), crc32).write(`${allocKey}.v3.db`, readFileSync(databaseFile(seed)));
    expect(rootIn(other, 'two')).toEqual([root, `0x${allocKey}`]);
    expect(rootIn(other, 'two')).toEqual([root, `0x${allocKey}`]);
  });

  it('is not made for a datadir that has a chain', () => {
    const path = genesis();
    const hash = hashIn({ genesis: path });
    const data = readFileSync(databaseFile(join(folder, 'data')));
    expect(hashIn({ genesis: path, genesisCache: cacheOf() })).toBe(hash);
    expect([existsSync(cacheOf()), readFileSync(databaseFile(join(folder, 'data'))).length]).toEqual([
      false,
      data.length,
    ]);
  });

  it('is not needed where it cannot be written', () => {
    const path = genesis();
    const plain = hashIn({ genesis: path });
    writeFileSync(cacheOf('file'), '');
    expect(hashIn({ genesis: path, genesisCache: cacheOf('file') }, 'one')).toBe(plain);
  });

  it('has an entry for each state, not for each chain', () => {
    hashIn({ genesis: genesis(), genesisCache: cacheOf() }, 'one');
    hashIn({ genesis: genesis({ gasLimit: '0x1c9c381' }), genesisCache: cacheOf() }, 'two');
    expect(entries()).toHaveLength(1);
    hashIn({ genesis: genesis({ alloc: {} }), genesisCache: cacheOf() }, 'three');
    expect(entries()).toHaveLength(2);
  });

  it('fails a start whose datadir cannot be written', () => {
    const file = join(folder, 'data');
    writeFileSync(file, '');
    mkdirSync(cacheOf());
    expect(failureOf({ genesis: genesis(), genesisCache: cacheOf() })).toMatchObject({ code: 'datadir' });
    expect(readFileSync(file, 'utf8')).toBe('');
  });
});
