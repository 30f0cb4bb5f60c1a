import type { ChainView, NodeView } from '../plan/plan.ts';
import { activationOf } from '../status/forks.ts';
import type { Heads } from '../status/heads.ts';

/** Condition of `devnet wait`. */
export type Condition =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unsafe' | 'safe' | 'finalized'; readonly number: number }
  | { readonly kind: 'fork'; readonly fork: string };

/** What {@link parseCondition} takes, in words. */
export const CONDITION = 'ready, block:N, safe:N, finalized:N or fork:NAME';

/** First words of conditions. */
const CONDITION_KINDS = ['ready', 'block', 'safe', 'finalized', 'fork'] as const;

const HEADS: ReadonlyMap<string, 'unsafe' | 'safe' | 'finalized'> = new Map([
  ['block', 'unsafe'],
  ['safe', 'safe'],
  ['finalized', 'finalized'],
]);

/** Parses `ready`, `block:40`, `safe:3`, `finalized:1` or `fork:NAME`; undefined for anything else. */
export function parseCondition(text: string): Condition | undefined {
  if (text === 'ready') return { kind: 'ready' };
  const [, word = '', number] = /^(block|safe|finalized):(\d{1,15})$/.exec(text) ?? [];
  const kind = HEADS.get(word);
  if (kind !== undefined) return { kind, number: Number(number) };
  const fork = /^fork:([a-z0-9_]+)$/.exec(text)?.[1];
  return fork === undefined ? undefined : { kind: 'fork', fork };
}

/** Returns the condition that a misspelt one most likely means. `nearest`: finds the nearest of some words. */
export function nearestCondition(
  text: string,
  nearest: (word: string, words: readonly string[]) => string | undefined,
): string | undefined {
  const [kind = '', ...rest] = text.split(':');
  const corrected = [nearest(kind, CONDITION_KINDS), ...rest].join(':');
  return parseCondition(corrected) === undefined ? undefined : corrected;
}

/** Describes what a node still lacks for the condition; undefined if the condition holds. */
export function missing(
  condition: Exclude<Condition, { kind: 'ready' }>,
  chain: ChainView,
  node: NodeView,
  heads: Heads,
): string | undefined {
  if (condition.kind === 'fork') {
    const time = activationOf(condition.fork, chain, node);
    if (time === null) return `${condition.fork} never activates on it`;
    if (heads.unsafe === null) return 'it does not answer';
    return heads.unsafe.time >= time
      ? undefined
      : `its head's time is ${time - heads.unsafe.time} s before ${condition.fork}`;
  }
  const head = heads[condition.kind];
  if (head === null) return heads.unsafe === null ? 'it does not answer' : `it has no ${condition.kind} block`;
  return head.number >= condition.number ? undefined : `its ${condition.kind} block is ${head.number}`;
}
