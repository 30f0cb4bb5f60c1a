import { locate, type Span } from './source.ts';

/** Kind of a fault in a spec or a template, for programs. */
export type ProblemCode =
  | 'yaml'
  | 'too-large'
  | 'too-deep'
  | 'aliases'
  | 'tag'
  | 'duplicate-key'
  | 'unknown-key'
  | 'type'
  | 'value'
  | 'missing'
  | 'name'
  | 'duplicate'
  | 'base'
  | 'set'
  | 'fork-order'
  | 'fork-bundle'
  | 'fork-client'
  | 'override'
  | 'peers'
  | 'follow'
  | 'sequencer'
  | 'client'
  | 'runtime'
  | 'launch'
  | 'argument'
  | 'chain-files'
  | 'binary'
  | 'reference'
  | 'fault'
  | 'never';

/** One fault in a text: where, what was found, what is allowed. */
export interface Problem {
  readonly code: ProblemCode;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `chains.main.forks.base`, empty for the whole document. */
  readonly path: string;
  /** What was found and why that is wrong. */
  readonly message: string;
  readonly allowed?: string;
  /** The nearest known word to a misspelt one. */
  readonly nearest?: string;
  /** The source line, and how many columns from `column` on are meant. */
  readonly source: string;
  readonly width: number;
}

/** A problem at a span. */
export function problemAt(
  span: Span,
  code: ProblemCode,
  path: readonly (string | number)[],
  message: string,
  more: { readonly allowed?: string | undefined; readonly nearest?: string | undefined } = {},
): Problem {
  const { line, column, text, width } = locate(span);
  return {
    code,
    file: span.source.name,
    line,
    column,
    path: pathText(path),
    message,
    ...(more.allowed === undefined ? {} : { allowed: more.allowed }),
    ...(more.nearest === undefined ? {} : { nearest: more.nearest }),
    source: text,
    width,
  };
}

/** Problems in the order in which a reader comes upon them. */
export function inReadingOrder(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column);
}

/** `a.b."c.d".0` of a path. */
function pathText(path: readonly (string | number)[]): string {
  return path.map((part) => (/[."\s]/.test(String(part)) ? JSON.stringify(part) : part)).join('.');
}

/** Number of problems that are shown. */
const MAX_SHOWN_PROBLEMS = 50;

/**
 * Problems as a person reads them: position, message, the line with a caret, what is allowed. `placeOf` names the place
 * of a path for people, if the path does not.
 */
export function renderProblems(
  problems: readonly Problem[],
  placeOf: (path: string) => string | undefined = () => undefined,
): string {
  const rest = problems.length - MAX_SHOWN_PROBLEMS;
  const parts = problems
    .slice(0, MAX_SHOWN_PROBLEMS)
    .map((problem) => renderProblem({ ...problem, path: placeOf(problem.path) ?? problem.path }));
  return [...parts, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n\n');
}

/** Columns of a source line that are shown. */
const MAX_LINE_COLUMNS = 120;

function renderProblem({ file, line, column, path, message, allowed, nearest, source, width }: Problem): string {
  const number = String(line);
  const gutter = ' '.repeat(number.length);
  const from = column > MAX_LINE_COLUMNS ? column - MAX_LINE_COLUMNS / 2 : 0;
  const excerpt = printable(source.slice(from, from + MAX_LINE_COLUMNS));
  const indent = printable(source.slice(from, column - 1)).replace(/[^\t]/g, ' ');
  const caret = '^'.repeat(Math.max(1, Math.min(width, MAX_LINE_COLUMNS - (column - 1 - from))));
  return [
    `${printable(file)}:${line}:${column}: ${path === '' ? '' : `${printable(path)}: `}${printable(message)}`,
    `  ${number} | ${excerpt}`,
    `  ${gutter} | ${indent}${caret}`,
    ...(allowed === undefined ? [] : [`  allowed: ${allowed}`]),
    ...(nearest === undefined ? [] : [`  did you mean "${nearest}"?`]),
  ].join('\n');
}

/** Text that cannot move a terminal's cursor: control characters other than the tab are shown as `·`. */
function printable(text: string): string {
  return text.replace(/(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '·');
}
