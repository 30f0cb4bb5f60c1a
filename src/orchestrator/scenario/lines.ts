import { isList, isMap, type Json } from '../spec/json.ts';
import type { ScenarioResult, StepResult } from './result.ts';

const MARKS = { passed: 'passed ', failed: 'FAILED ', skipped: 'skipped' } as const;

/** Formats a step's outcome for people: one line, and what it found where it failed. */
export function stepLines(result: StepResult, number: number, count: number): readonly string[] {
  const { step, status, seconds } = result;
  const place = `${String(number).padStart(String(count).length)}/${count}`;
  const first = `${MARKS[status]}  ${place}  ${step}${status === 'skipped' ? '' : `  (${seconds} s)`}`;
  return status === 'failed' ? [first, ...failureLines(result)] : [first];
}

/** Formats what a failed step found: its place in the file, its error, and the state of every node. */
export function failureLines({ evidence, at }: StepResult): readonly string[] {
  const plain = JSON.parse(JSON.stringify(evidence)) as Json;
  if (!isMap(plain)) return [];
  const { error, hint, nodes, problems, stderr } = plain;
  return [
    `  ${at}`,
    ...String(error)
      .split('\n')
      .map((line) => `  ${line}`),
    ...(hint === undefined ? [] : [`  ${String(hint)}`]),
    ...(typeof stderr === 'string' && stderr !== ''
      ? stderr
          .split('\n')
          .slice(-10)
          .map((line) => `  | ${line}`)
      : []),
    ...(isList(nodes) ? nodes.map(nodeLine) : []),
    ...(isList(problems) ? problems.map(problemText) : []),
  ];
}

function nodeLine(value: Json): string {
  if (!isMap(value)) return '';
  const unsafe = isMap(value['unsafe']) ? value['unsafe'] : undefined;
  const heads =
    unsafe === undefined
      ? `does not answer${value['unanswered'] === undefined ? '' : ` (${String(value['unanswered'])})`}`
      : `unsafe ${String(unsafe['number'])} ${String(unsafe['hash']).slice(0, 10)}…  ` +
        `safe ${String(value['safe'] ?? '-')}  finalized ${String(value['finalized'] ?? '-')}`;
  const phases = [value['el'], value['cl']].map(String);
  const phase = phases[0] === phases[1] ? phases[0] : `el ${phases[0]}, cl ${phases[1]}`;
  return `  ${String(value['node']).padEnd(20)} ${String(phase).padEnd(10)} ${heads}`;
}

function problemText(value: Json): string {
  return isMap(value) ? `  PROBLEM  ${String(value['subject'])}: ${String(value['what'])}` : '';
}

/** Formats the outcome of a scenario for people. */
export function resultLines({ name, passed, seconds, steps, heads, folder, seed }: ScenarioResult): readonly string[] {
  const count = (status: StepResult['status']) => steps.filter((step) => step.status === status).length;
  const heights = Object.entries(heads).map(([node, head]) =>
    head === null ? `  ${node}  does not answer` : `  ${node}  block ${head.number}  ${head.hash}`,
  );
  const parts = [`${count('passed')} of ${steps.length} steps passed`, `seed ${seed}`, `${seconds} s`];
  return [
    `${name} ${passed ? 'passed' : 'FAILED'}: ${parts.join(', ')}`,
    ...heights,
    ...(folder === undefined ? [] : [`  logs are kept in ${folder}`]),
  ];
}
