import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { isFolder, namesIn, readText } from '../../system/files/folder.ts';
import { packTree } from '../../system/files/tar-tree.ts';

/** Folder of the package in the build context. */
const PACKAGE = 'package';

/** Packages with native parts, which are no part of the bundles. */
const NATIVE = ['secp256k1'];

/** Returns a tar stream of a build context: the Dockerfile, and the files of the package. */
export function packContext(root: string, anvil: string): Readable {
  return packTree(new Map([['Dockerfile', join(root, 'Dockerfile')], ...packageFiles(root, anvil, PACKAGE)]));
}

/** Maps names below a folder to files: the package's programs, their native packages, and anvil. */
export function packageFiles(root: string, anvil: string, folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>([
    [`${folder}/package.json`, join(root, 'package.json')],
    [`${folder}/bin/anvil`, anvil],
  ]);
  for (const name of ['dist', 'templates', 'devnets']) addFolder(files, join(root, name), `${folder}/${name}`);
  for (const [name, path] of closureOf(NATIVE, join(root, 'package.json')))
    addFolder(files, path, `${folder}/node_modules/${name}`);
  return files;
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
