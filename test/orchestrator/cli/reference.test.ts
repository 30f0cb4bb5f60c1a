import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CommandDefinition } from '../../../src/orchestrator/cli/input/command.ts';
import { inGroups } from '../../../src/orchestrator/cli/overview.ts';
import { COMMANDS } from '../../../src/orchestrator/cli/registry.ts';
import { branches, type JsonSchema } from '../../../src/orchestrator/spec/schema/json-schema.ts';
import { specJsonSchema } from '../../../src/orchestrator/spec/schema/spec.ts';
import { root } from '../package.ts';

/** Formats a text as a cell of a table, its parts one below the other. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('; ', '<br>');
const code = (text: string) => `\`${cell(text)}\``;
const sentence = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;

it('the page of the commands has them all: `vitest -u` writes it', async () => {
  const all = await Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command));
  const rows = (entries: readonly (readonly [string, string])[]) =>
    entries.length === 0
      ? []
      : ['', '| | |', '|---|---|', ...entries.map(([name, text]) => `| ${code(name)} | ${cell(text)} |`)];
  const section = ({ name, summary, examples, exits = {}, arguments: words, options }: CommandDefinition) =>
    [
      `### devnet ${name}`,
      '',
      `${sentence(summary)}.`,
      ...rows([
        ...words.map(({ syntax, description }) => [syntax, description] as const),
        ...options.map(({ flags, description, choices = [], default: value }) => {
          const allowed = choices.length === 0 ? '' : `. One of ${choices.join(', ')}`;
          const usual = value === undefined || value === false ? '' : `. Default: ${String(value)}`;
          return [flags, `${description}${allowed}${usual}`] as const;
        }),
        ...Object.entries(exits).map(([exit, text]) => [`exit code ${exit}`, text] as const),
      ]),
      '',
      ...examples.map((line) => `    ${line}`),
    ].join('\n');
  const sections = inGroups(all).flatMap(({ title, commands }) => [`## ${sentence(title)}`, ...commands.map(section)]);
  const page = `# Commands

\`devnet COMMAND --help\` prints the same. The meaning of an exit code stands here where it is more than
[that of all commands](errors.md).

${sections.join('\n\n')}
`;
  await expect(page).toMatchFileSnapshot(join(root, 'docs/reference/commands.md'));
});

/** Lists the keys below a schema, those of alternatives once. */
function keysBelow(schema: JsonSchema, before: string): readonly (readonly [string, JsonSchema])[] {
  const keys = branches(schema).flatMap(({ properties = {}, additionalProperties, items }) => [
    ...Object.entries(properties).flatMap(([key, value]) => {
      const path = before === '' ? key : `${before}.${key}`;
      return [[path, value] as const, ...keysBelow(value, path)];
    }),
    ...(typeof additionalProperties === 'object' ? keysBelow(additionalProperties, `${before}.NAME`) : []),
    ...(items === undefined ? [] : keysBelow(items, `${before}[]`)),
  ]);
  return [...new Map(keys.map(([path, value]) => [path, [path, value] as const])).values()];
}

function values(schema: JsonSchema): string {
  const words = branches(schema).map(({ type, enum: choices, const: only, minimum, maximum }) => {
    if (choices !== undefined) return choices.map(String).join(', ');
    if (only !== undefined) return String(only);
    const low = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? '' : ` from ${minimum}`;
    const high = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`;
    return type === undefined ? 'any' : `${type === 'null' ? 'nothing' : type}${low}${high}`;
  });
  return [...new Set(words)].join(', ').replaceAll('object', 'map').replaceAll('array', 'list');
}

function described(schema: JsonSchema): string {
  return schema.description ?? branches(schema).find(({ description }) => description !== undefined)?.description ?? '';
}

it('the page of the spec has all its keys: `vitest -u` writes it', async () => {
  const all = keysBelow(specJsonSchema(), '');
  const tops = [...new Set(all.map(([path]) => path.split('.')[0] ?? ''))];
  const isProcess = (path: string) =>
    /^(l1|l1\.beacon|chains\.NAME\.(batcher|proposer|nodes\.NAME\.(el|cl)))$/.test(path);
  // The keys of a process are the same ones everywhere.
  const shared = new Set(['runtime', 'binary', 'image', 'limits', 'launch', 'args', 'env', 'ports', 'omit', 'client']);
  const isShared = (path: string) => {
    const parts = path.split('.');
    const at = parts.findIndex((part, index) => isProcess(parts.slice(0, index).join('.')) && shared.has(part));
    return at > 0 && !path.startsWith('chains.NAME.nodes.NAME.cl.');
  };
  const row = ([path, schema]: readonly [string, JsonSchema]) => {
    const usual = schema.default === undefined ? '' : JSON.stringify(schema.default);
    const defaultText = usual.length > 60 ? 'a map' : usual === '' ? '' : code(usual);
    return `| ${code(path)} | ${cell(values(schema))} | ${defaultText} | ${cell(described(schema))} |`;
  };
  const table = (some: typeof all) => ['| key | values | default | meaning |', '|---|---|---|---|', ...some.map(row)];
  const big = ['l1', 'chains'];
  const keysOf = (top: readonly string[]) =>
    all.filter(([path]) => top.includes(path.split('.')[0] ?? '') && !isShared(path));
  const sections = [
    ['The network', tops.filter((top) => !big.includes(top))] as const,
    ['L1', ['l1']] as const,
    ['Rollups', ['chains']] as const,
  ].map(([title, some]) => [`## ${title}`, '', ...table(keysOf(some))].join('\n'));
  const page = `# The spec

\`{}\` is a valid spec: every key has a default. \`devnet explain KEY\` prints the same, \`devnet schema\` prints the
JSON schema, and \`devnet spec\` a spec with all defaults. \`NAME\` stands for a name of yours, \`[]\` for each item
of a list.

\`l1\`, \`l1.beacon\`, \`batcher\`, \`proposer\` and \`el\` have keys that stand under
\`chains.NAME.nodes.NAME.cl\` alone:
${[...shared].map(code).join(', ')}.
A client's name alone stands for the whole map of a process.

${sections.join('\n\n')}
`;
  await expect(page).toMatchFileSnapshot(join(root, 'docs/reference/spec.md'));
});
