import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { log } from '../../../../src/orchestrator/scenario/expect/log.ts';
import { fixturePlan, temporaryHome } from '../../supervisor/fixture-plan.ts';
import { scriptedRun } from '../scripted-run.ts';

const home = temporaryHome();
afterAll(() => home[Symbol.dispose]());
const plan = fixturePlan(home.home, 'one', [{ port: 1 }, { port: 2 }]);
for (const { id, log: path } of plan.tasks) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `started\nlvl=info of=${id}\n${'x'.repeat(600)} long\n`);
}
const look = async (of: string, matches: string) =>
  (await log.begin({ of, matches }, { ...scriptedRun(), plan: () => plan }))();

it.each([
  ['node-0', 'of=', 'lvl=info of=main/node-0/el'],
  ['node-1.el', '^lvl=info', 'lvl=info of=main/node-1/el'],
  ['main/node-1/el', 'node-1', 'lvl=info of=main/node-1/el'],
  ['node-0', 'start(ed|s)', 'started'],
  ['node-0', 'long$', 'x'.repeat(500)],
])('the expectation of a log of %s holds for /%s/ with the first line that matches', async (of, matches, line) => {
  expect(await look(of, matches)).toEqual({ holds: true, evidence: { line } });
});

it('the expectation of a log fails when a reference gave it what is no regular expression', async () => {
  await expect(look('node-0', '(')).rejects.toThrow('Invalid regular expression: /(/');
});

it('the expectation of a log does not hold when no line matches, and names the processes', async () => {
  expect(await look('node-0', 'of=main/node-1')).toEqual({
    holds: false,
    because: 'no line of main/node-0/el matches of=main/node-1',
  });
});
