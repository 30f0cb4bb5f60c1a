import { printable } from '../../../system/lines.ts';

/** Characters of a complaint that are shown. */
const SHOWN = 300;

/** Marks of a line of level warn or worse: key and value, JSON, or the level as a word in capitals. */
const COMPLAINS =
  /\b(?:lvl|level)=(?:"?)(?:warn|error|eror|crit|fatal)|"(?:lvl|level|severity)":\s*"(?:warn|error|eror|crit|fatal)|(?:^|[\s[])(?:WARN|WARNING|ERROR|EROR|ERRO|CRIT|FATAL)\b|^(?:error|fatal|panic)\b/i;

/**
 * The last line of level warn or worse that a process wrote since then (Unix ms), without time and level, bounded. Undefined: it complained about
 * nothing.
 */
export function lastComplaint(lines: readonly string[], since: number): string | undefined {
  const isSince = (line: string) => (timeOf(line) ?? Number.POSITIVE_INFINITY) >= since - EARLIER;
  const complaint = lines.findLast((line) => COMPLAINS.test(line) && isSince(line));
  return complaint === undefined ? undefined : cleaned(complaint);
}

/**
 * Returns the very last line where it is about as new as `since`, and the process wrote nothing more: it may say why the
 * process does nothing, such as "Batcher stopped". A line that is quite new says only that the process works.
 */
export function lastWord(lines: readonly string[], since: number, now: number): string | undefined {
  const last = lines.findLast((line) => line.trim() !== '');
  const time = last === undefined ? undefined : timeOf(last);
  return last !== undefined && time !== undefined && time > since - EARLIER && time <= now - QUIET
    ? cleaned(last)
    : undefined;
}

/** The lines of a log that match none of some regular expressions. */
export function withoutHarmless(lines: readonly string[], harmless: readonly string[] = []): readonly string[] {
  const patterns = harmless.map((pattern) => new RegExp(pattern));
  return lines.filter((line) => !patterns.some((pattern) => pattern.test(line)));
}

/** Milliseconds without a line after which a process counts as one that writes nothing more. */
const QUIET = 3000;

/** A complaint may come before the movement that it is about is missed (ms). */
const EARLIER = 5000;

function cleaned(line: string): string {
  const text = printable(line.trim());
  const said = fieldsOf(text) ?? withoutTime(text);
  return said.length > SHOWN ? `${said.slice(0, SHOWN)}…` : said;
}

/** Fields that say why, in the order of their worth. */
const REASONS = ['error', 'err', 'reason', 'cause'];

/** Message and reason of a line of keys and values, or of JSON. */
function fieldsOf(text: string): string | undefined {
  const fields = jsonFields(text) ?? keyValues(text);
  const message = fields['msg'] ?? fields['message'];
  if (message === undefined) return undefined;
  const reason = REASONS.map((key) => fields[key]).find((value) => value !== undefined && value !== '');
  return reason === undefined ? message : `${message}: ${reason}`;
}

function jsonFields(text: string): Readonly<Record<string, string>> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return Object.fromEntries(
      Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
  } catch {
    return undefined;
  }
}

function keyValues(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/(?:^|\s)([\w.]+)=("(?:[^"\\]|\\.)*"|\S*)/g)].map(([, key = '', value = '']) => [
      key,
      unquoted(value),
    ]),
  );
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    return JSON.parse(value) as string;
  } catch {
    return value.slice(1, -1);
  }
}

const ISO = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/;

function withoutTime(text: string): string {
  return text
    .replace(ISO, '')
    .replace(/^\s*\[?(?:WARN|WARNING|ERROR|EROR|ERRO|CRIT|FATAL|INFO)\]?\s*/, '')
    .replace(/^\[\d\d-\d\d\|[\d:.]+\]\s*/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The time that a line tells of itself (Unix ms), where its format has one with a date. */
function timeOf(line: string): number | undefined {
  const time = Date.parse(ISO.exec(line.slice(0, 120))?.[0] ?? '');
  return Number.isNaN(time) ? undefined : time;
}
