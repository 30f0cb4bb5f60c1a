import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { TINY } from './support.ts';

/**
 * Fills a folder with the smallest base of the package's image: Node and the libraries that it and anvil load, from
 * this machine. No registry is asked. The tiny program of the process tests is in it, too.
 */
export function packBase(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const require = createRequire(import.meta.url);
  const node = realpathSync(join(dirname(require.resolve('node/package.json')), 'bin', 'node'));
  const libraries = execFileSync('ldd', [node], { encoding: 'utf8' }).match(/\/\S+\.so\S*/g) ?? [];
  for (const path of new Set(libraries)) put(folder, path, path);
  put(folder, node, '/usr/local/bin/node');
  mkdirSync(join(folder, 'tmp'));
  chmodSync(join(folder, 'tmp'), 0o1777);
  mkdirSync(join(folder, 'etc'));
  copyFileSync(TINY, join(folder, 'rpc-node.mjs'));
  writeFileSync(join(folder, 'etc', 'passwd'), 'root:x:0:0::/:/bin/false\n');
}

function put(folder: string, from: string, to: string): void {
  const path = join(folder, to);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(realpathSync(from), path);
}
