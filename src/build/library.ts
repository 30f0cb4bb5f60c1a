import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { dockerAt } from './start-up.ts';

/** Modules of src/library that users import, each an entry of `exports` in package.json. */
export const LIBRARY = ['index', 'vitest', 'vitest-setup', 'node-test', 'pool'] as const;

/** Packages in CommonJS call `require` for modules of Node. */
const REQUIRE = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
].join(' ');

/** Bundles the library as ES modules with common chunks. viem and vitest are the user's own. */
export async function bundleLibrary(
  root: string,
  define: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const outdir = join(root, 'dist', 'library');
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: LIBRARY.map((name) => join(root, 'src', 'library', `${name}.ts`)),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    lineLimit: 200,
    logLevel: 'warning',
    metafile: true,
    external: ['viem', 'viem/*', 'vitest', 'secp256k1', '@foundry-rs/*', 'bufferutil', 'utf-8-validate'],
    define: { ...define },
    plugins: [dockerAt('../programs/dockerode.cjs')],
    banner: { js: REQUIRE },
  });
  return Object.keys(metafile.inputs);
}
