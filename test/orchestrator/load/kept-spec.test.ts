import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findSpec } from '../../../src/orchestrator/load/find-spec.ts';
import { keptSpecs } from '../../../src/orchestrator/load/kept-spec.ts';
import { readSpec } from '../../../src/orchestrator/load/load-spec.ts';
import { FORKS } from '../../../src/protocol/forks/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-kept-'));
  write('base.yaml', 'version: 1\nl1: { blockTime: 3 }\n');
  write('one.yaml', 'version: 1\nname: kept\nbase: ./base.yaml\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const NOW = 1_800_000_000;

/** Reads one.yaml and keeps it, and returns what another command line finds. */
async function keepAndFind(then: () => void = () => undefined, build = 'this', set: readonly string[] = []) {
  const io = { cwd: folder, env: { DEVNET_HOME: folder } };
  const cacheOf = (of: string, input: readonly string[]) =>
    keptSpecs(io, findSpec(folder, './one.yaml'), { spec: undefined, set: input, manual: [] }, of);
  const read = await readSpec(io, findSpec(folder, './one.yaml'), { spec: undefined, set: [], manual: [] }, NOW);
  cacheOf('this', []).keep(read);
  then();
  return { read, copy: cacheOf(build, set).find() };
}

test('the cache of specs returns what was read from the same texts, the same in every part', async () => {
  const { read, copy } = await keepAndFind();
  expect(copy?.spec).toEqual(read.spec);
  expect([...copy!.clients.keys()]).toEqual([...read.clients.keys()]);
  for (const [name, client] of read.clients) {
    const again = copy!.clients.get(name)!;
    expect(JSON.stringify(again)).toBe(JSON.stringify(client));
    for (const { name: fork } of FORKS) {
      expect(again.override(fork)).toEqual(client.override(fork));
      expect(again.takesOverride(fork)).toBe(client.takesOverride(fork));
    }
  }
});

test.each([
  ['the spec has changed', () => write('one.yaml', 'version: 1\nname: kept\nseed: 7\nbase: ./base.yaml\n')],
  ['its base has changed', () => write('base.yaml', 'version: 1\nl1: { blockTime: 4 }\n')],
  ['its base is gone', () => rmSync(join(folder, 'base.yaml'))],
  ['what is kept was cut off', cutKept],
])('the cache of specs finds nothing if %s', async (_, then) => {
  expect((await keepAndFind(then)).copy).toBeUndefined();
});

test('the cache of specs finds nothing by another build of the package, or by another command line', async () => {
  expect((await keepAndFind(undefined, 'another')).copy).toBeUndefined();
  expect((await keepAndFind(undefined, 'this', ['seed=7'])).copy).toBeUndefined();
});

test.each([
  ['a fork at a time of the clock', `chains: { main: { forks: { base: granite, holocene: ${NOW + 60} } } }`],
  [
    'a fork from now on, after a genesis at a time of the clock',
    `time: { genesis: ${NOW - 10} }\nchains: { main: { forks: { base: granite, holocene: now+60s } } }`,
  ],
])('the cache of specs stores nothing if the spec has %s', async (_, line) => {
  write('one.yaml', `version: 1\nname: kept\n${line}\n`);
  expect((await keepAndFind()).copy).toBeUndefined();
});

test('the cache of specs finds a text without a path whose genesis and fork have times of the clock', async () => {
  const forks = `forks: { base: granite, holocene: ${NOW + 60} }`;
  const text = `version: 1\nname: kept\ntime: { genesis: ${NOW - 10} }\nchains: { main: { ${forks} } }\n`;
  const io = { cwd: folder, env: { DEVNET_HOME: folder } };
  const spec = { source: { name: 'full:spec.yaml', text }, name: 'kept' };
  const input = { spec, set: [], manual: [] };
  keptSpecs(io, spec, input, 'this').keep(await readSpec(io, spec, input, NOW));
  expect(keptSpecs(io, spec, input, 'this').find()?.spec.time.genesis).toBe(NOW - 10);
  const other = { ...spec, source: { ...spec.source, text: text.replace('holocene', 'isthmus') } };
  expect(keptSpecs(io, other, input, 'this').find()).toBeUndefined();
});

function cutKept(): void {
  const cache = join(folder, '.cache', 'spec');
  for (const name of readdirSync(cache)) {
    const text = readFileSync(join(cache, name), 'utf8');
    writeFileSync(join(cache, name), text.slice(0, -1));
  }
}
