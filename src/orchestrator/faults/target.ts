import { ANY } from '../plan/links.ts';
import type { Link, Plan } from '../plan/plan.ts';
import { nearest } from '../spec/text/nearest.ts';
import { findPlace, type Place, placeNamed, refusal } from './places.ts';

/** Kinds of links, as users name them. */
export const LINK_WORDS = ['p2p', 'engine', 'l1', 'beacon', 'rpc'] as const;

type LinkWord = (typeof LINK_WORDS)[number];

/** Returns the kind of a link. */
export function wordOf({ to, port }: Pick<Link, 'to' | 'port'>): LinkWord {
  if (to === 'l1') return 'l1';
  if (to === 'l1-beacon') return 'beacon';
  return port === 'p2p' || port === 'engine' ? port : 'rpc';
}

/** The links that a shaping is about. */
interface Target {
  /** One place, or the two ends of its links. */
  readonly places: readonly [Place, Place?];
  readonly word: LinkWord | undefined;
}

/** A link of a target. `isForward`: its calls go from the target, of A-B from A to B. */
export interface TargetLink {
  readonly link: Link;
  readonly isForward: boolean;
}

type Network = Pick<Plan, 'network' | 'links'>;

/**
 * Returns the links that a target names: `NODE` for all between it and others, `A-B` for those between two places, with
 * `:LINK` for those of one kind. `NODE:engine` is the link within a node.
 * @throws Failure `fault` (exit 2) if it names none
 */
export function linksOfTarget(plan: Network, text: string): readonly TargetLink[] {
  const target = parseTarget(plan, text);
  const all = (plan.links ?? []).flatMap((link) => {
    const isForward = directionOf(link, target);
    return isForward === undefined ? [] : [{ link, isForward }];
  });
  const links = all.filter(({ link }) => target.word === undefined || wordOf(link) === target.word);
  // The link within a node is no link to others.
  const outer = target.word === 'engine' ? links : links.filter(({ link }) => !isInner(link, target.places));
  if (outer.length > 0) return outer;
  const words = [...new Set(all.map(({ link }) => wordOf(link)))];
  throw refusal(
    `${text} names no link: ${textOf(target)}`,
    { target: text, expected: words },
    words.length === 0 ? 'run `devnet plan` to see the links' : `its links are ${words.join(', ')}`,
  );
}

function textOf({ places: [a, b], word }: Target): string {
  const kind = word === undefined ? '' : ` ${word}`;
  return b === undefined
    ? `${a.name} has no${kind} link to others`
    : `no${kind} link is between ${a.name} and ${b.name}`;
}

function parseTarget(plan: Network, text: string): Target {
  const [ends = '', word, ...rest] = text.split(':');
  if (rest.length > 0 || ends === '' || word === '')
    throw refusal(`${JSON.stringify(text)} is not a target: expected NODE, A-B, NODE:LINK or A-B:LINK`, {
      target: text,
    });
  return { places: parseEnds(plan, ends), word: word === undefined ? undefined : parseWord(word) };
}

function parseWord(word: string): LinkWord {
  const match = LINK_WORDS.find((each) => each === word);
  if (match !== undefined) return match;
  const near = nearest(word, LINK_WORDS);
  const list = `expected one of ${LINK_WORDS.join(', ')}`;
  throw refusal(
    `there is no link ${JSON.stringify(word)}`,
    { word, expected: LINK_WORDS },
    near === undefined ? list : `did you mean ${near}? ${list}`,
  );
}

/** Names of nodes may contain dashes. */
function parseEnds(plan: Network, text: string): Target['places'] {
  const whole = findPlace(plan, text);
  if (whole !== undefined) return [whole];
  const halves = [...text.matchAll(/-/g)].map(({ index }) => [text.slice(0, index), text.slice(index + 1)] as const);
  const pairs = halves.flatMap(([a, b]) => {
    const [from, to] = [findPlace(plan, a), findPlace(plan, b)];
    return from === undefined || to === undefined ? [] : [[from, to] as const];
  });
  const [pair] = pairs;
  if (pair !== undefined) {
    if (pair[0].name === pair[1].name) throw refusal(`${text} names one node twice`, { target: text });
    return [pair[0], pair[1]];
  }
  const half = halves.find(([a, b]) => findPlace(plan, a) !== undefined || findPlace(plan, b) !== undefined);
  const [a, b] = half ?? [text, text];
  // One of them is unknown.
  return [placeNamed(plan, a), placeNamed(plan, b)];
}

/** Returns whether a link goes from the target (true), or to it; undefined: it is none of its links. */
function directionOf({ from, to }: Link, { places: [a, b] }: Target): boolean | undefined {
  const isAt = ({ tasks }: Place, task: string) => tasks.includes(task);
  if (b === undefined) return isAt(a, from) ? true : isAt(a, to) ? false : undefined;
  // Any peer may be the other one.
  if (from === ANY) return isPeer(a, b) ? (isAt(b, to) ? true : isAt(a, to) ? false : undefined) : undefined;
  if (isAt(a, from) && isAt(b, to)) return true;
  return isAt(b, from) && isAt(a, to) ? false : undefined;
}

function isPeer(a: Place, b: Place): boolean {
  return a.isNode && b.isNode && a.chain === b.chain;
}

function isInner({ from, to }: Link, [{ tasks }]: Target['places']): boolean {
  return tasks.includes(from) && tasks.includes(to);
}
