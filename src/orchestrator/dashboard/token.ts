import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { readText, writePrivate } from '../../system/files/folder.ts';

/** Returns the path of a devnet's token. */
export const tokenPath = (folder: string): string => join(folder, 'dashboard.token');

/** Reads the token of a devnet, or makes one that only this user can read. */
export function tokenOf(folder: string): string {
  const path = tokenPath(folder);
  const existing = keptToken(folder);
  if (existing !== undefined) return existing;
  const token = randomBytes(32).toString('hex');
  writePrivate(path, `${token}\n`, 0o600);
  return token;
}

/** Reads the token of a devnet. Undefined if it has none: it is another devnet than the one that had. */
export function keptToken(folder: string): string | undefined {
  const text = readText(tokenPath(folder))?.trim();
  return text !== undefined && /^[0-9a-f]{64}$/.test(text) ? text : undefined;
}

/** Returns the digest that tells a devnet from the next one of its name, whose token is another one. */
export const identityOf = (token: string): string =>
  createHash('sha256').update(`devnet ${token}`).digest('hex').slice(0, 16);

/** Returns whether a request carries the token. Takes the same time for each wrong one. */
export function carries(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`));
}

/**
 * Writes a page that only this user can read, which opens the dashboard with the token. Neither the command line of
 * the browser nor a request carries it: browsers send no fragment.
 */
export function openingPage(folder: string, url: string, token: string): string {
  const path = join(folder, 'dashboard.html');
  writePrivate(path, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}#token=${token}">\n`, 0o600);
  return path;
}
