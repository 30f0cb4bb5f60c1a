import { LineCounter } from 'yaml';

/** A text that a user wrote, under the name by which the user knows it: a path, or `--set`. */
export interface Source {
  readonly name: string;
  readonly text: string;
  /** Absolute path of the file. Relative paths in the text start from its folder. */
  readonly path?: string;
  /** Keys under which the document stands in a larger one, such as the spec within a scenario. */
  readonly under?: readonly string[];
}

/** A stretch of a source, offsets in UTF-16 units. */
export interface Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** Where a span begins, counted from 1, with the line's text. */
export interface Location {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  /** Columns that the span covers of this line, at least 1. */
  readonly width: number;
}

/** Finds the line and the column of a span. */
export function locate({ source: { text }, start, end }: Span): Location {
  const at = Math.min(start, text.length);
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let stop = text.indexOf('\n'); stop !== -1 && stop < at; stop = text.indexOf('\n', stop + 1))
    lines.addNewLine(stop + 1);
  const { line, col } = lines.linePos(at);
  const stop = text.indexOf('\n', at);
  const content = text.slice(at - col + 1, stop === -1 ? text.length : stop).replace(/\r$/, '');
  return { line, column: col, text: content, width: Math.max(1, Math.min(end - at, content.length - col + 1)) };
}
