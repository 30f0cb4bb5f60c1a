import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readL1Keys } from '../../../../src/nodes/beacon/accounts/l1-keys.ts';

const KEY = `0x${'11'.repeat(32)}`;

it.each([
  ['is absent', undefined, 'accounts'],
  ['is no JSON', '{', 'accounts'],
  ['has a list alone', '[]', 'accounts'],
  ['has a short key', JSON.stringify({ accounts: ['0x11'], roles: [] }), 'accounts'],
  ['lacks the keys of the roles', JSON.stringify({ accounts: [KEY] }), 'roles'],
])('a file of the keys of L1 that %s is refused by name', (_, text, list) => {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-l1-keys-'));
  const path = join(folder, 'keys.json');
  try {
    if (text !== undefined) writeFileSync(path, text);
    expect(() => readL1Keys(path)).toThrow(`${path} holds no list of keys \`${list}\``);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
