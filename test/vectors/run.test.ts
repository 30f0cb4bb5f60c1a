import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openChain } from '../../src/nodes/execution/chain/datadir.ts';
import { prepareCrypto } from '../../src/nodes/execution/evm/crypto.ts';
import { compilesOnce } from '../compile-cache.ts';
import { type BlockFixture, genesisOf } from './consensus/fixture.ts';
import { inFolder } from './consensus/folder.ts';

const zeros = (bytes: number) => `0x${'00'.repeat(bytes)}` as const;

/** Consensus tests of a chain without blocks: its hash is that of the genesis block. */
let passing: BlockFixture;
let failing: BlockFixture;
let notApplicable: BlockFixture;

beforeAll(async () => {
  await prepareCrypto();
  const header = {
    parentHash: zeros(32),
    coinbase: zeros(20),
    nonce: zeros(8),
    timestamp: '0x0',
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    extraData: '0x',
    mixHash: zeros(32),
    baseFeePerGas: '0x7',
    difficulty: '0x0',
    number: '0x0',
  } as const;
  const chain = { network: 'Paris', genesisBlockHeader: header, pre: {}, lastblockhash: zeros(32), blocks: [] };
  await inFolder(genesisOf(chain), async (genesis, datadir) => {
    const { genesisHash, store } = openChain({
      datadir,
      genesis,
      overrides: {},
      executes: true,
      initialisesOnly: true,
    });
    store.close();
    failing = { ...chain, genesisBlockHeader: { ...header, hash: genesisHash } };
    passing = { ...failing, lastblockhash: genesisHash };
    notApplicable = { ...passing, network: 'London' };
  });
});

let folder: string;
let children: ChildProcess[] = [];
const suite = 'BlockchainTests/ValidBlocks';
const pathOf = (name: string) => join(folder, 'fixtures', suite, `${name}.json`);
const write = (name: string, cases: object) => writeFileSync(pathOf(name), JSON.stringify(cases));
/** Makes a file that a worker opens and never reads to its end. */
const writePipe = (name: string) => spawnSync('mkfifo', [pathOf(name)]);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vectors-test-'));
  mkdirSync(join(folder, 'fixtures', suite), { recursive: true });
  write('a', { first: passing, second: notApplicable });
  write('b', { third: passing });
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  rmSync(folder, { recursive: true, force: true });
});

function start(variables: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run.ts')], {
    env: {
      ...process.env,
      ...compilesOnce(),
      DIR: join(folder, 'fixtures'),
      WORKERS: '1',
      VECTORS_RECORDS: join(folder, 'records'),
      ...variables,
    },
  });
  children.push(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  return { child, output: () => output, closed: once(child, 'close').then(([code]) => code as number | null) };
}

async function result(variables?: Readonly<Record<string, string>>) {
  const { closed, output } = start(variables);
  return { code: await closed, output: output() };
}

