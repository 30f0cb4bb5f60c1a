import { isJsonObject } from '../../../rpc/json-object.ts';

/** A value that two sides do not share. Absent values are undefined. */
export interface Difference {
  readonly path: string;
  readonly minority: unknown;
  readonly majority: unknown;
}

/** Finds the first difference of two JSON values, in the order of their keys; undefined if they are equal. */
export function firstDifference(minority: unknown, majority: unknown, path = ''): Difference | undefined {
  if (Array.isArray(minority) && Array.isArray(majority)) {
    for (let at = 0; at < Math.max(minority.length, majority.length); at++) {
      const difference = firstDifference(minority[at], majority[at], `${path}[${at}]`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (isJsonObject(minority) && isJsonObject(majority)) {
    for (const key of new Set([...Object.keys(minority), ...Object.keys(majority)])) {
      const difference = firstDifference(minority[key], majority[key], path === '' ? key : `${path}.${key}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  return scalar(minority) === scalar(majority) ? undefined : { path, minority, majority };
}

function scalar(value: unknown): string | undefined {
  return value === null ? undefined : JSON.stringify(value)?.toLowerCase();
}

/** Formats a value of any size for one line. */
export function valueText(value: unknown): string {
  const text = value === undefined ? 'absent' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 60)}…${text.slice(-12)} (${text.length} characters)` : text;
}
