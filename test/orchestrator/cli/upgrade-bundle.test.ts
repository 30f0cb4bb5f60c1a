import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownBundle } from '../../../src/orchestrator/load/package-files.ts';
import { encodeDeposit } from '../../../src/protocol/codec/deposit.ts';
import { findFork } from '../../../src/protocol/forks/index.ts';
import { sourceHashOf } from '../../../src/protocol/forks/make-bundle.ts';
import { upgradeDeposits } from '../../../src/protocol/forks/upgrade.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import type { UpgradeBundle } from '../../../src/protocol/types.ts';
import { Tiny } from './tiny.ts';

let tiny: Tiny;
beforeAll(() => {
  tiny = new Tiny();
});
afterAll(() => tiny[Symbol.asyncDispose]());

const write = (name: string, text: string) => {
  writeFileSync(join(tiny.folder, name), text);
  return name;
};
const read = (name: string) => JSON.parse(readFileSync(join(tiny.folder, name), 'utf8')) as UpgradeBundle;
const fork = (name: string) => findFork(name)!;
const encoded = (name: string) => upgradeDeposits([fork(name)], { [name]: ownBundle(name)! });

it.each(['ecotone', 'fjord', 'isthmus', 'jovian'])(
  'devnet upgrade-bundle makes the bundle of %s from encoded transactions in any order',
  async (name) => {
    const files = encoded(name).map((hex, index) =>
      write(`${name}-${index}.hex`, index % 2 ? hex : `${hex.slice(2)}\n`),
    );
    const result = await tiny.run(
      'upgrade-bundle',
      name,
      ...files.toReversed(),
      '-o',
      `${name}.json`,
      '--source',
      'a test',
    );
    expect(result).toMatchObject({ code: 0, stdout: '' });
    const bundle = read(`${name}.json`);
    expect(bundle.transactions).toEqual(ownBundle(name)!.transactions);
    expect(bundle.metadata).toMatchObject({ fork: name, origin: 'official', source: 'a test' });
    expect(await tiny.run('upgrade-bundle', name, '--check', `${name}.json`)).toMatchObject({ code: 0, stderr: '' });
  },
);

it('upgrade-bundle takes all transactions from one file, a line each, and prints without an output file', async () => {
  const file = write('all.hex', `${encoded('fjord').join('\n')}\n`);
  const { code, stdout } = await tiny.run('upgrade-bundle', 'fjord', file);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).transactions).toEqual(ownBundle('fjord')!.transactions);
});

it('upgrade-bundle puts published code in place of the package’s own, and keeps the specified fields', async () => {
  const files = [write('block.hex', '0x600160015500'), write('oracle.hex', '6002600255')];
  expect(await tiny.run('upgrade-bundle', 'jovian', ...files, '-o', 'code.json')).toMatchObject({ code: 0 });
  const transactions = ownBundle('jovian')!.transactions;
  const code = ['0x600160015500', '0x6002600255'];
  expect(read('code.json').transactions).toEqual(
    transactions.map((one) => (one.to === null ? { ...one, data: code.shift() } : one)),
  );
});

it('devnet upgrade-bundle names the intents of a fork that the package does not know', async () => {
  const karst = fork('karst');
  const deposit = (intent: string, index: number) =>
    bytesToHex(
      encodeDeposit({
        sourceHash: sourceHashOf(karst, intent, index),
        from: `0x${'42'.repeat(20)}`,
        to: null,
        mint: 0n,
        value: 0n,
        gas: 100_000 + index,
        isSystemTransaction: false,
        data: '0x6000',
      }),
    );
  const file = write('karst.hex', ['Deploy A', 'Deploy B'].map(deposit).join('\n'));
  const run = (...intents: readonly string[]) =>
    tiny.run('upgrade-bundle', 'karst', file, ...intents.flatMap((intent) => ['--intent', intent]), '-o', 'karst.json');
  expect(await run('Deploy A', 'Deploy B')).toMatchObject({ code: 0 });
  expect(read('karst.json').transactions.map(({ intent, gasLimit }) => [intent, gasLimit])).toEqual([
    ['Deploy A', 100_000],
    ['Deploy B', 100_001],
  ]);
  // The package's own transactions of this fork are not those of the specification.
  expect(await tiny.run('upgrade-bundle', 'karst', '--check', 'karst.json')).toMatchObject({ code: 0, stderr: '' });
  expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('give --intent for each file') });
  expect(await run('Deploy A', 'Deploy C')).toMatchObject({ code: 2, stderr: expect.stringContaining('source hash') });
});

it.each([
  [
    'a fork without upgrade transactions',
    ['granite', 'all.hex'],
    /unknown upgrade "granite"\n.*expected one of ecotone, fjord/,
  ],
  ['an incomplete set', ['fjord', 'fjord-0.hex'], /fjord lacks: .*Set Fjord/],
  ['transactions of another fork', ['fjord', 'ecotone-0.hex'], /is that of no known intent of fjord/],
  ['a transaction that is given twice', ['fjord', 'all.hex', 'fjord-0.hex'], /given twice/],
  ['code and transactions mixed', ['jovian', 'block.hex', 'jovian-0.hex'], /give one kind/],
  ['too little code', ['jovian', 'block.hex'], /deploys 2 contracts/],
  ['no hex', ['fjord', 'one.yaml'], /is not hex/],
  ['a missing file', ['fjord', 'nowhere.hex'], /cannot read .*nowhere\.hex: no such file/],
  ['a folder', ['fjord', '.'], /cannot read .*: it is a folder/],
  ['a file that is too large', ['fjord', 'large.hex'], /it has 16777217 bytes, at most 16777216 are allowed/],
  ['a bundle of another fork', ['isthmus', '--check', 'jovian.json'], /expected 8 transactions, found 5/],
  ['a file that is no bundle', ['isthmus', '--check', 'karst.hex'], /as JSON/],
])('devnet upgrade-bundle refuses %s', async (_, words, description) => {
  write('one.yaml', 'name: one\n');
  if (words.includes('large.hex')) write('large.hex', '0'.repeat(16 * 1024 * 1024 + 1));
  expect(await tiny.run('upgrade-bundle', ...words)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(description),
  });
});

it('check names every key that differs', async () => {
  const bundle = ownBundle('fjord')!;
  const [first, ...rest] = bundle.transactions;
  const changed = { ...bundle, transactions: [{ ...first!, gasLimit: 5, from: `0x${'11'.repeat(20)}` }, ...rest] };
  const { code, stderr } = await tiny.run(
    'upgrade-bundle',
    'fjord',
    '--check',
    write('changed.json', JSON.stringify(changed)),
  );
  expect(code).toBe(2);
  expect(stderr).toContain('gasLimit is 5, expected 1450000');
  expect(stderr).toContain(`from is 0x${'11'.repeat(20)}`);
});