const recordOf = () => {
  const records = join(folder, 'records');
  const [name] = statSync(records, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(records);
  return name === undefined ? undefined : join(records, name);
};
const recordLines = () => (recordOf() === undefined ? [] : readFileSync(recordOf()!, 'utf8').split('\n').slice(0, -1));

/** Runs a and b, and ends the run while it reads c. Then c can be read. */
async function endEarly(signal: NodeJS.Signals) {
  writePipe('c');
  const run = start();
  await expect.poll(() => recordLines().length, { interval: 20 }).toBe(3);
  run.child.kill(signal);
  const code = await run.closed;
  rmSync(pathOf('c'));
  write('c', { fourth: passing });
  return { code, output: run.output() };
}

describe('make vectors', () => {
  it('counts the cases of each suite, names those that fail, and leaves no record of a run that is over', async () => {
    write('c', { fourth: failing, other: { info: 'no test' } });
    const { code, output } = await result({ WORKERS: '2' });
    expect(output).toContain(`FAILED ${suite}/c.json: fourth: the head is ${passing.lastblockhash}, published 0x00`);
    expect(output).toContain('3 of 3 files, 2 passed, 1 failed, 1 not applicable\n');
    expect(output).toContain(`blocks, ${suite}: 2 passed, 1 failed, not applicable: 1 before the merge\n`);
    expect(output).toMatch(/\n\n2 passed, 1 failed, 1 not applicable\n$/);
    expect({ code, record: recordOf() }).toEqual({ code: 1, record: undefined });
  });

  it.each([
    ['ValidBlocks/b', 'FILTER=ValidBlocks/b matches 1 paths', '1 passed, 0 failed, 0 not applicable'],
    ['sec*d', 'FILTER=sec*d matches no path', '0 passed, 0 failed, 1 not applicable'],
  ])('runs what FILTER=%s matches', async (FILTER, message, total) => {
    const { code, output } = await result({ FILTER });
    expect(output).toContain(message);
    expect(output).toContain(`\n\n${total}\n`);
    expect(code).toBe(0);
  });

  it.each([
    ['FILTER', { FILTER: 'fifth' }, /FILTER=fifth: no case below \S+ matches\. A filter is a part of a path/],
    ['DIR', { DIR: '/absent' }, /DIR=….*"\/absent" is no folder/],
    ['WORKERS', { WORKERS: '0' }, /WORKERS=0: expected a number from 1/],
  ])('ends with code 2 when %s leaves nothing to run', async (_, variables: Record<string, string>, message) => {
    const { code, output } = await result(variables);
    expect(output).toMatch(message);
    expect(code).toBe(2);
  });

  it('goes on after SIGINT with the files that are not done', async () => {
    utimesSync(pathOf('a'), 1_000, 1_000);
    const { code, output } = await endEarly('SIGINT');
    expect(code).toBe(130);
    expect(output).toContain('2 of 3 files, 2 passed, 0 failed, 1 not applicable\n');
    expect(output).toContain('SIGINT: 2 of 3 files are done; the same command goes on there\n');
    // Same size and time, but no JSON: this file would fail if it ran again.
    writeFileSync(pathOf('a'), 'x'.repeat(statSync(pathOf('a')).size));
    utimesSync(pathOf('a'), 1_000, 1_000);
    const resumed = await result();
    expect(resumed.output).toMatch(/the run of \S+ \S+ ended early: 2 of 3 files are done, and the others run/);
    expect(resumed.output).toMatch(/\n\n3 passed, 0 failed, 1 not applicable\n$/);
    expect({ code: resumed.code, record: recordOf() }).toEqual({ code: 0, record: undefined });
  });

  it('goes on after SIGKILL, and runs a file again that has changed', async () => {
    expect((await endEarly('SIGKILL')).code).toBe(null);
    write('b', { third: passing, more: passing });
    const { code, output } = await result();
    expect(output).toContain('ended early: 1 of 3 files are done');
    expect(output).toMatch(/\n\n4 passed, 0 failed, 1 not applicable\n$/);
    expect(code).toBe(0);
  });

  it('starts anew when the client has changed, with RESUME=0, and under another FILTER', async () => {
    await endEarly('SIGTERM');
    const record = recordOf()!;
    const lines = recordLines();
    expect((await result({ FILTER: 'ValidBlocks' })).output).not.toContain('ended early');
    expect((await result({ RESUME: '0' })).output).toContain('ended early, but RESUME=0: all files run');
    writeFileSync(record, lines.join('\n').replace(/"client":"\w+"/, '"client":"another"') + '\n');
    const { output } = await result();
    expect(output).toContain('ended early, and the client has changed since: all files run');
    expect(output).toMatch(/\n\n3 passed, 0 failed, 1 not applicable\n$/);
  });

  it('counts a file as failed when its process ends, and runs the files after it', async () => {
    writePipe('aa');
    const { child, closed, output } = start();
    await expect.poll(() => recordLines().length, { interval: 20 }).toBe(2);
    const worker = spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' }).stdout.trim();
    process.kill(Number(worker), 'SIGKILL');
    expect(await closed).toBe(1);
    expect(output()).toContain(`FAILED ${suite}/aa.json: the file: its process ended with SIGKILL`);
    expect(output()).toContain('files whose process ended: 0 passed, 1 failed, not applicable: 0');
    expect(output()).toMatch(/\n\n2 passed, 1 failed, 1 not applicable\n$/);
  });
});
