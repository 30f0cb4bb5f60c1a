import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

interface Entry {
  readonly resolved?: string;
  /** A workspace, whose `resolved` is its folder. */
  readonly link?: boolean;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Entry>>;
};
const folders = Object.values(lock.packages).flatMap(({ link, resolved = '' }) => (link === true ? [resolved] : []));
const installed = Object.entries(lock.packages).filter(([at, { link }]) => link !== true && !folders.includes(at));

it('the lock file names every optional package, also those for other platforms (npm ci, anvil on a Mac)', () => {
  const missing = Object.entries(lock.packages).flatMap(([at, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in lock.packages || `${at}/node_modules/${name}` in lock.packages),
    ),
  );
  expect(missing).toEqual([]);
});

it('the lock file holds no address of a registry', () => {
  expect(installed.length).toBeGreaterThan(500);
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  expect(folders).toEqual(['', 'test']);
});

it('every package of the lock file has its checksum, except binaries that this registry lacks', () => {
  const bare = installed.filter(([, { integrity }]) => integrity === undefined);
  expect(bare.filter(([, { optional, os, cpu }]) => !optional || (os ?? cpu) === undefined)).toEqual([]);
  const here = bare.filter(
    ([, { os, cpu, libc }]) => os?.includes('linux') && cpu?.includes('x64') && !libc?.includes('musl'),
  );
  expect(here).toEqual([]);
});
