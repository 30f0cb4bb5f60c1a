import { parseSync } from 'oxc-parser';

/** A piece of prose in a file: a comment, a message or a paragraph of a page. */
export interface Prose {
  readonly kind: 'comment' | 'docstring' | 'message' | 'page';
  /** Line in the file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Returns the comments and messages of a TypeScript file, adjoining line comments as one. */
export function proseOfCode(file: string, source: string): Prose[] {
  const { program, comments } = parseSync(file, source);
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length;
  const pieces: Prose[] = [];
  let last = -1;
  for (const { type, value, start, end } of comments) {
    const between = source.slice(last, start);
    const previous = pieces.at(-1);
    if (type === 'Line' && previous?.kind === 'comment' && last >= 0 && /^\s*\n?\s*$/.test(between))
      pieces[pieces.length - 1] = { ...previous, text: `${previous.text} ${value.trim()}` };
    else if (type === 'Block' && value.startsWith('*'))
      pieces.push({ kind: 'docstring', line: lineOf(start), text: unstarred(value) });
    else pieces.push({ kind: 'comment', line: lineOf(start), text: unstarred(value) });
    last = end;
  }
  for (const { value, start } of strings(program)) pieces.push({ kind: 'message', line: lineOf(start), text: value });
  return pieces;
}

/** Returns the paragraphs of a Markdown page or the comments of a YAML file or Makefile, code blocks left out. */
export function proseOfPage(file: string, source: string): Prose[] {
  const lines = source.split('\n');
  if (!file.endsWith('.md'))
    return lines.flatMap((line, at) => {
      const [, text] = /(?:^|\s)#\s(.*)$/.exec(line) ?? [];
      return text === undefined ? [] : [{ kind: 'comment' as const, line: at + 1, text }];
    });
  let code = false;
  return lines.flatMap((line, at) => {
    if (/^\s*```/.test(line)) code = !code;
    if (code || /^ {4}\S/.test(line) || /^\s*```/.test(line)) return [];
    return line.trim() === '' ? [] : [{ kind: 'page' as const, line: at + 1, text: line.replaceAll(/`[^`]*`/g, '``') }];
  });
}

function unstarred(comment: string): string {
  return comment
    .replace(/^\*/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trim())
    .join('\n')
    .trim();
}

/** Yields every string literal and template part that reads as prose: three words or more. */
function* strings(node: unknown): Generator<{ readonly value: string; readonly start: number }> {
  if (Array.isArray(node)) for (const each of node) yield* strings(each);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  const { type, value, start } = node as { type?: string; value?: unknown; start?: number };
  if (type === 'Literal' && typeof value === 'string' && isProse(value)) yield { value, start: start ?? 0 };
  if (type === 'TemplateElement') {
    const { cooked } = value as { cooked?: string };
    if (cooked !== undefined && isProse(cooked)) yield { value: cooked, start: start ?? 0 };
    return;
  }
  for (const [key, child] of Object.entries(node))
    if (key !== 'type' && typeof child === 'object') yield* strings(child);
}

const isProse = (text: string): boolean => /[a-z]+ [a-z]+ [a-z]+/i.test(text);
