import { DOCUMENT_LIMITS } from './bounds.ts';
import { type Problem, problemAt } from './problem.ts';
import type { Source } from './source.ts';

/** Size and nesting, looked at before the parser sees the text: a deep one may end the process inside it. */
export function limitProblems(source: Source): Problem[] {
  // A text has at least as many bytes as units: a huge one is not encoded to be counted.
  const bytes =
    source.text.length > DOCUMENT_LIMITS.bytes ? source.text.length : new TextEncoder().encode(source.text).length;
  if (bytes > DOCUMENT_LIMITS.bytes) {
    const allowed = `at most ${DOCUMENT_LIMITS.bytes} bytes`;
    return [
      problemAt({ source, start: 0, end: 1 }, 'too-large', [], `the document is too large: ${bytes} bytes`, {
        allowed,
      }),
    ];
  }
  const deep = tooDeepAt(source.text);
  if (deep === undefined) return [];
  const message = `nested deeper than ${DOCUMENT_LIMITS.depth} levels`;
  return [
    problemAt({ source, start: deep, end: deep + 1 }, 'too-deep', [], message, {
      allowed: `${DOCUMENT_LIMITS.depth} levels`,
    }),
  ];
}

/** Offset at which nesting by brackets, dashes or indentation passes the limit. */
function tooDeepAt(text: string): number | undefined {
  const indents: number[] = [];
  let brackets = 0;
  let start = 0;
  for (const line of text.split('\n')) {
    const lead = /^[ \t]*(?:[-?:][ \t]+)*/.exec(line)?.[0] ?? '';
    const body = line.slice(lead.length);
    if (brackets === 0 && body !== '' && !body.startsWith('#')) {
      const levels = [...lead.matchAll(/[-?:]/g)].map(({ index }) => index);
      while (indents.length > 0 && (indents.at(-1) ?? 0) >= (levels[0] ?? lead.length)) indents.pop();
      indents.push(...levels, lead.length);
      if (indents.length > DOCUMENT_LIMITS.depth) return start + lead.length;
    }
    let quote = '';
    let before = '';
    for (let index = lead.length; index < line.length; index++) {
      const letter = line.charAt(index);
      if (quote !== '') {
        if (letter === '\\' && quote === '"') index++;
        else if (letter === quote) quote = '';
      } else if ((letter === '"' || letter === "'") && /[[{,:\-\s]|^$/.test(before)) quote = letter;
      else if (letter === '#' && /\s|^$/.test(before)) break;
      else if (letter === '[' || letter === '{') {
        brackets++;
        if (brackets + indents.length > DOCUMENT_LIMITS.depth + 1) return start + index;
      } else if (letter === ']' || letter === '}') brackets = Math.max(0, brackets - 1);
      before = letter;
    }
    start += line.length + 1;
  }
  return undefined;
}
