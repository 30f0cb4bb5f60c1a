import type { Prose } from './prose.ts';

/** A rule of docs/writing.md that a program can hold. */
interface WritingRule {
  readonly name: string;
  /** Files that have to keep it; absent: all. */
  readonly files?: RegExp;
  /** Returns what breaks the rule in a piece of prose; undefined if nothing does. */
  readonly check: (prose: Prose) => string | undefined;
}

/** Words that make a person of a process. */
const PERSONS = /\b(who|whoever|whom|nobody|somebody|anybody|everybody|he|him|his)\b/i;

/** Metaphors for which the field has a term. */
const METAPHORS =
  /\b(doors?|houses?|rooms?|manners?|tides?|latecomers?|knock(s|ed|ing)?|breath(e|es|ed|ing)?|errands?|wishe?s?)\b|\b(a|two|first|last|each|next|every) looks?\b/i;

/** Conditions that are called a place. A condition says if or when, a place says where. */
const CONDITION_AS_PLACE =
  /@throws\b((?!\b(if|when)\b)[^.])*?\bwhere\b|\b(undefined|null|empty|absent|false|none|-1|also|even|only) where\b|\bwhere (there (is|are|was|were)|none)\b/;

const MAX_WORDS = 20;

export const RULES: readonly WritingRule[] = [
  { name: 'the subject is a thing of the program', check: ({ text }) => PERSONS.exec(text)?.[0] },
  { name: "the field's term, no metaphor", check: ({ text }) => METAPHORS.exec(text)?.[0] },
  {
    name: `the first sentence of a docstring has at most ${MAX_WORDS} words`,
    check: ({ kind, text }) => {
      if (kind !== 'docstring' || text.startsWith('@')) return undefined;
      const first = firstSentence(text);
      const words = first.split(/\s+/).filter((word) => /\w/.test(word)).length;
      return words > MAX_WORDS ? `${words} words: ${first}` : undefined;
    },
  },
  {
    name: 'one idea a sentence: no chain of semicolons',
    check: ({ kind, text }) =>
      kind === 'message' ? undefined : sentences(text).find((sentence) => (sentence.match(/;/g)?.length ?? 0) > 1),
  },
  {
    name: 'a condition says if or when',
    check: ({ kind, text }) => (kind === 'message' ? undefined : CONDITION_AS_PLACE.exec(text)?.[0]),
  },
  {
    name: 'a message says that something is not a thing, not that it is no thing',
    files: /^src\//,
    check: ({ kind, text }) =>
      kind === 'message' ? /(?<!\bthere )\bis no (?!longer\b|more\b)\w+/i.exec(text)?.[0] : undefined,
  },
  { name: 'no history in comments', check: ({ text }) => /\b[Aa]s said\b/.exec(text)?.[0] },
];

function firstSentence(text: string): string {
  return sentences(text.replaceAll(/`[^`]*`/g, 'Code'))[0] ?? '';
}

function sentences(text: string): string[] {
  return text
    .replaceAll(/\b(e\.g|i\.e|etc|vs|cf)\./g, '$1')
    .split(/(?<=[.!?:])\s+(?=[A-Z`"'(@-])|\n\s*\n|\n(?=\s*[-@])|\s\|(?:\s|$)/)
    .filter((sentence) => sentence.trim() !== '');
}

/** Returns the numbers of lines of more than 120 columns, except those that cannot be broken: table rows and literals without a space. */
export function tooWide(text: string): number[] {
  return text
    .split('\n')
    .flatMap((line, at) => (line.length > 120 && !/^\||["'`]\S{80,}["'`]/.test(line) ? [at + 1] : []));
}

/** Returns the numbers of lines that name a node as `late of main`: a message says `main/late`, as commands take it. */
export function nodesOfChains(code: string): number[] {
  return code.split('\n').flatMap((line, at) => (/\$?\{[^{}]*\bnodes?\b[^{}]*\} of \$?\{/.test(line) ? [at + 1] : []));
}
