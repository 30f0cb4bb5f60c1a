import { HttpRequestError, UnknownRpcError } from 'viem';
import { expect, it } from 'vitest';
import { main } from '../../../src/orchestrator/cli/cli.ts';
import { noAnswer } from '../../../src/orchestrator/devnet/no-answer.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { refusedBy, TransportError } from '../../../src/rpc/client/client.ts';
import { Failure } from '../../../src/system/failure.ts';
import { plannedDevnet } from '../scenario/planned-devnet.ts';

const URL = 'http://user:secret@127.0.0.1:1';
const silent = new TransportError(URL, 'connect ECONNREFUSED');
const about = (program?: string) => ({ programAt: () => program });

it.each<[string, unknown, string | undefined, string]>([
  [
    'an error of the client, with the program that has the address',
    silent,
    'main/v/el',
    'no answer from main/v/el at http://127.0.0.1:1: connect ECONNREFUSED',
  ],
  ['an address of no program', silent, undefined, 'no answer from http://127.0.0.1:1: connect ECONNREFUSED'],
  [
    'an error of viem',
    new UnknownRpcError(silent),
    undefined,
    'no answer from http://127.0.0.1:1: connect ECONNREFUSED',
  ],
  [
    'an HTTP error',
    refusedBy(URL, { status: 413, date: undefined, words: 'too large' }),
    'l1',
    'no answer from l1 at http://127.0.0.1:1: HTTP 413: too large',
  ],
])('the failure of a request without an answer names %s', (_, error, program, message) => {
  const failure = noAnswer(error, about(program));
  expect(failure).toMatchObject({
    code: 'no-answer',
    exit: 1,
    message,
    hint: expect.stringContaining('devnet status'),
  });
  expect(failure!.data).toEqual({ url: 'http://127.0.0.1:1', ...(program && { program }) });
});

it.each([
  ['a failure, also one that comes of it', new Failure('late', 'not in time', { cause: silent })],
  ['an error of another kind', new HttpRequestError({ url: URL })],
  ['no error', 'words'],
])('%s stays as it is', (_, error) => expect(noAnswer(error, about())).toBeUndefined());

/** Gives each port of a plan a low number, at which nothing listens. */
function withoutListeners(plan: Plan): Plan {
  const ports = [...new Set(plan.tasks.flatMap(({ ports }) => ports.map(({ port }) => port)))];
  const text = ports.reduce(
    (before, port, index) => before.replace(new RegExp(`(:${port})\\b`, 'g'), `:${index + 1}`),
    JSON.stringify(plan),
  );
  return JSON.parse(text) as Plan;
}

const TO = `0x${'11'.repeat(20)}`;

// Commands call L1 by its gate.
it.each([
  [`deposit ${TO} 1ether`, 'l1-beacon'],
  [`withdraw ${TO} 1ether`, 'l1-beacon'],
  [`fund ${TO} 1ether`, 'l1-beacon'],
  ['load --count 1', 'l1-beacon'],
  [`tx 0x${'22'.repeat(32)}`, 'main/sequencer/el'],
  ['block latest', 'main/sequencer/el'],
])('`devnet %s` names the process that does not answer', async (words, program) => {
  await using devnet = await plannedDevnet('', withoutListeners);
  const said: string[] = [];
  const code = await main([...words.split(' '), '--name', 'planned'], {
    stdout: () => {},
    stderr: (text) => void said.push(text),
    env: { DEVNET_HOME: devnet.home },
    cwd: devnet.home,
    isTty: false,
  });
  const [line, ...more] = said.join('').split('\n');
  expect(line).toMatch(
    new RegExp(`^devnet: no answer from ${program} at http://127\\.0\\.0\\.1:\\d+: connect ECONNREFUSED`),
  );
  expect(more.slice(0, 2)).toEqual([
    '  run `devnet status` to see whether it runs',
    '  error code no-answer: `devnet explain no-answer`',
  ]);
  expect(code).toBe(1);
});
