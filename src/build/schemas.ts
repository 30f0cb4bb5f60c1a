import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scenarioJsonSchema } from '../orchestrator/scenario/read/schema.ts';
import { specJsonSchema } from '../orchestrator/spec/schema/spec.ts';
import { templateJsonSchema } from '../orchestrator/template/schema.ts';

/** Writes the JSON schemas that the first lines of the samples name, for editors. */
export function writeSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const schemas = { spec: specJsonSchema(), scenario: scenarioJsonSchema(), template: templateJsonSchema() };
  for (const [name, schema] of Object.entries(schemas))
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(schema)}\n`);
}
