import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { apart, ES_MODULES } from './start-up.ts';

/** Modules of src/library that users import, each an entry of `exports` in package.json. */
export const LIBRARY = ['index', 'vitest', 'vitest-setup', 'node-test', 'pool'] as const;

/** Checks the version of Node before any other code of the library runs. */
const FIRST = 'needs-node';

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
  const options = {
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    alias: ES_MODULES,
  } as const;
  await build({
    ...options,
    entryPoints: [join(root, 'src', 'library', `${FIRST}.ts`)],
    outfile: join(outdir, `${FIRST}.mjs`),
  });
  const { metafile } = await build({
    ...options,
    entryPoints: LIBRARY.map((name) => join(root, 'src', 'library', `${name}.ts`)),
    outdir,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    lineLimit: 200,
    metafile: true,
    external: ['viem', 'viem/*', 'vitest', 'secp256k1', '@foundry-rs/*', 'bufferutil', 'utf-8-validate'],
    define: { ...define },
    plugins: [
      apart(/^dockerode$/, '../programs/dockerode.cjs'),
      apart(/^@kubernetes\/client-node$/, '../programs/kubernetes.cjs'),
    ],
    banner: { js: `import './${FIRST}.mjs';${REQUIRE}` },
  });
  return Object.keys(metafile.inputs);
}
