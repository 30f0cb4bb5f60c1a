import type { Io } from './io.ts';

/** Columns that the last column of a line must have, so that what follows stands below it. */
const MIN_LAST_COLUMNS = 24;

/** Fits a text for people to the terminal of a stream. Into a pipe or a file it goes as it is. */
export function fitToTerminal(io: Io, text: string, stream: 'stdout' | 'stderr' = 'stdout'): string {
  const columns = io.columns?.(stream);
  return columns === undefined ? text : fitText(io.runnable?.(text) ?? text, columns);
}

/**
 * Breaks lines that are longer than `columns` between words. What follows stands below the last column of the line
 * that is wide enough, else it is indented by two more. A word that fits into no line stays whole.
 */
export function fitText(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => fitLine(line, columns))
    .join('\n');
}

function fitLine(line: string, columns: number): string {
  if (line.length <= columns) return line;
  const words = wordsOf(line);
  const indent = ' '.repeat(indentOf(line, columns, Math.max(...words.map(({ text }) => text.length))));
  const rows: string[] = [];
  let row = '';
  for (const { gap, text } of words) {
    const longer = `${row}${gap}${text}`;
    if (row.trim() === '' || longer.length <= columns) row = longer;
    else {
      rows.push(row);
      row = `${indent}${text}`;
    }
  }
  return [...rows, row].join('\n');
}

/** Splits a line into words, each with the spaces before it. A command in backticks is one word. */
function wordsOf(line: string): readonly { readonly gap: string; readonly text: string }[] {
  return [...line.matchAll(/( *)((?:`[^`]*`|[^ `]|`)+)/g)].map(([, gap = '', text = '']) => ({ gap, text }));
}

/** Returns the columns before each further row: where a column of the line begins, if its words fit below it. */
function indentOf(line: string, columns: number, longestWord: number): number {
  const lead = line.search(/\S/);
  const most = Math.min(columns - MIN_LAST_COLUMNS, columns - longestWord);
  const starts = [...line.matchAll(/ {2,}(?=\S)/g)].map(({ index, 0: gap }) => index + gap.length);
  return Math.max(lead + 2, ...starts.filter((start) => start > lead && start <= most));
}
