import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { builtins, lateAccounts, nativeLibp2pKeys, patches } from './start-up.ts';

/**
 * Bundles every entry point of src/bin into dist/: importing a bundle takes a third of the time that its modules take apart, which every
 * process of every `devnet up` pays. Native packages stay outside; what is imported lazily becomes a chunk of its own.
 */
const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'dist');
const bins = readdirSync(join(root, 'src', 'bin')).map((file) => join(root, 'src', 'bin', file));
const { version, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
  bin: Record<string, string>;
};

/** Of all that goes into the programs: our sources and the versions of the packages. */
function inputsHash(): string {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const hash = createHash('sha256');
  for (const file of [...sources, join(root, 'package-lock.json')])
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex').slice(0, 32);
}
const made = inputsHash();

/** One entry at a time: what entries share would be split off into dozens of chunks, each of which has to be found and linked at start. */
async function bundle(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    outdir: dist,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: false,
    legalComments: 'none',
    metafile: true,
    external: ['secp256k1', '@foundry-rs/*', 'bufferutil', 'utf-8-validate'],
    define: {
      __VERSION__: JSON.stringify(version),
      __BUILD__: JSON.stringify(made),
      'process.env.NODE_ENV': '"production"',
    },
    banner: {
      js: "#!/usr/bin/env node\nimport{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    plugins: [builtins, patches, lateAccounts(root), nativeLibp2pKeys(root)],
    logLevel: 'warning',
  });
  return Object.keys(metafile.outputs).map((file) => join(root, file));
}

mkdirSync(dist, { recursive: true });
const chunks = join(dist, 'chunks');
const current = new Set((await Promise.all(bins.map(bundle))).flat());
for (const file of current) if (!file.startsWith(chunks)) chmodSync(file, 0o755);

// npm links the commands of dependencies, not the package's own: in a clone, npx would not find them.
const links = join(root, 'node_modules', '.bin');
for (const [name, target] of Object.entries(bin)) {
  rmSync(join(links, name), { force: true });
  symlinkSync(join('..', '..', target), join(links, name));
}

/** Chunks of an earlier build may still be loaded by a devnet that runs: they go when nobody can have been started from them lately. */
const KEPT_MS = 60 * 60 * 1000;
for (const name of existsSync(chunks) ? readdirSync(chunks) : []) {
  const file = join(chunks, name);
  if (!current.has(file) && Date.now() - statSync(file).mtimeMs > KEPT_MS) rmSync(file);
}
