import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REFERENCES, referencesFor } from '../../../src/orchestrator/template/references.ts';
import { templateJsonSchema } from '../../../src/orchestrator/template/schema.ts';
import { root } from '../package.ts';

const FILE = join(root, 'docs', 'templates.md');

interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

const cell = (text: string) => text.replaceAll('|', '\\|');

/** The rows of every described key below a schema: path, whether it must be given, what it is. */
function rows(schema: Schema, path = ''): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap((one) => rows(one, path));
  if (schema.items) return rows(schema.items, path === '' ? '' : `${path}[]`);
  const lines = Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const here = path === '' ? name : `${path}.${name}`;
    const must = schema.required?.includes(name) ? 'yes' : '';
    const line = value.description === undefined ? [] : [`| \`${here}\` | ${must} | ${cell(value.description)} |`];
    return [...line, ...rows(value, here)];
  });
  const others = schema.additionalProperties;
  return typeof others === 'object' ? [...lines, ...rows(others, `${path}.NAME`)] : lines;
}

/** Rows that would repeat those of `args`, `ready` and `forks.override`. */
const REPEATED = /^\| `(sequencer\.|verifier\.|live\[|forks\.(?!override))/;

const KEYS = [...new Set(rows(templateJsonSchema() as Schema))].filter((row) => !REPEATED.test(row));

/** Every kind has a task. */
const KINDS = REFERENCES.task.kinds;
const TABLE = Object.entries(REFERENCES).map(([name, rule]) => {
  const kinds = rule.kinds === KINDS ? 'all' : rule.kinds.join(', ');
  const secret = 'secret' in rule ? ' (secret: for `env` only)' : '';
  return `| \`\${${name}}\` | ${kinds} | ${cell(rule.description)}${secret} |`;
});

/** The page with its tables made anew. */
function page(text: string): string {
  const tables = { keys: KEYS, references: TABLE };
  return Object.entries(tables).reduce(
    (rest, [name, lines]) =>
      rest.replace(
        new RegExp(`(<!-- ${name} -->\\n\\n\\|.*\\n\\|.*\\n)[\\s\\S]*?(\\n<!-- /${name} -->)`),
        (_, before: string, after: string) => `${before}${lines.join('\n')}\n${after}`,
      ),
    text,
  );
}

describe('the page about templates', () => {
  it('has every key and every reference with its meaning (written by UPDATE=1)', () => {
    const text = readFileSync(FILE, 'utf8');
    if (process.env['UPDATE']) writeFileSync(FILE, page(text));
    expect(readFileSync(FILE, 'utf8')).toBe(page(text));
  });

  it('the schema describes every key but those that are named alike', () => {
    const undescribed = (schema: Schema, path: string): string[] => [
      ...(schema.anyOf ?? []).flatMap((one) => undescribed(one, path)),
      ...(schema.items ? undescribed(schema.items, `${path}[]`) : []),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, value]) => [
        ...(value.description === undefined ? [`${path}.${name}`] : []),
        ...undescribed(value, `${path}.${name}`),
      ]),
    ];
    const open = undescribed(templateJsonSchema() as Schema, '').filter(
      (path) => !/^\.(needs|forks|omit)\./.test(path),
    );
    expect(open).toEqual([]);
  });

  it('a client of each kind may make the references of its rows', () => {
    for (const kind of KINDS) {
      const ofKind = Object.entries(REFERENCES).filter(([, { kinds }]) => (kinds as readonly string[]).includes(kind));
      expect(referencesFor(kind, [])).toEqual(ofKind.map(([name]) => name));
    }
  });
});
