import { isList, isMap, type Json } from '../../spec/schema/json.ts';
import { problemLine } from '../../state/problem.ts';
import type { ScenarioResult } from '../result.ts';
import type { StepResult } from '../step.ts';

const MARKS = { passed: 'passed ', failed: 'FAILED ', skipped: 'skipped' } as const;

/** Formats a step's outcome for people: one line, and what it found if it failed. */
export function stepLines(result: StepResult, count: number): readonly string[] {
  const { number, step, status, seconds } = result;
  const place = `${number.padStart(String(count).length)}/${count}`;
  const first = `${MARKS[status]}  ${place}  ${step}${status === 'skipped' ? '' : `  (${seconds} s)`}`;
  return status === 'failed' ? [first, ...failureLines(result)] : [first];
}

/** Formats a failed step: its place in the file, its error, the state of every node, and the problems. */
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
    ...(isList(problems) ? problems.flatMap((problem) => problemLines(problem, String(error))) : []),
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

/** Formats a problem; empty if the step's error names it. */
function problemLines(value: Json, error: string): readonly string[] {
  if (!isMap(value)) return [];
  const { subject, what, because } = value;
  const reason = typeof because === 'string' ? because : null;
  if (error.includes(`${subject} ${what}`) || (reason !== null && error.includes(reason))) return [];
  return [`  PROBLEM  ${problemLine({ subject: String(subject), what: String(what), because: reason })}`];
}

/** Formats the outcome of a scenario for people. */
export function resultLines(result: ScenarioResult): readonly string[] {
  const { name, passed, seconds, steps, heads, folder, seed, teardown } = result;
  const count = (status: StepResult['status']) => steps.filter((step) => step.status === status).length;
  const heights = Object.entries(heads).map(([node, head]) =>
    head === null ? `  ${node}  does not answer` : `  ${node}  block ${head.number}  ${head.hash}`,
  );
  const parts = [`${count('passed')} of ${steps.length} steps passed`, `seed ${seed}`, `${seconds} s`];
  return [
    `${name} ${passed ? 'passed' : 'FAILED'}: ${parts.join(', ')}`,
    ...(teardown === undefined ? [] : teardown.split('\n').map((line) => `  FAILED while tearing down: ${line}`)),
    ...heights,
    ...(folder === undefined ? [] : [`  logs are kept in ${folder}`]),
  ];
}
