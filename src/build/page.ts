import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Bundles the page of the dashboard: one script and one style sheet, which load nothing else. */
export async function bundlePage(root: string): Promise<readonly string[]> {
  const folder = join(root, 'src', 'page');
  const outdir = join(root, 'dist', 'page');
  const { metafile } = await build({
    entryPoints: { page: join(folder, 'main.tsx') },
    outdir,
    bundle: true,
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
  copyFileSync(join(folder, 'index.html'), join(outdir, 'index.html'));
  return [...Object.keys(metafile.inputs), ...Object.keys(style.metafile.inputs)];
}
