import { EXIT, Failure } from '../../system/failure.ts';
import type { CommandDefinition } from './command.ts';
import { loadSpec } from './load-spec.ts';
import { SPEC_ARGUMENT, SPEC_OPTIONS, specInput } from './spec-options.ts';

export const command: CommandDefinition = {
  name: 'validate',
  summary: 'check a spec and say all that is wrong with it',
  arguments: [SPEC_ARGUMENT],
  options: [...SPEC_OPTIONS, { flags: '--json', description: 'the problems as one JSON document' }],
  async run(io, [spec], options) {
    const json = options['json'] === true;
    try {
      const { source } = await loadSpec(io, specInput(spec, options));
      if (json) io.stdout(`${JSON.stringify({ valid: true, problems: [] }, null, 2)}\n`);
      else io.stderr(`${source.name} is valid\n`);
      return EXIT.done;
    } catch (error) {
      if (!json || !(error instanceof Failure) || error.data['problems'] === undefined) throw error;
      io.stdout(`${JSON.stringify({ valid: false, problems: error.data['problems'] }, null, 2)}\n`);
      return EXIT.usage;
    }
  },
};
