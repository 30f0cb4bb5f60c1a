import type { Problem } from '../../../../src/orchestrator/spec/text/problem.ts';
import { parse } from '../../package.ts';

/** Returns the problems of a spec, in the order of the text. */
export function problemsOf(text: string, more: Parameters<typeof parse>[1] = {}): readonly Problem[] {
  const outcome = parse(text, more);
  return outcome.ok ? [] : outcome.problems;
}

/** Returns the problems of a spec as `code path`. */
export function faultsOf(...[text, more]: Parameters<typeof problemsOf>): string[] {
  return problemsOf(text, more).map(({ code, path }) => `${code} ${path}`);
}

/** Returns the problems of a spec as `code path: allowed`. */
export function waysOutOf(...[text, more]: Parameters<typeof problemsOf>): string[] {
  return problemsOf(text, more).map(({ code, path, allowed }) => `${code} ${path}: ${allowed}`);
}

/** A chain with a sequencer and more nodes. */
export const nodes = (text: string) => `chains: { main: { nodes: { s: { role: sequencer }, ${text} } } }`;
