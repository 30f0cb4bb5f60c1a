import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GROUPS } from '../../../src/orchestrator/cli/input/command.ts';
import { COMMANDS } from '../../../src/orchestrator/cli/registry.ts';
import * as expectations from '../../../src/orchestrator/scenario/expectation-registry.ts';
import { junitXml } from '../../../src/orchestrator/scenario/perform/junit.ts';
import { readScenario } from '../../../src/orchestrator/scenario/read/read.ts';
import { resolveReferences } from '../../../src/orchestrator/scenario/read/references.ts';
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

it('the JSON schema holds every kind of step', () => {
  const { definitions } = JSON.parse(JSON.stringify(scenarioJsonSchema())) as {
    definitions: { step: { oneOf: { required: string[] }[] } };
  };
  expect(definitions.step.oneOf.map(({ required }) => required)).toEqual(STEPS.map(({ name }) => [name]));
});

describe('references', () => {
  const values = new Map([['tx', { hash: '0xab', block: 7, logs: [{ topic: 'x' }] }]]);

  it('keep the type of a value that stands alone, and become text within text', () => {
    const value = { a: '${tx.block}', b: ['at ${tx.block} ${tx.hash}'], c: '${tx.logs.0.topic}', d: '${HOME}', e: 1 };
    expect(resolveReferences(value, values)).toEqual({ a: 7, b: ['at 7 0xab'], c: 'x', d: '${HOME}', e: 1 });
  });

  it('fail if a step did not find the value', () => {
    expect(() => resolveReferences('${tx.address}', values)).toThrow('${tx.address} has no value');
    expect(() => resolveReferences('${none.hash}', values)).toThrow('${none.hash} has no value');
  });
});

describe('JUnit XML', () => {
  const result = { name: 'drill', passed: false, seed: 0, seconds: 2, heads: {} };
  const step = (text: string, status: 'passed' | 'failed' | 'skipped', error = '') =>
    ({ number: '1', step: text, status, seconds: 1, at: 'a.yaml:3', evidence: error === '' ? {} : { error } }) as const;

  it('escapes what a step holds', () => {
    const xml = junitXml({ ...result, steps: [step('exec "<a> & \u0007"', 'failed', 'said "<no>"\nthen \ud800')] });
    expect(xml).toContain('name="1 exec &quot;&lt;a&gt; &amp; ·&quot;"');
    expect(xml).toContain('message="said &quot;&lt;no&gt;&quot;&#10;then ·"');
  });

  it('counts each element that it writes', () => {
    const steps = [step('exec a', 'passed'), step('exec b', 'failed', 'exit code 1'), step('exec c', 'skipped')];
    const xml = junitXml({ ...result, steps });
    const counts = 'tests="3" failures="1" errors="0" skipped="1"';
    expect(xml).toMatch(new RegExp(`<testsuites [^>]*${counts}[^>]*>.*<testsuite [^>]*${counts}[^>]*>`, 's'));
    expect(xml.match(/<testcase /g)).toHaveLength(3);
    expect(xml.match(/<failure message="exit code 1" type="step">[^<]*a\.yaml:3[^<]*<\/failure>/g)).toHaveLength(1);
    expect(xml.match(/<skipped\/>/g)).toHaveLength(1);
    expect(xml).not.toContain('<error');
  });

  it('has a failure if the network cannot be torn down after steps that passed', () => {
    const xml = junitXml({ ...result, steps: [step('exec a', 'passed')], teardown: 'main/a/el: "ignores" SIGKILL' });
    expect(xml).toMatch(/<testsuite [^>]*tests="2" failures="1" errors="0" skipped="0"/);
    expect(xml.match(/<testcase name="end of the network"[^>]*><failure message="main\/a\/el: &quot;/g)).toHaveLength(
      1,
    );
    expect(xml).not.toContain('<error');
  });

  it('has an error if the network did not become ready', () => {
    const xml = junitXml({ ...result, steps: [step('exec a', 'skipped')] });
    expect(xml).toMatch(/<testsuite [^>]*tests="2" failures="0" errors="1" skipped="1"/);
    expect(xml.match(/<error message="the network did not become ready/g)).toHaveLength(1);
  });
});
