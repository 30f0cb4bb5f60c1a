import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeExport } from '../../../src/orchestrator/export/write-export.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'export-'));
});
afterEach(() => rmSync(place, { recursive: true }));

const FILES = [
  { path: 'stack.yaml', text: 'a' },
  { path: 'network/spec.yaml', text: 'b' },
  { path: 'secrets/secrets.json', text: 'c', secret: true },
] as const;

describe('the folder of an export', () => {
  it.each([false, true])('has its secrets in a folder that only the user opens (the folder exists: %s)', (isMade) => {
    const folder = join(place, 'out');
    if (isMade) mkdirSync(folder, { mode: 0o700 });
    writeExport(folder, FILES);
    const mode = (path: string) => [path, (statSync(join(folder, path)).mode & 0o777).toString(8)];
    expect(['', 'stack.yaml', 'network', 'network/spec.yaml', 'secrets', 'secrets/secrets.json'].map(mode)).toEqual([
      ['', '755'],
      ['stack.yaml', '644'],
      ['network', '755'],
      ['network/spec.yaml', '644'],
      ['secrets', '700'],
      ['secrets/secrets.json', '444'],
    ]);
    expect(readdirSync(place)).toEqual(['out']);
  });

  it('is left as it is when it has files', () => {
    writeFileSync(join(place, 'mine'), '');
    expect(() => writeExport(place, FILES)).toThrow(expect.objectContaining({ code: 'exists', exit: 2 }));
    expect(readdirSync(place)).toEqual(['mine']);
  });

  it('has all files or none', () => {
    const folder = join(place, 'out');
    expect(() => writeExport(folder, [...FILES, { path: 'stack.yaml/below', text: '' }])).toThrow();
    expect([existsSync(folder), readdirSync(place)]).toEqual([false, []]);
  });
});
