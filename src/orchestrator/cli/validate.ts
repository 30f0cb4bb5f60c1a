import { EXIT, Failure } from '../../system/failure.ts';
import { HOST, portRequests, preferredPorts } from '../plan/ports.ts';
import type { CommandDefinition } from './command.ts';
import { homeOf } from './early.ts';
import { loadSpec } from './load-spec.ts';
import { makePlan } from './make-plan.ts';
import { SPEC_ARGUMENT, SPEC_OPTIONS, specInput } from './spec-options.ts';

/** Stands for the place of L1 behind its gate, on which no problem of a spec depends. */
const ANY_PLACE = { host: HOST, port: 10_000 };

export const command: CommandDefinition = {
  name: 'validate',
  summary: 'check a spec and say all that is wrong with it',
  arguments: [SPEC_ARGUMENT],
  options: [...SPEC_OPTIONS, { flags: '--json', description: 'the problems as one JSON document' }],
  async run(io, [spec], options) {
    const json = options['json'] === true;
    try {
      const loaded = await loadSpec(io, specInput(spec, options));
      const { source } = loaded;
      // What only the planner sees, such as the files of a chain of another L1.
      const ports = preferredPorts(portRequests(loaded.spec, loaded.clients, ANY_PLACE));
      makePlan(io, loaded, homeOf(io), { hiddenHost: ANY_PLACE.host, ports });
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
