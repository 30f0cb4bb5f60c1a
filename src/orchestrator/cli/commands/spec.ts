import { EXIT } from '../../../system/failure.ts';
import { mustRunHere } from '../../devnet/own-spec.ts';
import { loadSpec } from '../../load/load-spec.ts';
import { documentText } from '../../spec/resolve/document.ts';
import type { CommandDefinition } from '../input/command.ts';
import { existing, SPEC_OR_NAME } from '../input/existing.ts';
import { SPEC_OPTIONS, specInput } from '../input/spec-options.ts';

export const command: CommandDefinition = {
  name: 'spec',
  group: 'specs and clients',
  summary: 'print a spec with every default written out; with --name alone, that of a running devnet',
  examples: ['devnet spec', 'devnet spec fork-drill', 'devnet spec --name default'],
  arguments: [SPEC_OR_NAME],
  options: [...SPEC_OPTIONS, { flags: '--json', description: 'as one JSON document' }],
  forPrograms: () => true,
  async run(io, [spec], options) {
    const devnet = existing(io, spec, options);
    if (devnet !== undefined) mustRunHere(devnet, 'spec');
    const input = devnet === undefined ? specInput(spec, options) : { spec: devnet.paths.spec, set: [], manual: [] };
    const loaded = await loadSpec(io, input);
    io.stdout(options['json'] === true ? `${JSON.stringify(loaded.spec, null, 2)}\n` : documentText(loaded.document));
    return EXIT.done;
  },
};
