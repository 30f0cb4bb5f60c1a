import { EXIT } from '../../system/failure.ts';
import { specText } from '../spec/print.ts';
import type { CommandDefinition } from './command.ts';
import { loadSpec } from './load-spec.ts';
import { SPEC_ARGUMENT, SPEC_OPTIONS, specInput } from './spec-options.ts';

export const command: CommandDefinition = {
  name: 'spec',
  summary: 'print the spec with every default written out',
  arguments: [SPEC_ARGUMENT],
  options: [...SPEC_OPTIONS, { flags: '--json', description: 'as one JSON document' }],
  async run(io, [spec], options) {
    const loaded = await loadSpec(io, specInput(spec, options));
    io.stdout(options['json'] === true ? `${JSON.stringify(loaded.spec, null, 2)}\n` : specText(loaded.spec));
    return EXIT.done;
  },
};
