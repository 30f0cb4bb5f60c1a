import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { isFolder, namesIn, readText } from '../../system/files/folder.ts';
import { packTree } from '../../system/files/tar-tree.ts';

/** Folder of the package in the build context. */
const PACKAGE = 'package';

/** Packages with native parts, which are no part of the bundles. */
const NATIVE = ['secp256k1'];

/** Returns a tar stream with the Dockerfile, the package's programs, their native packages, and anvil. */
export function packImage(root: string, anvil: string): Readable {
  const files = new Map<string, string>([
    ['Dockerfile', join(root, 'Dockerfile')],
    [`${PACKAGE}/package.json`, join(root, 'package.json')],
    [`${PACKAGE}/bin/anvil`, anvil],
  ]);
  for (const folder of ['dist', 'templates', 'devnets']) addFolder(files, join(root, folder), `${PACKAGE}/${folder}`);
  for (const [name, folder] of closureOf(NATIVE, join(root, 'package.json')))
    addFolder(files, folder, `${PACKAGE}/node_modules/${name}`);
  return packTree(files);
}

function addFolder(files: Map<string, string>, from: string, to: string): void {
  for (const name of namesIn(from)) {
    const path = join(from, name);
    if (isFolder(path)) {
      if (name !== 'node_modules') addFolder(files, path, `${to}/${name}`);
    } else if (!name.endsWith('.map')) files.set(`${to}/${name}`, path);
  }
}

/** Finds packages and all that they depend on, beside a file. */
function closureOf(names: readonly string[], beside: string): ReadonlyMap<string, string> {
  const packages = new Map<string, string>();
  const add = (name: string, from: string) => {
    if (packages.has(name)) return;
    const manifest = createRequire(from).resolve(`${name}/package.json`);
    packages.set(name, dirname(manifest));
    const { dependencies = {} } = JSON.parse(readText(manifest) ?? '{}') as { dependencies?: Record<string, string> };
    for (const each of Object.keys(dependencies)) add(each, manifest);
  };
  for (const name of names) add(name, beside);
  return packages;
}
