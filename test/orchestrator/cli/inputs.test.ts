import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Tiny } from './tiny.ts';

it.each([
  ['/dev/zero', /cannot read \/dev\/zero: it is a device, not a regular file/],
  ['./pipe.yaml', /cannot read \.\/pipe\.yaml: it is a pipe, not a regular file/],
  ['./folder.yaml', /cannot read \.\/folder\.yaml: it is a folder, not a regular file/],
  ['./large.yaml', /cannot read \.\/large\.yaml: it has 131073 bytes, at most 131072 are allowed/],
])('%s is refused as a spec before it is read', async (name, description) => {
  await using tiny = new Tiny();
  spawnSync('mkfifo', [join(tiny.folder, 'pipe.yaml')]);
  mkdirSync(join(tiny.folder, 'folder.yaml'));
  writeFileSync(join(tiny.folder, 'large.yaml'), '#'.repeat(128 * 1024 + 1));
  writeFileSync(join(tiny.folder, 'over.yaml'), `version: 1\nbase: ${name}\n`);
  for (const spec of [name, './over.yaml']) {
    const { code, stderr } = await tiny.run('validate', spec);
    expect(stderr).toMatch(description);
    expect(code).toBe(2);
  }
});

it.each(['__proto__.x=1', 'l1.__proto__.x=1', 'chains."__proto__".blockTime=1', 'constructor.x=1', 'toString=1'])(
  '--set %s is refused as a wrong key (2)',
  async (set) => {
    await using tiny = new Tiny();
    const { code, stderr } = await tiny.run('validate', 'default', '--set', set);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--set:1:\d+: .*(cannot be a key|unknown key "toString")/);
  },
);

it('an argument that would give L1 another first block is refused, one that no template knows is not', async () => {
  await using tiny = new Tiny();
  const refused = await tiny.run('validate', 'default', '--set', 'l1.args.fork-url=http://127.0.0.1:1');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/l1\.args\.fork-url: --fork-url cannot be given to anvil here: L1 would begin with/);
  for (const set of ['l1.args.steps-tracing=true', 'l1.args.toString=1'])
    expect(await tiny.run('validate', 'default', '--set', set)).toMatchObject({ code: 0 });
});

it('plan lists each file with the size that it is written with', async () => {
  await using tiny = new Tiny();
  const out = join(tiny.folder, 'out');
  const { stdout } = await tiny.run('plan', 'default', '--set', 'ports=auto');
  const { code } = await tiny.run('plan', 'default', '--set', 'ports=auto', '--shell', '--out', out);
  expect(code).toBe(0);
  const rows = [...stdout.matchAll(/^ {2}0[0-7]{3} (\S+) {2}(?:.*, )?(\d+) bytes$/gm)];
  expect(rows.length).toBeGreaterThan(5);
  for (const [, path, bytes] of rows) {
    const { size } = statSync(path!.replace(tiny.home, out));
    // Times of genesis differ between the two plans, and so may their paths' length.
    expect(Math.abs(size - Number(bytes)), path).toBeLessThan(1000);
    if (!path!.includes('genesis')) expect(size, path).toBe(Number(bytes));
  }
});

const RECEIVER = `0x${'11'.repeat(20)}`;
const INITIATED = `0x${'22'.repeat(32)}`;

it.each([
  [[], /^devnet: withdraw: expected a receiver and an amount, or --continue HASH\n/],
  [[RECEIVER], /expected a receiver and an amount/],
  [['--continue', '0x12'], /^devnet: --continue: expected the hash of a transaction of L2, found "0x12"/],
  [[RECEIVER, '1', '--continue', INITIATED], /withdraw: --continue takes no receiver, no amount and no call/],
  [['--continue', INITIATED, '--gas', '1'], /takes no receiver/],
  [['--continue', INITIATED, '--data', '0x'], /takes no receiver/],
  [['--continue', INITIATED, '--function', 'f()'], /takes no receiver/],
  [['--continue', INITIATED, '--arg', '1'], /takes no receiver/],
])('withdraw %j is refused (2)', async (words, description) => {
  await using tiny = new Tiny();
  const { code, stderr } = await tiny.run('withdraw', ...words);
  expect([code, stderr]).toEqual([2, expect.stringMatching(description)]);
});

it.each([
  ['a receiver and an amount', [RECEIVER, '1ether']],
  ['the transaction that has initiated it', ['--continue', INITIATED]],
])('withdraw takes %s', async (_, words) => {
  await using tiny = new Tiny();
  expect((await tiny.run('withdraw', ...words)).stderr).toMatch(/^devnet: no devnet/);
});
