import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 of the text of a spec, in hex. By it, commands and the supervisor tell whether a change or a
 * snapshot belongs to the spec in force.
 */
export function specHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
