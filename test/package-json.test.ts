import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

interface Manifest {
  readonly [key: string]: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const manifestAt = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest;
const [ofPackage, ofTests] = ['package.json', 'test/package.json'].map(manifestAt) as [Manifest, Manifest];

/** Returns names and ranges of all dependencies, peers left out: a user chooses their versions. */
const dependenciesOf = ({ dependencies, devDependencies, optionalDependencies }: Manifest) =>
  Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });

describe('package.json', () => {
  it('gives each dependency one exact version', () => {
    const all = [ofPackage, ofTests].flatMap(dependenciesOf);
    expect(all.length).toBeGreaterThan(60);
    expect(all.filter(([, version]) => !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('names a package once: for the build, or for tests and lint alone', () => {
    const ofBuild = dependenciesOf(ofPackage).map(([name]) => name);
    expect(dependenciesOf(ofTests).filter(([name]) => ofBuild.includes(name))).toEqual([]);
  });

  it('has what a registry shows: description, keywords, licence, author, Node versions', () => {
    expect(ofPackage).toMatchObject({ license: 'MIT', engines: { node: expect.stringMatching(/^>=\d/) } });
    expect(ofPackage['description']).toMatch(/\w+/);
    expect(ofPackage['author']).toMatch(/\w+/);
    expect(ofPackage['keywords']).toEqual(expect.arrayContaining(['op-stack', 'rollup', 'devnet', 'ethereum']));
  });

  it('publishes nothing of the tests', () => {
    expect(ofTests['private']).toBe(true);
    expect(ofPackage['files']).not.toContain('test');
  });
});

describe('docs/dependencies.md', () => {
  it('has the reason of each dependency', () => {
    const page = readFileSync(join(root, 'docs', 'dependencies.md'), 'utf8');
    const words = [...page.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
    const reasons = words.flatMap((word) => {
      const [, scope, members] = /^(@[\w-]+\/)\{(.+)\}$/.exec(word) ?? [];
      return members === undefined ? [word] : members.split(',').map((member) => `${scope}${member}`);
    });
    const hasReason = (name: string) =>
      name.startsWith('@types/') ||
      reasons.some((reason) => reason === name || (reason.endsWith('/*') && name.startsWith(reason.slice(0, -1))));
    const names = [ofPackage, ofTests].flatMap(dependenciesOf).map(([name]) => name);
    expect(names.filter((name) => !hasReason(name))).toEqual([]);
  });
});
