import { EXIT } from '../../../system/failure.ts';
import { specJsonSchema } from '../../spec/schema/spec.ts';
import { templateJsonSchema } from '../../template/schema.ts';
import type { CommandDefinition, OptionValues } from '../input/command.ts';

export const command: CommandDefinition = {
  name: 'schema',
  group: 'specs and clients',
  summary: 'print the JSON schema of specs, of client templates or of scenarios, for editors',
  examples: ['devnet schema > spec.schema.json', 'devnet schema --scenario'],
  arguments: [],
  options: [
    { flags: '--template', description: 'the schema of client templates instead' },
    { flags: '--scenario', description: 'the schema of scenarios instead' },
  ],
  forPrograms: () => true,
  async run(io, _, options) {
    io.stdout(`${JSON.stringify(await schemaOf(options), null, 2)}\n`);
    return EXIT.done;
  },
};

async function schemaOf(options: OptionValues): Promise<object> {
  if (options['template'] === true) return templateJsonSchema();
  if (options['scenario'] !== true) return specJsonSchema();
  // The steps load what signs transactions.
  const { scenarioJsonSchema } = await import('../../scenario/read/schema.ts');
  return scenarioJsonSchema();
}
