import { EXIT, Failure } from '../../../system/failure.ts';
import { loadSpec } from '../../load/load-spec.ts';
import { planAnywhere } from '../../load/plan-anywhere.ts';
import type { CommandDefinition } from '../input/command.ts';
import { SPEC_ARGUMENT, SPEC_OPTIONS, specInput } from '../input/spec-options.ts';

export const command: CommandDefinition = {
  name: 'validate',
  group: 'specs and clients',
  summary: 'check a spec and list all problems',
  examples: ['devnet validate ./my.yaml'],
  exits: { 2: 'the spec has problems, all listed' },
  arguments: [SPEC_ARGUMENT],
  options: [...SPEC_OPTIONS, { flags: '--json', description: 'the problems as one JSON document' }],
  async run(io, [spec], options) {
    const json = options['json'] === true;
    try {
      const loaded = await loadSpec(io, specInput(spec, options));
      const { source } = loaded;
      // Some problems appear only in planning, such as chain files of another L1.
      planAnywhere(io, loaded);
      if (json) io.stdout(`${JSON.stringify({ valid: true, problems: [] }, null, 2)}\n`);
      else io.stderr(`${source.name} is valid\n`);
      return EXIT.done;
    } catch (error) {
      if (!json || !(error instanceof Failure)) throw error;
      const problems = error.data['problems'] ?? [{ code: error.code, file: spec, message: error.message }];
      io.stdout(`${JSON.stringify({ valid: false, problems }, null, 2)}\n`);
      return error.exit;
    }
  },
};
