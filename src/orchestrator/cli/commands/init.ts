import { dirname, join, relative, resolve } from 'node:path';
import { EXIT, Failure } from '../../../system/failure.ts';
import { publishExclusive } from '../../../system/files/folder.ts';
import { packageRoot } from '../../../system/program/entry.ts';
import { sample, sampleNames } from '../../load/package-files.ts';
import type { CommandDefinition } from '../input/command.ts';

/** The line from which editors know the schema of a YAML file. */
const MODELINE = /^# yaml-language-server: \$schema=\S+$/m;

export const command: CommandDefinition = {
  name: 'init',
  group: 'specs and clients',
  summary: 'copy a sample spec to devnet.yaml in the current folder',
  examples: ['devnet init', 'devnet init fork-drill'],
  arguments: [{ syntax: '[sample]', description: 'the sample to copy; absent: default' }],
  options: [{ flags: '--out <file>', description: 'the file to write', default: 'devnet.yaml' }],
  async run(io, [word], options) {
    const name = typeof word === 'string' ? word : 'default';
    const original = sample(name);
    if (original === undefined)
      throw new Failure('sample', `unknown sample ${JSON.stringify(name)}`, {
        exit: EXIT.usage,
        hint: `expected one of ${sampleNames().join(', ')}`,
      });
    const file = String(options['out']);
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

/** Lets the modeline of a sample name the package's schema: relative if it is below the file's folder. */
function withModeline(text: string, file: string): string {
  const schema = join(packageRoot(), 'dist', 'schema', 'spec.json');
  const near = relative(dirname(file), schema);
  const path = near.startsWith('..') ? schema : near;
  return text.replace(MODELINE, () => `# yaml-language-server: $schema=${path}`);
}
