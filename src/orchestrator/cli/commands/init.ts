import { dirname, join, relative, resolve } from 'node:path';
import { EXIT, Failure } from '../../../system/failure.ts';
import { exists, makeFolders, publishExclusive } from '../../../system/files/folder.ts';
import { packageRoot } from '../../../system/program/entry.ts';
import { shellQuote } from '../../../system/program/shell-quote.ts';
import { sample, sampleNames } from '../../load/package-files.ts';
import { PROJECT_TEMPLATES, type ProjectTemplate, projectFiles } from '../../load/project-templates.ts';
import type { Io } from '../../terminal/io.ts';
import type { CommandDefinition } from '../input/command.ts';

/** The line from which editors know the schema of a YAML file. */
const MODELINE = /^# yaml-language-server: \$schema=\S+$/m;

export const command: CommandDefinition = {
  name: 'init',
  group: 'specs and clients',
  summary: 'copy a sample spec to devnet.yaml in the current folder, or write a small project',
  examples: ['devnet init', 'devnet init fork-drill', 'devnet init --template vitest --out my-rollup'],
  arguments: [{ syntax: '[sample]', description: 'the sample to copy; absent: default' }],
  options: [
    { flags: '--out <path>', description: 'the file to write (default: devnet.yaml), or the folder of the project' },
    {
      flags: '--template <kind>',
      description: `writes a project that runs: ${PROJECT_TEMPLATES.join(', ')}`,
      choices: PROJECT_TEMPLATES,
    },
  ],
  async run(io, [word], options) {
    const template = PROJECT_TEMPLATES.find((each) => each === options['template']);
    if (template !== undefined) return writeProject(io, template, word, String(options['out'] ?? '.'));
    const name = typeof word === 'string' ? word : 'default';
    const original = sample(name);
    if (original === undefined)
      throw new Failure('sample', `unknown sample ${JSON.stringify(name)}`, {
        exit: EXIT.usage,
        hint: `expected one of ${sampleNames().join(', ')}`,
      });
    const file = String(options['out'] ?? 'devnet.yaml');
    const path = resolve(io.cwd, file);
    if (!publishExclusive(path, withModeline(original.text, path)))
      throw new Failure('exists', `${file} exists already and was not changed`, {
        exit: EXIT.usage,
        hint: 'choose another name with --out',
      });
    io.stderr(`wrote ${file}: \`devnet validate\` checks it, \`devnet up\` starts it\n`);
    return EXIT.done;
  },
};

/** Writes the files of a project to a folder in which none of them is. */
function writeProject(io: Io, template: ProjectTemplate, sampleName: unknown, out: string): number {
  if (sampleName !== undefined)
    throw new Failure('usage', 'expected a sample or --template, found both', { exit: EXIT.usage });
  const folder = resolve(io.cwd, out);
  const files = projectFiles(template, folder);
  const present = [...files.keys()].filter((path) => exists(join(folder, path)));
  if (present.length > 0)
    throw new Failure('exists', `${present.join(', ')} in ${out}: exists already, and nothing was written`, {
      exit: EXIT.usage,
      hint: 'choose another folder with --out',
    });
  for (const [path, text] of files) {
    makeFolders(dirname(join(folder, path)));
    publishExclusive(join(folder, path), text);
  }
  const enter = out === '.' ? '' : `cd ${shellQuote(out)} && `;
  io.stderr(`wrote ${[...files.keys()].join(', ')}: \`${enter}npm install && npm test\` runs it\n`);
  return EXIT.done;
}

/** Lets the modeline of a sample name the package's schema: relative if it is below the file's folder. */
function withModeline(text: string, file: string): string {
  const schema = join(packageRoot(), 'dist', 'schema', 'spec.json');
  const near = relative(dirname(file), schema);
  const path = near.startsWith('..') ? schema : near;
  return text.replace(MODELINE, () => `# yaml-language-server: $schema=${path}`);
}
