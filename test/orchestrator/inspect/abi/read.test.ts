import { mkdirSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listAbis, readAbis } from '../../../../src/orchestrator/inspect/abi/read.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-abis-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (path: string, content: unknown) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
};
const entry = (type: string, name: string, ...types: readonly string[]) => ({
  ...{ type, name, inputs: types.map((each) => ({ type: each, indexed: true })) },
});
const read = () => readAbis(folder, listAbis(folder));

describe('a folder with ABIs', () => {
  it('has the files that may hold one, and a stamp of them', () => {
    for (const path of ['a.json', 'deep/b.json', 'c.dbg.json', 'd.txt', 'build-info/e.json', 'x/build-info/f.json'])
      put(path, []);
    const names = () => listAbis(folder).files.map(({ path }) => path.slice(folder.length + 1));
    expect(names().sort()).toEqual(['a.json', 'deep/b.json']);
    const { stamp, isComplete } = listAbis(folder);
    expect(isComplete).toBe(true);
    expect(stamp.split('\n')).toHaveLength(2);
    expect(listAbis(folder).stamp).toBe(stamp);
    utimesSync(join(folder, 'a.json'), 5, 5);
    const touched = listAbis(folder).stamp;
    expect(touched).not.toBe(stamp);
    put('a.json', '[ ]');
    utimesSync(join(folder, 'a.json'), 5, 5);
    expect(listAbis(folder).stamp).not.toBe(touched);
  });

  it('has tables by selector and topic', () => {
    put('a.json', [entry('function', 'transfer', 'address', 'uint256'), entry('error', 'Bad')]);
    put('b.json', [entry('event', 'Transfer', 'address', 'address', 'uint256'), entry('error', 'Bad')]);
    const { tables, problems } = read();
    const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
    expect(tables).toEqual({
      functions: { '0xa9059cbb': 'function transfer(address, uint256)' },
      errors: { '0xe143a034': 'error Bad()' },
      events: { [topic]: ['event Transfer(address indexed, address indexed, uint256 indexed)'] },
    });
    expect(problems).toEqual([]);
  });

  it('has each form of an event once, and the first form of a function', () => {
    const plain = (name: string) => ({ type: 'function', name: 'f', inputs: [{ type: 'bool', name }] });
    const event = (indexed: boolean) => ({ type: 'event', name: 'E', inputs: [{ type: 'bool', indexed }] });
    put('a.json', [plain('one'), plain('two'), event(true), event(false), event(true)]);
    const { functions, events } = read().tables;
    expect(Object.values(functions)).toEqual(['function f(bool one)']);
    expect(Object.values(events)).toEqual([['event E(bool indexed)', 'event E(bool)']]);
  });

  it('names the contract that has a code', () => {
    const of = (contractName: unknown, object: string) => ({ abi: [], contractName, deployedBytecode: { object } });
    put('a.json', of('One', '0x60AB00'));
    put('b.json', of('Two', '0x61AB00'));
    put('c.json', of('a b', '0x62'));
    put('d.json', { abi: [], contractName: 'Three' });
    // Two artifacts of one code, of which the first has no name that can be shown.
    put('e.json', of('c d', '0x63AB00'));
    put('f.json', of('Four', '0x63AB00'));
    const { nameOf } = read();
    expect(nameOf('0x60ABff')).toBe('One');
    expect(nameOf('0x61abFF')).toBe('Two');
    expect(nameOf('0x63abFF')).toBe('Four');
    for (const code of ['0x62abff', '0x60ab', '0x62', '0x']) expect(nameOf(code)).toBeUndefined();
  });

  it.each<[string, () => void, readonly string[]]>([
    ['has no ABI', () => put('a.json', {}), ['no ABI in it']],
    ['has a file that is no JSON', () => put('a/b.json', '{'), ['no ABI in it', '"a/b.json": no valid JSON']],
    [
      'has entries that are not valid',
      () => put('a.json', [null, entry('function', 'f')]),
      ['"a.json": entries of no valid type or name'],
    ],
    [
      'has many files of one fault',
      () => {
        for (const name of ['a', 'b', 'c', 'd', 'e']) put(`${name}.json`, '{');
        put('good.json', []);
      },
      [expect.stringMatching(/^"[a-e]\.json", "[a-e]\.json", "[a-e]\.json" and 2 more: no valid JSON$/)],
    ],
    [
      'has three files of one fault',
      () => {
        for (const name of ['a', 'b', 'c']) put(`${name}.json`, '{');
        put('good.json', []);
      },
      [expect.stringMatching(/^"[a-c]\.json", "[a-c]\.json", "[a-c]\.json": no valid JSON$/)],
    ],
    [
      'has a file with a long name',
      () => put(`${'d'.repeat(90)}/${'n'.repeat(90)}.json`, '{'),
      ['no ABI in it', `"${`${'d'.repeat(90)}/${'n'.repeat(90)}.json`.slice(-100)}": no valid JSON`],
    ],
  ])('tells when it %s', (_, fill, problems) => {
    fill();
    expect(read().problems).toEqual(problems);
  });

  it('tells when it is not there', () => {
    const none = join(folder, 'none');
    expect(readAbis(none, listAbis(none)).problems).toEqual(['no such folder']);
  });

  it('reads a file of 4 MiB, and no larger one', () => {
    put('a.json', '[]');
    truncateSync(join(folder, 'a.json'), 4 * 1024 * 1024);
    // Zeros are no JSON, so that this one was read.
    expect(read().problems).toEqual(['no ABI in it', '"a.json": no valid JSON']);
    truncateSync(join(folder, 'a.json'), 4 * 1024 * 1024 + 1);
    expect(read().problems).toEqual(['no ABI in it', '"a.json": larger than 4194304 bytes']);
  });

  it('reads 64 MiB and 2,000 files, of which a larger one is none', () => {
    const size = 4 * 1024 * 1024;
    put('a.json', []);
    const listed = listAbis(folder);
    const [file] = listed.files;
    const problemsOf = (sizes: readonly number[]) =>
      readAbis(folder, { ...listed, files: sizes.map((each) => ({ ...file!, size: each })) }).problems;
    const beyond = '"a.json": beyond the limit of 2,000 files and 64 MB';
    expect(problemsOf(Array(16).fill(size))).toEqual([]);
    expect(problemsOf([...Array(16).fill(size), 1])).toEqual([beyond]);
    expect(problemsOf([size + 1, ...Array(16).fill(size)])).toEqual(['"a.json": larger than 4194304 bytes']);
    expect(problemsOf(Array(2000).fill(1))).toEqual([]);
    expect(problemsOf(Array(2001).fill(1))).toEqual([beyond]);
  });

  it('has at most 20,000 entries, and says how many are left out', () => {
    const entries = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => entry('error', `E${from + at}`));
    for (let at = 0; at < 4; at++) put(`${at}.json`, entries(5000 * at, 5000 * (at + 1)));
    const { files } = listAbis(folder);
    expect(files).toHaveLength(4);
    put('more.json', entries(0, 10));
    expect(read().problems).toEqual([]);
    put('more.json', entries(20_000, 20_007));
    const { problems, tables } = read();
    expect(problems).toEqual(['7 entries beyond the limit of 20000 are left out']);
    expect(Object.values(tables.errors)).not.toContain('error E20006()');
  });
});
