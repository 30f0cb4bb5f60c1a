import { EXIT } from '../../../system/failure.ts';
import { documentText } from '../../spec/document.ts';
import type { CommandDefinition } from '../../workflow/command.ts';
import { existing, SPEC_OR_NAME } from '../../workflow/existing.ts';
import { loadSpec } from '../../workflow/load-spec.ts';
import { SPEC_OPTIONS, specInput } from '../../workflow/spec-options.ts';

export const command: CommandDefinition = {
  name: 'spec',
  group: 'specs and clients',
  summary: 'print a spec with every default written out; with --name alone, that of a running devnet',
  examples: ['devnet spec', 'devnet spec fork-drill', 'devnet spec --name default'],
  arguments: [SPEC_OR_NAME],
  options: [...SPEC_OPTIONS, { flags: '--json', description: 'as one JSON document' }],
  async run(io, [spec], options) {
    const own = existing(io, spec, options);
    const input = own === undefined ? specInput(spec, options) : { spec: own.paths.spec, set: [], manual: [] };
    const loaded = await loadSpec(io, input);
    io.stdout(options['json'] === true ? `${JSON.stringify(loaded.spec, null, 2)}\n` : documentText(loaded.document));
    return EXIT.done;
  },
};
