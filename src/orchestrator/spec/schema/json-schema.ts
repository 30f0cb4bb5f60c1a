import * as z from 'zod/mini';
import type { Path } from './json.ts';

/** The keys of a JSON schema that this package reads. */
export interface JsonSchema {
  readonly description?: string;
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
}

const converted = new WeakMap<z.ZodMiniType, JsonSchema>();

/** Converts a schema to JSON Schema draft 7, once. */
export function jsonSchemaOf(schema: z.ZodMiniType): JsonSchema {
  const existing = converted.get(schema);
  if (existing !== undefined) return existing;
  const jsonSchema = z.toJSONSchema(schema, { target: 'draft-07', io: 'input', unrepresentable: 'any' }) as JsonSchema;
  converted.set(schema, jsonSchema);
  return jsonSchema;
}

/** Lists the keys that a schema knows at a path. */
export function keysOf(schema: z.ZodMiniType, path: Path): readonly string[] {
  return keysIn(schemasAt(jsonSchemaOf(schema), path));
}

/** Returns the schemas of a value at a path; none if no value can be there. */
export function schemasAt(schema: JsonSchema, path: Path): readonly JsonSchema[] {
  let open: readonly JsonSchema[] = [schema];
  for (const part of path) open = open.flatMap(branches).flatMap((one) => child(one, part) ?? []);
  return open;
}

/** Lists the keys of objects that schemas allow. */
export function keysIn(schemas: readonly JsonSchema[]): readonly string[] {
  return [...new Set(schemas.flatMap(branches).flatMap(({ properties }) => Object.keys(properties ?? {})))].sort();
}

/** Returns the alternatives of a schema. */
export function branches(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(branches);
}

function child({ properties, additionalProperties, items }: JsonSchema, part: string | number): JsonSchema | undefined {
  if (typeof part === 'number') return items;
  const property = properties !== undefined && Object.hasOwn(properties, part) ? properties[part] : undefined;
  return property ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
}
