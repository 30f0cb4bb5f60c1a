import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { Home } from '../e2e/devnet.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 9);
const SEED = Number(process.env['SEED'] ?? 31);
const SCENARIO = join(import.meta.dirname, '..', '..', 'devnets', 'scenarios', 'bad-weather.yaml');

it(`the scenario of bad weather passes for ${ROUNDS} rounds of all its faults`, async () => {
  await using home = new Home();
  const scenario = parseDocument(readFileSync(SCENARIO, 'utf8'));
  scenario.setIn(['steps', 0, 'repeat', 'times'], ROUNDS);
  scenario.set('seed', SEED);
  const file = join(home.folder, 'weather.yaml');
  writeFileSync(file, String(scenario));
  const { code, stdout } = await home.devnet('run', file, '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { passed: true }]);
});
