import { basename, join } from 'node:path';
import { isFolder, namesIn, readText } from '../../system/files/folder.ts';
import { packageRoot } from '../../system/program/entry.ts';

/** Projects that `devnet init --template` writes: folders of `examples`. */
export const PROJECT_TEMPLATES = ['vitest', 'foundry', 'hardhat', 'scenario'] as const;

export type ProjectTemplate = (typeof PROJECT_TEMPLATES)[number];

/** What an installed example is not made of. */
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', 'out', 'cache', 'artifacts', 'package-lock.json']);

/** Returns the files of a project by their paths. `folder`: where it will stand; its name becomes the project's. */
export function projectFiles(template: ProjectTemplate, folder: string): ReadonlyMap<string, string> {
  const root = join(packageRoot(), 'examples', template);
  const files = new Map(pathsIn(root).map((path) => [path, readText(join(root, path)) ?? '']));
  files.set('package.json', manifest(files.get('package.json') ?? '{}', folder));
  files.set('.gitignore', 'node_modules/\nout/\ncache/\nartifacts/\n');
  return files;
}

function pathsIn(root: string, below = ''): readonly string[] {
  return namesIn(join(root, below))
    .filter((name) => !LEFT_OUT.has(name) && !name.startsWith('.'))
    .flatMap((name) => {
      const path = join(below, name);
      return isFolder(join(root, path)) ? pathsIn(root, path) : [path];
    });
}

interface Manifest {
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Names the project by its folder, and the version of this package. */
function manifest(text: string, folder: string): string {
  const parsed: Manifest = JSON.parse(text);
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const devDependencies = { ...parsed.devDependencies, 'rollup-devnet': ownVersion() };
  return `${JSON.stringify({ ...parsed, name: name || 'project', devDependencies }, null, 2)}\n`;
}

/** The version of this package as another one names it. A clone is named by its folder: no registry has it. */
function ownVersion(): string {
  const root = packageRoot();
  if (basename(join(root, '..')) !== 'node_modules') return `file:${root}`;
  const { version }: { version: string } = JSON.parse(readText(join(root, 'package.json')) ?? '{}');
  return `^${version}`;
}
