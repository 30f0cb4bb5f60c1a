import { EXIT } from '../../system/failure.ts';
import { specJsonSchema } from '../spec/schema/spec.ts';
import { templateJsonSchema } from '../template/schema.ts';
import type { CommandDefinition } from '../workflow/command.ts';

export const command: CommandDefinition = {
  name: 'schema',
  summary: 'print the JSON schema of specs or of client templates, for editors',
  arguments: [],
  options: [{ flags: '--template', description: 'the schema of client templates instead' }],
  async run(io, _, options) {
    const schema = options['template'] === true ? templateJsonSchema() : specJsonSchema();
    io.stdout(`${JSON.stringify(schema, null, 2)}\n`);
    return EXIT.done;
  },
};
