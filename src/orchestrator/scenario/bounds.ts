import * as z from 'zod/mini';

/** Keys that compare a value: `is`, `above`, `below`. */
export function boundsOf<T extends z.ZodMiniType>(type: T) {
  return { is: z.exactOptional(type), above: z.exactOptional(type), below: z.exactOptional(type) };
}

interface Bounds<T> {
  readonly is?: T | undefined;
  readonly above?: T | undefined;
  readonly below?: T | undefined;
}

/** Describes the bound that a value breaks; undefined if it keeps all. */
export function broken<T extends bigint | number>(
  value: T,
  { is, above, below }: Bounds<T>,
  written: (value: T) => string = String,
): string | undefined {
  if (is !== undefined && value !== is) return `${written(value)}, not ${written(is)}`;
  if (above !== undefined && value <= above) return `${written(value)}, not above ${written(above)}`;
  if (below !== undefined && value >= below) return `${written(value)}, not below ${written(below)}`;
  return undefined;
}

/** Whether one of the bounds is given. */
export function isBound({ is, above, below }: Bounds<unknown>): boolean {
  return is !== undefined || above !== undefined || below !== undefined;
}
