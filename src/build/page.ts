import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** Bundles the page of the dashboard: its scripts, of which one is loaded with the plots, and one style sheet. */
export async function bundlePage(root: string): Promise<readonly string[]> {
  const folder = join(root, 'src', 'page');
  const outdir = join(root, 'dist', 'page');
  // Names of parts change with their content.
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: { page: join(folder, 'main.tsx'), stream: join(folder, 'stream.ts') },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const style = await build({
    entryPoints: [join(folder, 'page.css')],
    outdir,
    ...{ bundle: true, minify: true, legalComments: 'none', logLevel: 'warning', metafile: true },
  });
  mkdirSync(outdir, { recursive: true });
  // The browser asks for the parts of the script together with it.
  const script = Object.entries(metafile.outputs).find(([path]) => path.endsWith('page/page.js'))?.[1];
  const parts = (script?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
  const links = parts.map(({ path }) => `<link rel="modulepreload" href="/${basename(path)}" />`).join('');
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  writeFileSync(join(outdir, 'index.html'), html.replace('<link rel="stylesheet"', `${links}<link rel="stylesheet"`));
  return [...Object.keys(metafile.inputs), ...Object.keys(style.metafile.inputs)];
}
