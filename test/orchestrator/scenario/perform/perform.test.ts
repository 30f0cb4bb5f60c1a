import { expect, it } from 'vitest';
import { performer } from '../../../../src/orchestrator/scenario/perform/perform.ts';
import type { ReadStep, StepKind } from '../../../../src/orchestrator/scenario/step.ts';
import { Failure } from '../../../../src/system/failure.ts';
import { temporaryHome } from '../../supervisor/fixture-plan.ts';

const FAILURE = new Failure('answer', 'no block', { hint: 'wait', data: { number: 4 } });

it.each<[string, unknown, boolean, object]>([
  ['a failure', FAILURE, false, { error: 'no block', hint: 'wait', number: 4 }],
  ['a failure within it', new Failure('inner', 'a step failed'), true, { error: 'a step failed' }],
  ['an error', new TypeError('x is undefined'), false, { error: 'x is undefined' }],
  ['an error within it', new TypeError('x is undefined'), true, { error: 'x is undefined' }],
  ['a text', 'away', false, { error: 'away' }],
])('a step that throws %s never throws: its result has failed', async (_, error, hasInner, evidence) => {
  using temporary = temporaryHome();
  const io = { cwd: temporary.home, env: { DEVNET_HOME: temporary.home } };
  const context = { name: 'absent', seed: 1, folder: temporary.home, signal: new AbortController().signal, time: {} };
  const perform = performer(io as never, 'a.yaml', context as never);
  const kind = { run: () => Promise.reject(error), ...(hasInner && { inner: ['steps'] }) } as unknown as StepKind;
  const step: ReadStep = { kind, value: {}, path: ['steps', 2], line: 7, text: 'wait: block:4', as: 'x', inner: [] };
  expect(await perform(step)).toMatchObject({ status: 'failed', at: 'a.yaml:7', step: 'wait: block:4', evidence });
});
