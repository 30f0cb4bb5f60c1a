import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { carries, keptToken, openingPage, tokenOf, tokenPath } from '../../../src/orchestrator/dashboard/token.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-token-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('the token of a devnet', () => {
  it('is made once, of 32 random bytes, and only its user can read it', () => {
    const token = tokenOf(folder);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(tokenOf(folder)).toBe(token);
    expect(keptToken(folder)).toBe(token);
    expect(modeOf(tokenPath(folder))).toBe(0o600);
  });

  it.each(['', 'ab', `${'a'.repeat(63)}g`, `${'a'.repeat(65)}`, `x${'a'.repeat(64)}`])(
    'is replaced when its file holds %j',
    (text) => {
      writeFileSync(tokenPath(folder), text);
      expect(keptToken(folder)).toBeUndefined();
      expect(tokenOf(folder)).toMatch(/^[0-9a-f]{64}$/);
      expect(modeOf(tokenPath(folder))).toBe(0o600);
    },
  );

  it('is missing where the folder has none', () => {
    expect(keptToken(folder)).toBeUndefined();
  });

  it.each([
    [`Bearer ${'a'.repeat(64)}`, true],
    [`Bearer ${'a'.repeat(63)}b`, false],
    [`bearer ${'a'.repeat(64)}`, false],
    [`Bearer ${'a'.repeat(64)} `, false],
    ['a'.repeat(64), false],
    ['', false],
    [undefined, false],
  ])('is carried by the header %s: %s', (header, carried) => {
    expect(carries(header, 'a'.repeat(64))).toBe(carried);
  });
});

describe('the page that opens the dashboard', () => {
  it('only its user can read, and the token is in the fragment, which browsers do not send', () => {
    const path = openingPage(folder, 'http://127.0.0.1:9500/', 'ab');
    expect(modeOf(path)).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toContain('url=http://127.0.0.1:9500/#token=ab"');
  });
});
