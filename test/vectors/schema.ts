// biome-ignore-all lint/suspicious/noExplicitAny: a schema is any JSON
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The OpenRPC documents of execution-apis: result schemas by method, and the schemas that they refer to. */
export interface Documents {
  readonly results: ReadonlyMap<string, any>;
  readonly schemas: ReadonlyMap<string, any>;
}

/** Reads `src` of a clone of execution-apis. */
export function readDocuments(folder: string): Documents {
  const results = new Map<string, any>();
  const schemas = new Map<string, any>();
  for (const file of readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.yaml') || file.startsWith('engine') || file.startsWith('error-groups')) continue;
    const content = parse(readFileSync(join(folder, 'src', file), 'utf8'));
    if (Array.isArray(content)) for (const { name, result } of content) results.set(name, result?.schema);
    else for (const [name, schema] of Object.entries(content)) schemas.set(name, schema);
  }
  return { results, schemas };
}

/** Returns the part of a value that a JSON schema does not allow. undefined: all of it is allowed. */
export function problem(value: any, schema: any, documents: Documents, path = 'result'): string | undefined {
  if (schema === undefined || schema === true) return undefined;
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1);
    return problem(value, documents.schemas.get(name), documents, path);
  }
  const all = (schema.allOf ?? []).map((one: any) => problem(value, one, documents, path)).find(Boolean);
  if (all !== undefined) return all;
  for (const any of [schema.oneOf, schema.anyOf].filter(Boolean)) {
    const problems = any.map((one: any) => problem(value, one, documents, path));
    if (problems.every(Boolean)) return longest(problems);
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) return `${path}: ${value} is none of ${schema.enum}`;
  if (schema.const !== undefined && schema.const !== value) return `${path}: ${value} is not ${schema.const}`;
  return typed(value, schema, documents, path);
}

/** Returns the deepest problem: that of the alternative that nearly fits. */
function longest(problems: string[]): string {
  return problems.sort((left, right) => right.split(':')[0]!.length - left.split(':')[0]!.length)[0]!;
}

function typed(value: any, schema: any, documents: Documents, path: string): string | undefined {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const allowed = schema.type === undefined ? undefined : [schema.type].flat();
  const fits = allowed === undefined || allowed.includes(type) || (type === 'number' && allowed.includes('integer'));
  if (!fits) return `${path}: ${type}, expected ${allowed}`;
  if (type === 'string' && schema.pattern !== undefined && !new RegExp(schema.pattern).test(value))
    return `${path}: ${String(value).slice(0, 80)} does not match ${schema.pattern}`;
  if (type === 'array')
    return value.map((item: any, at: number) => problem(item, schema.items, documents, `${path}[${at}]`)).find(Boolean);
  if (type !== 'object') return undefined;
  const missing = (schema.required ?? []).find((name: string) => !(name in value));
  if (missing !== undefined) return `${path}.${missing}: missing`;
  for (const [name, item] of Object.entries(value)) {
    const inner = schema.properties?.[name] ?? byPattern(name, schema.patternProperties) ?? schema.additionalProperties;
    if (inner === false) return `${path}.${name}: not in the schema`;
    const fault = problem(item, inner, documents, `${path}.${name}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function byPattern(name: string, patterns: Record<string, any> = {}): any {
  return Object.entries(patterns).find(([pattern]) => new RegExp(pattern).test(name))?.[1];
}
