import { expect } from 'vitest';
import { Failure } from '../../../src/system/failure.ts';

/** Returns the problems with which a file of `devnet attach` is refused, each with its place. Empty: it is read. */
export function problemsOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect([error.code, error.exit]).toEqual(['attach', 2]);
    const { problems } = error.data as { problems: { line: number; column: number; message: string }[] };
    return problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
}
