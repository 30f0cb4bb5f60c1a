import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GROUPS } from '../../../src/orchestrator/cli/input/command.ts';
import { COMMANDS } from '../../../src/orchestrator/cli/registry.ts';
import * as expectations from '../../../src/orchestrator/scenario/expectation-registry.ts';
import { readScenario } from '../../../src/orchestrator/scenario/read/read.ts';
import { scenarioJsonSchema } from '../../../src/orchestrator/scenario/read/schema.ts';
import { STEPS } from '../../../src/orchestrator/scenario/read/step-kinds.ts';
import * as steps from '../../../src/orchestrator/scenario/read/step-registry.ts';
import { keysOf } from '../../../src/orchestrator/spec/schema/json-schema.ts';
import { renderProblems } from '../../../src/orchestrator/spec/text/problem.ts';
import { root } from '../package.ts';

const page = readFileSync(join(root, 'docs', 'scenarios.md'), 'utf8');
const examples = [...page.matchAll(/```yaml\n(.*?)```/gs)].map((match) => match[1] as string);

it('a step and a condition have the name of their file', () => {
  for (const registry of [steps, expectations])
    expect(Object.values(registry).map(({ name }) => name)).toEqual(Object.keys(registry));
});

describe('the page of scenarios', () => {
  it('has examples that parse', () => {
    const texts = examples.map((text) => (/^steps:/m.test(text) ? text : `steps:\n${text.replace(/^/gm, '  ')}`));
    for (const text of texts)
      expect(renderProblems(readScenario({ name: 'scenarios.md', text }, 'example').problems)).toBe('');
  });

  it.each(STEPS)('describes $name and all its keys', ({ name, schema }) => {
    const section = page.split(/^## /m).find((part) => part.startsWith(`${name}\n`)) ?? '';
    expect(section).toContain(`- ${name}:`);
    for (const key of keysOf(schema, [])) expect(section).toMatch(new RegExp(`\\b${key}\\b`));
  });
});

describe('the scenarios of the package', () => {
  const folder = join(root, 'devnets', 'scenarios');
  it.each(readdirSync(folder))('%s parses', (file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const { scenario, problems } = readScenario({ name: file, text }, 'scenario');
    expect(renderProblems(problems)).toBe('');
    expect(`${scenario?.name}.yaml`).toBe(file);
  });
});

/** Groups of commands that change a network. */
const CHANGES: readonly (typeof GROUPS)[number][] = ['change a network', 'send transactions'];

/** The step `pause` ends after a time: it needs no `resume`. */
const NO_STEPS = ['resume'];

it('each command that changes a network is a step', async () => {
  const commands = await Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command));
  const changing = commands.filter(({ group }) => CHANGES.includes(group)).map(({ name }) => name.split(' ')[0]!);
  const names = STEPS.map(({ name }) => name);
  expect(changing).toContain('warp');
  expect(changing.filter((name) => !names.includes(name) && !NO_STEPS.includes(name))).toEqual([]);
});

it('a step whose values have a name takes only a name that references can have', () => {
  const schema = JSON.stringify(scenarioJsonSchema());
  const patterns = [...schema.matchAll(/"as":\{"type":"string","pattern":("[^"]*")/g)].map(([, text]) =>
    JSON.parse(text!),
  );
  expect(patterns).toEqual(STEPS.filter(({ gives }) => gives.length > 0).map(() => '^[A-Za-z_]\\w{0,38}$'));
});

it('the JSON schema holds every kind of step', () => {
  const { definitions } = JSON.parse(JSON.stringify(scenarioJsonSchema())) as {
    definitions: { step: { oneOf: { required: string[] }[] } };
  };
  expect(definitions.step.oneOf.map(({ required }) => required)).toEqual(STEPS.map(({ name }) => [name]));
});
