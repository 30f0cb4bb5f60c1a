import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCES } from './compile.ts';

const BUILD = join(import.meta.dirname, '..');
/** Packages whose contracts or code the built files hold, and the compiler. */
export const PACKAGES = [
  ...['@eth-optimism/contracts-bedrock', 'contracts-bedrock-0.17.3', '@account-abstraction/contracts'],
  ...['@nomicfoundation/ignition-core', 'solc', '@ethereumjs/evm', 'viem'],
];

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

/**
 * Returns the hash of all inputs of the built files.
 * Inputs are our Solidity and manifest, this builder and the packages' versions.
 */
export function inputsHash(): string {
  const hash = createHash('sha256');
  const files = [
    ...list(SOURCES),
    ...list(join(BUILD, '..', 'protocol', 'genesis')),
    ...list(join(BUILD, 'contracts')),
    join(BUILD, 'contracts.ts'),
  ];
  for (const file of files) hash.update(readFileSync(file)).update('\0');
  const lock = JSON.parse(readFileSync(join(BUILD, '..', '..', 'package-lock.json'), 'utf8')) as Lock;
  for (const name of PACKAGES) hash.update(`${name}@${lock.packages[`node_modules/${name}`]?.version}\0`);
  return hash.digest('hex');
}

export function upToDate(dist: string, hash: string): boolean {
  const file = join(dist, 'contracts.hash');
  return existsSync(file) && existsSync(join(dist, 'contracts.json')) && readFileSync(file, 'utf8') === hash;
}

function list(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
