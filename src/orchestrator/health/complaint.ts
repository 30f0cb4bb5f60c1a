import { isJsonObject } from '../../rpc/json-object.ts';
import { printable } from '../../system/files/lines.ts';
import { ZONED_TIME, zonedTimeOf } from '../../system/program/line-time.ts';

/** Maximum length of a shown complaint. */
const MAX_COMPLAINT_CHARS = 300;

/** Matches a line of level warn or worse: `level=warn`, JSON, or the level in capitals. */
const COMPLAINS = [
  /\b(?:lvl|level)=(?:"?)(?:warn|error|eror|crit|fatal)/i,
  /"(?:lvl|level|severity)":\s*"(?:warn|error|eror|crit|fatal)/i,
  /(?:^|[\s[])(?:WARN|WARNING|ERROR|EROR|ERRO|CRIT|FATAL)\b/i,
  /^(?:error|fatal|panic)\b/i,
];

/** Matches a complaint that another program does not answer. */
const UNANSWERED = /ECONNREFUSED|connection refused|does not answer|no answer to/i;

/**
 * Finds the last line of level warn or worse since a time (Unix ms). Returns its message without time and level,
 * bounded; undefined if there is none. `answered`: when (Unix ms) all programs answered; a complaint from before that
 * time that one of them does not is no reason.
 */
export function lastComplaint(lines: readonly string[], since: number, answered = 0): string | undefined {
  const complaint = lines.findLast((line) => {
    const at = zonedTimeOf(line) ?? Number.POSITIVE_INFINITY;
    const isOld = at < since - MAX_PRECEDENCE_MS || (at < answered && UNANSWERED.test(line));
    return !isOld && COMPLAINS.some((pattern) => pattern.test(line));
  });
  return complaint === undefined ? undefined : cleaned(complaint);
}

/** Returns the lines of a log that match none of the regular expressions. */
export function withoutHarmless(lines: readonly string[], harmless: readonly string[] = []): readonly string[] {
  const patterns = harmless.map((pattern) => new RegExp(pattern));
  return lines.filter((line) => !patterns.some((pattern) => pattern.test(line)));
}

/** Time (ms) by which a complaint may precede the missing movement. */
const MAX_PRECEDENCE_MS = 5000;

function cleaned(line: string): string {
  const text = printable(line.trim());
  const message = fieldsOf(text) ?? withoutTime(text);
  return message.length > MAX_COMPLAINT_CHARS ? `${message.slice(0, MAX_COMPLAINT_CHARS)}…` : message;
}

/** Fields that hold the reason, the best first. */
const REASONS = ['error', 'err', 'reason', 'cause'];

/** Extracts message and reason of a line of keys and values, or of JSON. */
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
    const fields: unknown = JSON.parse(text);
    if (!isJsonObject(fields)) return undefined;
    return Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
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
    return String(JSON.parse(value));
  } catch {
    return value.slice(1, -1);
  }
}

function withoutTime(text: string): string {
  return text
    .replace(ZONED_TIME, '')
    .replace(/^\s*\[?(?:WARN|WARNING|ERROR|EROR|ERRO|CRIT|FATAL|INFO)\b\]?:?\s*/, '')
    .replace(/^\[\d\d-\d\d\|[\d:.]+\]\s*/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
