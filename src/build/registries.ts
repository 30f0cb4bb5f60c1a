import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A source file that names each module of a folder, so that a new module is one new file. */
interface Registry {
  /** Path below `src`. */
  readonly file: string;
  /** Folder of the modules, beside the file. */
  readonly folder: string;
  /** Makes the text below the header from the paths in the folder, sorted and without `.ts`. */
  render(paths: readonly string[]): string;
}

const REGISTRIES: readonly Registry[] = [
  { file: 'orchestrator/cli/registry.ts', folder: 'commands', render: commands },
  { file: 'orchestrator/mcp/tool-registry.ts', folder: 'tools', render: reexports('./tools') },
  { file: 'orchestrator/probe/registry.ts', folder: 'kinds', render: reexports('./kinds') },
  { file: 'orchestrator/scenario/read/step-registry.ts', folder: '../steps', render: reexports('../steps') },
  { file: 'orchestrator/scenario/expectation-registry.ts', folder: 'expect', render: reexports('./expect') },
];

/** Renders the commands by name. A module is loaded by its command alone, because each module costs start-up time. */
function commands(paths: readonly string[]): string {
  const entries = paths.map((path) => {
    const name = path.replaceAll('/', ' ');
    return `  ${/^[a-z][a-z0-9]*$/.test(name) ? name : `'${name}'`}: () => import('./commands/${path}.ts'),\n`;
  });
  return `import type { CommandDefinition } from './input/command.ts';

/** Loads the module of each command. */
export const COMMANDS: Readonly<Record<string, () => Promise<{ readonly command: CommandDefinition }>>> = {
${entries.join('')}};
`;
}

/** Renders one export for each file of a folder: the one that has the name of the file (`late-head.ts`: `lateHead`). */
function reexports(folder: string): Registry['render'] {
  return (paths) =>
    paths
      .map((path) => [path, path.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())] as const)
      .map(([path, name]) => `export { ${name} } from '${folder}/${path}.ts';\n`)
      .join('');
}

/** Renders the text of each registry from the files of its folder. Paths are below `src`, as that of the file. */
export function renderRegistries(src: string): readonly { readonly file: string; readonly text: string }[] {
  return REGISTRIES.map(({ file, folder, render }) => {
    const paths = readdirSync(join(src, file, '..', folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => path.slice(0, -'.ts'.length))
      .sort();
    return { file, text: `// \`make build\` writes this file from the folder ${basename(folder)}.\n${render(paths)}` };
  });
}

/** Writes the registries. A file with the same content keeps its time, so that `make` does not build again. */
function writeRegistries(src: string): void {
  for (const { file, text } of renderRegistries(src)) {
    const path = join(src, file);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
}

if (import.meta.main) writeRegistries(join(import.meta.dirname, '..'));
