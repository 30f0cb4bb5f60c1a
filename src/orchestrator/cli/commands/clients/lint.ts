import { EXIT, Failure } from '../../../../system/failure.ts';
import { clientSource, source } from '../../../load/package-files.ts';
import { renderProblems } from '../../../spec/text/problem.ts';
import { loadTemplate } from '../../../template/load.ts';
import type { CommandDefinition } from '../../input/command.ts';

export const command: CommandDefinition = {
  name: 'clients lint',
  group: 'specs and clients',
  summary: 'check a client template and list all problems',
  examples: ['devnet clients lint ./my-client.yaml'],
  arguments: [{ syntax: '<file>', description: 'the path of a template, or the name of one of this package' }],
  options: [],
  async run(io, [file]) {
    const name = String(file);
    const template = source(io.cwd, name) ?? clientSource(name);
    if (template === undefined)
      throw new Failure('template', `there is no template ${name}`, {
        exit: EXIT.usage,
        hint: 'give the path of a YAML file; docs/templates.md has an example',
      });
    const loaded = loadTemplate(name, template);
    if (loaded.ok) {
      const { kind, runtimes, versions } = loaded.template;
      const written = versions === null ? '' : `; versions: ${versions}`;
      io.stderr(`${name} is a valid template of the kind ${kind}; it runs as ${runtimes.join(', ')}${written}\n`);
      return EXIT.done;
    }
    io.stderr(`${renderProblems(loaded.problems)}\n`);
    return EXIT.usage;
  },
};
