import { nodeNames } from '../../state/node-names.ts';
import { describeBoundary } from './boundary.ts';
import { type Difference, valueText } from './differences.ts';
import type { ExecutionDifferences } from './execution-differences.ts';
import type { Explanation } from './explain.ts';

/** Formats an explanation for people. Each statement says in brackets how it is known. */
export function reportLines(explanation: Explanation): string[] {
  const { boundary, fields, commands, refusals, execution } = explanation;
  return [
    headline(explanation),
    ...forkTimeLines(explanation).map((line) => `  ${line}`),
    `  nearest fork boundary: ${boundary === null ? 'none' : describeBoundary(boundary, explanation.chain)} [the plan]`,
    ...(fields.length === 0 ? [] : ['  header fields that differ [eth_getBlockByNumber of both sides]:']),
    ...fields.map(({ field, minority, majority }) => `    ${field}: ${sidesOf(explanation, minority, majority)}`),
    ...(execution === null ? [] : executionLines(explanation, execution).map((line) => `  ${line}`)),
    ...(refusals.length === 0 ? [] : ['  refusals, in the words of the clients:']),
    ...refusals.flatMap(({ task, log, words }) => [`    ${task}: ${words}`, `      [${log}]`]),
    '  launch commands of the minority [the plan]:',
    ...commands.map(({ task, command }) => `    ${task}: ${command}`),
  ];
}

/** Formats what was executed under other fork times, in a few lines. */
function forkTimeLines({ forkTimes, chain, nodes: [name = ''], against, block }: Explanation): string[] {
  if ('unknown' in forkTimes) return [`fork times: not executed: ${forkTimes.unknown}`];
  const { control, explaining, tried, impossible, own } = forkTimes;
  const [node, other] = [`${chain}/${name}`, `${chain}/${against}`];
  const state = `on the state of block ${block - 1}`;
  const count = `${tried} other schedules executed ${state}, ${impossible} not possible there`;
  if (!control.same)
    return [
      `fork times: no statement: executed under the network's schedule, block ${block} of ${other} is not`,
      `  reproduced: ${control.result} [replay by execution-client]`,
    ];
  return [
    explaining.length === 0
      ? `fork times: no other schedule of the forks gives the block of ${node}; the cause is elsewhere`
      : `fork times: the block of ${node} is reproduced exactly with`,
    ...explaining.map(({ text }) => `  ${text}`),
    ...(own ? [`the plan gives ${node} fork times with exactly this result`] : []),
    `the network's schedule reproduces the block of ${other} exactly [${count}]`,
  ];
}

function executionLines(explanation: Explanation, execution: ExecutionDifferences): string[] {
  const parts = [
    ['transactions', execution.transaction, 'transaction'],
    ['receipts', execution.receipt, 'receipt'],
    ['trace', execution.step, 'transaction'],
    ['state', execution.state, 'transaction'],
  ] as const;
  return parts.map(([title, comparison, unit]) => {
    if (comparison.kind === 'unknown') return `${title}: not compared: ${comparison.because}`;
    if (comparison.kind === 'same') return `${title}: the same on both sides [${comparison.known}]`;
    const step = 'step' in comparison ? `, step ${comparison.step}` : '';
    const place = comparison.index === undefined ? '' : `${unit} ${comparison.index}${step}, `;
    return `${title}: ${place}${differenceText(explanation, comparison.difference)} [${comparison.known}]`;
  });
}

function differenceText(explanation: Explanation, { path, minority, majority }: Difference): string {
  return `${path === '' ? 'it' : path}: ${sidesOf(explanation, minority, majority)}`;
}

function sidesOf({ chain, nodes: [node = ''], against }: Explanation, minority: unknown, majority: unknown): string {
  return `${valueText(minority)} on ${chain}/${node}, ${valueText(majority)} on ${chain}/${against}`;
}

function headline({ nodes, chain, kind, block, against }: Explanation): string {
  const have = nodes.length === 1 ? 'has' : 'have';
  const what = kind === 'hash' ? `${have} another block ${block} than` : `diverged at block ${block} from`;
  return `${nodeNames(chain, nodes)} ${what} ${chain}/${against}`;
}
