import { EXIT } from '../../system/failure.ts';
import { specJsonSchema } from '../spec/schema.ts';
import type { CommandDefinition } from './command.ts';

export const command: CommandDefinition = {
  name: 'schema',
  summary: 'print the JSON schema of specs, for editors',
  arguments: [],
  options: [],
  async run(io) {
    io.stdout(`${JSON.stringify(specJsonSchema(), null, 2)}\n`);
    return EXIT.done;
  },
};
