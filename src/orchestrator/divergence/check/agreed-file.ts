import { join } from 'node:path';
import * as z from 'zod/mini';
import { readText, replaceFile } from '../../../system/files/folder.ts';
import { count } from '../../../system/numbers/schema.ts';
import type { Paths } from '../../state/paths.ts';
import type { Agreed } from './check.ts';

const schema = z.record(z.string(), z.object({ number: count, hash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/)) }));

/** Reads the last blocks on which all nodes agreed; empty if there are none, or if the file is malformed. */
export function readAgreed(paths: Paths): Agreed {
  try {
    return schema.parse(JSON.parse(readText(fileOf(paths)) ?? '{}'));
  } catch {
    return {};
  }
}

/** Stores the blocks for the next check. */
export function writeAgreed(paths: Paths, agreed: Agreed): void {
  replaceFile(fileOf(paths), JSON.stringify(agreed));
}

function fileOf({ folder }: Paths): string {
  return join(folder, 'agreed.json');
}
