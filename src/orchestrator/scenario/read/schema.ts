import { jsonSchemaOf } from '../../spec/schema/json-schema.ts';
import { specJsonSchema } from '../../spec/schema/spec.ts';
import { scenarioSchema } from '../scenario.ts';
import { STEPS } from './step-kinds.ts';

/** The schema of scenarios for editors, JSON Schema draft 7: the outer shape, the spec and every kind of step. */
export function scenarioJsonSchema(): object {
  const outer = jsonSchemaOf(scenarioSchema);
  const steps = { type: 'array', minItems: 1, items: { $ref: '#/definitions/step' } };
  return {
    ...outer,
    title: 'rollup-devnet scenario',
    properties: { ...outer.properties, devnet: { anyOf: [{ type: 'string' }, specJsonSchema()] }, steps },
    definitions: {
      step: {
        oneOf: STEPS.map(({ name, summary, schema, inner }) => ({
          type: 'object',
          description: summary,
          properties: { [name]: inner?.length === 0 ? steps : jsonSchemaOf(schema) },
          required: [name],
          additionalProperties: false,
        })),
      },
    },
  };
}
