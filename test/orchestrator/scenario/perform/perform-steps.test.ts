import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { performSteps, type Script } from '../../../../src/orchestrator/scenario/perform/perform-steps.ts';
import { defineStep, type ReadStep, type Run, type StepKind } from '../../../../src/orchestrator/scenario/step.ts';
import type { Io } from '../../../../src/orchestrator/terminal/io.ts';
import { Failure } from '../../../../src/system/failure.ts';
import { fixturePlan } from '../../supervisor/fixture-plan.ts';
import { type ServedDevnet, servedDevnet } from '../served-devnet.ts';

let devnet: ServedDevnet;
const lines: string[] = [];
beforeEach(async () => {
  lines.length = 0;
  devnet = await servedDevnet();
});
afterEach(() => devnet[Symbol.asyncDispose]());

/** A kind of step that does what the test says. Its value is a text. */
const kindOf = (run: (value: string, context: Run) => Promise<Record<string, unknown>>): StepKind =>
  defineStep({ name: 'act', summary: '', schema: z.string(), run });
const stepOf = (index: number, kind: StepKind, value = '', as?: string): ReadStep => ({
  ...{ kind, value, path: ['steps', index], line: index + 3, text: `act ${index}`, as, inner: [] },
});
const pass = kindOf(async (value) => ({ value }));
const fail = kindOf(() => Promise.reject(new Error('not so')));

/** Runs steps on the devnet, until it ends. */
function perform(
  steps: readonly ReadStep[],
  more: Partial<Script> = {},
  networkEnd: Promise<unknown> = new Promise(() => undefined),
  terminal: Partial<Io> = {},
) {
  const io = {
    ...{ stdout: () => undefined, env: { DEVNET_HOME: devnet.home }, cwd: '/work', isTty: false, ...terminal },
    stderr: (text: string) => void lines.push(text),
  };
  const script = { scenario: { steps }, source: { name: 'a.yaml', text: '' }, seed: 7, ...more };
  return performSteps(io, script, { plan: fixturePlan('/home', 'one', [{ port: 1 }]), networkEnd });
}
const skipped = (index: number) => ({
  ...{ number: String(index + 1), step: `act ${index}`, status: 'skipped', seconds: 0, evidence: {} },
  at: `a.yaml:${index + 3}`,
});

describe('the steps of a scenario', () => {
  it('run one after another, with what earlier ones found', async () => {
    const results = await perform([stepOf(0, pass, 'x', 'one'), stepOf(1, pass, 'y ${one.value}')]);
    expect(results).toEqual([
      ...['x', 'y x'].map((value, index) => ({
        ...{ number: String(index + 1), step: `act ${index}`, status: 'passed', evidence: { value } },
        ...{ at: `a.yaml:${index + 3}`, seconds: expect.any(Number) },
      })),
    ]);
    expect(lines.map((line) => line.replace(/\s+\(.*\)/, ''))).toEqual([
      'passed   1/2  act 0\n',
      'passed   2/2  act 1\n',
    ]);
  });

  it('are skipped after one that fails, and each has a line', async () => {
    const results = await perform([stepOf(0, pass), stepOf(1, fail), stepOf(2, pass), stepOf(3, pass)]);
    expect(results.map(({ status }) => status)).toEqual(['passed', 'failed', 'skipped', 'skipped']);
    expect(results[1]).toMatchObject({ evidence: { error: 'not so', phase: 'ready' }, at: 'a.yaml:4' });
    expect(results.slice(2)).toEqual([skipped(2), skipped(3)]);
    expect(lines.slice(-2)).toEqual(['skipped  3/4  act 2\n', 'skipped  4/4  act 3\n']);
  });

  it('have lines that fit the terminal of stderr', async () => {
    const never = new Promise(() => undefined);
    const wide = { ...stepOf(0, fail), text: 'act with more words than fit into a line' };
    const columns = (stream: string) => (stream === 'stderr' ? 40 : undefined);
    await perform([wide, { ...wide, path: ['steps', 1] }], {}, never, { columns });
    const rows = lines.flatMap((line) => line.split('\n'));
    expect(rows.filter((row) => row.length > 40)).toEqual([]);
    expect(rows.filter((row) => row.startsWith('skipped'))).toHaveLength(1);
  });

  it('know the devnet, the seed, and the folder of their file', async () => {
    const contexts: unknown[] = [];
    const look = kindOf(async (_, { name, seed, folder, time, plan }) => {
      contexts.push([name, seed, folder, time.kind, plan().devnet]);
      return {};
    });
    await perform([stepOf(0, look)]);
    await perform([stepOf(0, look)], { source: { name: 'a.yaml', text: '', path: '/far/off/a.yaml' }, seed: 8 });
    expect(contexts).toEqual([
      ['one', 7, '/work', 'wall', 'one'],
      ['one', 8, '/far/off', 'wall', 'one'],
    ]);
  });

  it('fail when the network ends while they run, and are ended', async () => {
    const end = Promise.withResolvers<void>();
    let reason: unknown;
    const hang = kindOf((_, { signal }) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
      });
      end.resolve();
      return new Promise(() => undefined);
    });
    const results = await perform([stepOf(0, hang), stepOf(1, pass)], {}, end.promise);
    expect(results).toEqual([
      {
        ...{ number: '1', step: 'act 0', status: 'failed', at: 'a.yaml:3', seconds: expect.any(Number) },
        evidence: { error: 'the network ended while this step ran' },
      },
      skipped(1),
    ]);
    expect(reason).toEqual(new Error('the network has ended'));
  });

  // The state of the network is not read after a step within one that fails: its result is there before the end.
  it.each([new Error('connection refused'), new Failure('inner', 'a step failed')])(
    'that fail while the network ends fail with its end: %s',
    async (error) => {
      const end = Promise.withResolvers<void>();
      const cut = kindOf(() => {
        devnet.become({ phase: 'stopping' });
        setImmediate(() => end.resolve());
        return Promise.reject(error);
      });
      const results = await perform([stepOf(0, cut)], {}, end.promise);
      expect(results).toMatchObject([
        { status: 'failed', evidence: { error: 'the network ended while this step ran' } },
      ]);
    },
  );

  it('that pass while the network ends have passed', async () => {
    const last = kindOf(async () => {
      devnet.become({ phase: 'stopping' });
      return { done: true };
    });
    expect(await perform([stepOf(0, last)])).toMatchObject([{ status: 'passed', evidence: { done: true } }]);
  });
});
