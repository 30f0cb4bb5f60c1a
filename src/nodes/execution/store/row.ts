import type { SQLOutputValue } from 'node:sqlite';

type Row = Readonly<Record<string, SQLOutputValue>>;

/** Returns a blob column of a row. @throws Error on another type: the file is damaged */
export function bytesIn(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (value instanceof Uint8Array) return value;
  throw new Error(`the store is damaged: column ${column} holds no bytes`);
}

/** Returns an integer column of a row. @throws Error on another type: the file is damaged */
export function integerIn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === 'number') return value;
  throw new Error(`the store is damaged: column ${column} holds no integer`);
}

/** Returns a `max(…)` of a table, 0 if the table is empty. */
export function maximumIn(row: Row | undefined, column: string): number {
  return row === undefined || row[column] === null ? 0 : integerIn(row, column);
}
