import { expect, it } from 'vitest';
import { numberOf, scenarioSchema } from '../../../src/orchestrator/scenario/scenario.ts';
import { checkShape } from '../../../src/orchestrator/spec/text/issues.ts';
import { parseYaml, plainOf } from '../../../src/orchestrator/spec/text/yaml.ts';

/** Reads the outer shape of a scenario: what it says, and its problems as `path: allowed`. */
function shapeOf(text: string) {
  const { layer } = parseYaml({ name: 'a.yaml', text });
  const { output, problems } = checkShape(plainOf(layer!), [layer!], scenarioSchema);
  return { output, problems: problems.map(({ path, allowed }) => [path, allowed]) };
}
const STEPS = 'steps: [{ wait: ready }]';
const DEVNET = 'a spec, or its name in devnets/, or its path';

it('a scenario has version 1 and a devnet of its own without more', () => {
  expect(shapeOf(STEPS)).toEqual({ output: { version: 1, devnet: {}, steps: [{ wait: 'ready' }] }, problems: [] });
});

it.each([
  'version: 1',
  'name: a-b',
  'seed: 0',
  'seed: 9007199254740991',
  'devnet: two-chains',
  'devnet: { l1: { blockTime: 4 } }',
])('a scenario may say %s', (line) => {
  expect(shapeOf(`${line}\n${STEPS}`).problems).toEqual([]);
});

it.each<[string, string, unknown]>([
  ['version: 2', 'version', '1'],
  ['name: A b', 'name', expect.stringContaining('lower-case letters')],
  ['seed: -1', 'seed', expect.anything()],
  ['seed: 9007199254740992', 'seed', expect.anything()],
  ['devnet: 5', 'devnet', DEVNET],
  ['devnet: [a]', 'devnet', DEVNET],
  ['step: 1', 'step', 'devnet, name, seed, steps, version'],
])('a scenario may not say %s', (line, path, allowed) => {
  expect(shapeOf(`${line}\n${STEPS}`).problems).toEqual([[path, allowed]]);
});

it.each([
  ['steps: []', 'at least one step'],
  ['steps: 5', 'a list of steps'],
  ['steps: { wait: ready }', 'a list of steps'],
  [`steps: [${'1, '.repeat(1000)}1]`, 'at most 1000 steps'],
])('a scenario has one to a thousand steps: %.20s', (text, allowed) => {
  expect(shapeOf(text).problems).toEqual([['steps', allowed]]);
  expect(shapeOf(`steps: [${'1, '.repeat(999)}1]`).problems).toEqual([]);
});

it.each([
  [['steps', 0], '1'],
  [['steps', 3, 'repeat', 'steps', 1], '4.2'],
  [['steps', 3, 'parallel', 0, 'repeat', 'steps', 12], '4.1.13'],
  [[], ''],
])('the number of the step at %j is %s', (path, number) => {
  expect(numberOf({ path })).toBe(number);
});
