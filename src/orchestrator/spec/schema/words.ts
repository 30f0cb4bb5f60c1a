import * as z from 'zod/mini';

z.config({ jitless: true });

/** Every message of a schema says what is allowed. */

/** Names of devnets, chains and nodes: they become folders, process names and host names. */
export const NAME_PATTERN = /^[a-z0-9][a-z0-9-]{0,38}$/;
export const NAME_TEXT = 'lower-case letters, digits and dashes, at most 39, not beginning with a dash';

export const name = z.string(NAME_TEXT).check(z.regex(NAME_PATTERN, NAME_TEXT));
export const text = z.string('text').check(z.regex(/^[^\0]+$/, 'text that is not empty'));
export const anyText = z.string().check(z.regex(/^[^\0]*$/, 'text without NUL'));

/** Adds a description, for the JSON schema and the pages made from it. */
export function withDescription<T extends z.ZodMiniType>(type: T, description: string): T {
  return type.check(z.describe(description));
}

/** An optional key with its description. */
export function key<T extends z.ZodMiniType>(type: T, description: string): z.ZodMiniExactOptional<T> {
  return z.exactOptional(withDescription(type, description));
}

/** A whole number between two bounds, both included. */
export function whole(least: number, most: number, unit = '') {
  const error = `a whole number from ${least} to ${most}${unit}`;
  return z.int(error).check(z.gte(least, error), z.lte(most, error));
}

/** In what a process runs. */
export const RUNTIMES = ['embedded', 'process', 'docker'] as const;

/** One of several words. */
export function choice<const V extends readonly string[]>(...values: V) {
  return z.enum(values, values.join(', '));
}

/** A command of the user's. */
export const command = z.union([
  withDescription(text, 'a line for /bin/sh'),
  withDescription(
    z.array(z.string()).check(z.minLength(1, 'a program and its arguments')),
    'a program and its arguments',
  ),
]);

/** An absolute URL. */
export function url(protocols: string) {
  const error = `a URL (${protocols})`;
  return z.string(error).check(z.regex(new RegExp(`^(${protocols})://[^\\s/]+`), error));
}
