/** A text that a person wrote, and how they call it: a path, or `--set …`. */
export interface Source {
  readonly name: string;
  readonly text: string;
  /** Absolute path of the file, from whose folder relative paths in the text start. */
  readonly path?: string;
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

/** Line and column of a span. */
export function locate({ source: { text }, start, end }: Span): Location {
  const at = Math.min(start, text.length);
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const nextBreak = text.indexOf('\n', at);
  const lineEnd = nextBreak === -1 ? text.length : nextBreak;
  let line = 1;
  for (let index = text.indexOf('\n'); index !== -1 && index < lineStart; index = text.indexOf('\n', index + 1)) line++;
  const content = text.slice(lineStart, lineEnd).replace(/\r$/, '');
  const stop = Math.min(end, lineStart + content.length);
  return { line, column: at - lineStart + 1, text: content, width: Math.max(1, stop - at) };
}
