import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { boundParticiples, constantsWithoutMs, declaredNames, exportedParticiples, vagueConstants } from './names.ts';

const root = resolve(import.meta.dirname, '../..');
const sources = ['src', 'test'].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => ({ file: `${top}/${file}`, text: readFileSync(join(root, top, file), 'utf8') })),
);
const declared = sources.flatMap(({ file, text }) => declaredNames(file, text));

describe('constants', () => {
  it('name their subject and their unit', () => {
    expect(vagueConstants(declared)).toEqual([]);
  });

  it('name milliseconds if their comment does', () => {
    expect(sources.flatMap(({ file, text }) => constantsWithoutMs(file, text))).toEqual([]);
  });

  it('are found if their comment alone names milliseconds', () => {
    const source = ['Time (ms) of a probe.', 'Milliseconds of a probe.', 'Longest wait, ms.', 'Bytes of a probe.']
      .flatMap((comment, at) => [
        `/** ${comment} */`,
        `const PROBE_${at} = ${at};`,
        `/** ${comment} */`,
        'const A_MS = 1;',
      ])
      .join('\n');
    expect(constantsWithoutMs('a.ts', source)).toEqual(['a.ts PROBE_0', 'a.ts PROBE_1', 'a.ts PROBE_2']);
  });

  it('are found if they have one bare word, or a name that five files declare', () => {
    const source = 'const TIMEOUT = 5;\nexport const HEADER_TIMEOUT_MS = 5;\nconst LIMITS = {};\n';
    const names = (files: number) =>
      Array.from({ length: files }, (_, at) => declaredNames(`${at}.ts`, source.slice(at === 0 ? 0 : 19))).flat();
    expect(vagueConstants(names(1))).toEqual(['0.ts TIMEOUT']);
    expect(vagueConstants(names(5))).toEqual(['0.ts TIMEOUT', 'HEADER_TIMEOUT_MS in 5 files', 'LIMITS in 5 files']);
  });
});

describe('exported names', () => {
  it('are no past participles', () => {
    expect(exportedParticiples(declared)).toEqual([]);
  });

  it('are found if they are exported and a participle alone', () => {
    const source =
      'export const refused = 1;\nconst kept = 1;\nexport function feed() {}\nexport function keptBlocks() {}\n';
    expect(exportedParticiples(declaredNames('a.ts', source))).toEqual(['a.ts refused']);
  });
});

describe('bindings', () => {
  it('are no past participles of the list', () => {
    const inSrc = sources.filter(({ file }) => file.startsWith('src/'));
    expect(inSrc.flatMap(({ file, text }) => boundParticiples(file, text))).toEqual([]);
  });

  it('are found in patterns, parameters and functions, but not if an interface gives the name', () => {
    const source = [
      'const { known, value: found = 1, list: [, told] } = given;',
      'function asked(seen: string, ...kept: number[]) {}',
      'const read = async ([held]: string[]) => { for (const own of held) expected(own); };',
      'try {} catch (lost) {}',
      'const expected = (encoded: string, signed: string) => ({ taken: encoded, made() {} });',
    ].join('\n');
    const names = boundParticiples('a.ts', source).map((finding) => finding.split(' ')[1]);
    expect(names).toEqual(['found', 'told', 'asked', 'seen', 'kept', 'held', 'own', 'lost']);
    expect(boundParticiples('a.ts', source)[0]).toBe('a.ts:1 found');
  });
});
