import { describe, expect, it } from 'vitest';
import { failureLines, resultLines, stepLines } from '../../../../src/orchestrator/scenario/perform/lines.ts';
import type { ScenarioResult } from '../../../../src/orchestrator/scenario/result.ts';
import type { StepResult } from '../../../../src/orchestrator/scenario/step.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const step = (more: Partial<StepResult> = {}): StepResult => ({
  ...{ number: '3', step: 'wait block:4', status: 'passed', seconds: 1.5, evidence: {}, at: 'a.yaml:7' },
  ...more,
});
const failed = (evidence: Record<string, unknown>) => failureLines(step({ status: 'failed', evidence }));

describe('the line of a step', () => {
  it.each<[Partial<StepResult>, string]>([
    [{}, 'passed    3/12  wait block:4  (1.5 s)'],
    [{ number: '12' }, 'passed   12/12  wait block:4  (1.5 s)'],
    [{ status: 'skipped' }, 'skipped   3/12  wait block:4'],
  ])('holds its outcome and its place: %j', (more, line) => {
    expect(stepLines(step(more), 12)).toEqual([line]);
  });

  it('has what the step found below it when it failed', () => {
    expect(stepLines(step({ status: 'failed', evidence: { error: 'late' } }), 3)).toEqual([
      'FAILED   3/3  wait block:4  (1.5 s)',
      '  a.yaml:7',
      '  late',
    ]);
  });
});

describe('the lines of a step that failed', () => {
  it('hold each line of its error and the hint', () => {
    expect(failed({ error: 'one\ntwo', hint: 'look' })).toEqual(['  a.yaml:7', '  one', '  two', '  look']);
  });

  it('hold the last ten lines that a command printed as errors', () => {
    const lines = Array.from({ length: 12 }, (_, at) => `line ${at}`);
    expect(failed({ error: 'e', stderr: lines.join('\n') }).slice(2)).toEqual(
      lines.slice(2).map((line) => `  | ${line}`),
    );
    for (const stderr of ['', 5]) expect(failed({ error: 'e', stderr })).toEqual(['  a.yaml:7', '  e']);
  });

  it('hold the heads and phases of every node', () => {
    const unsafe = { number: 9, hash: HASH };
    const up = { node: 'main/a', el: 'running', cl: 'running', unsafe, safe: 7, finalized: 0 };
    const nodes = [
      up,
      { ...up, node: 'main/b', el: 'running', cl: 'exited', safe: null, finalized: null },
      { ...up, node: 'main/c', unsafe: null },
      { ...up, node: 'main/d', unsafe: null, unanswered: 'refused' },
      'none',
    ];
    expect(failed({ error: 'e', nodes }).slice(2)).toEqual([
      '  main/a               running    unsafe 9 0xabababab…  safe 7  finalized 0',
      '  main/b               el running, cl exited unsafe 9 0xabababab…  safe -  finalized -',
      '  main/c               running    does not answer',
      '  main/d               running    does not answer (refused)',
      '',
    ]);
    expect(failed({ error: 'e', nodes: 'none' })).toHaveLength(2);
  });

  it('hold each problem that the error does not name', () => {
    const problem = { subject: 'main/a/cl', what: 'stands at block 4', because: null };
    const known = { ...problem, because: 'no peers' };
    expect(failed({ error: 'e', problems: [problem, known, 7] }).slice(2)).toEqual([
      '  PROBLEM  main/a/cl: stands at block 4',
      '  PROBLEM  main/a/cl: stands at block 4 (no peers)',
    ]);
    expect(failed({ error: 'late: main/a/cl stands at block 4', problems: [problem] })).toHaveLength(2);
    expect(failed({ error: 'late: no peers', problems: [known] })).toHaveLength(2);
    expect(failed({ error: 'null', problems: [problem] })).toHaveLength(3);
    expect(failed({ error: 'e', problems: 'none' })).toHaveLength(2);
  });
});

describe('the lines of a scenario', () => {
  const result: ScenarioResult = {
    ...{
      name: 'drill',
      passed: true,
      seed: 5,
      seconds: 2,
      steps: [step(), step({ status: 'failed' }), step({ status: 'skipped' })],
    },
    heads: { 'main/a': { number: 9, hash: HASH }, 'main/b': null },
  };
  const heads = [`  main/a  block 9  ${HASH}`, '  main/b  does not answer'];

  it('hold its outcome and the head of every node', () => {
    expect(resultLines(result)).toEqual(['drill passed: 1 of 3 steps passed, seed 5, 2 s', ...heads]);
  });

  it('hold what failed while the network was torn down, and the folder of the logs', () => {
    expect(resultLines({ ...result, passed: false, teardown: 'a\nb', folder: '/kept' })).toEqual([
      'drill FAILED: 1 of 3 steps passed, seed 5, 2 s',
      '  FAILED while tearing down: a',
      '  FAILED while tearing down: b',
      ...heads,
      '  logs are kept in /kept',
    ]);
  });
});
