import { join } from 'node:path';
import * as z from 'zod/mini';
import { readJson } from '../../system/files/atomic-write.ts';
import type { PackageFacts } from './image-config.ts';

const packageSchema = z.object({ version: z.string(), license: z.string() });

/** Reads what the labels of an image tell of the package. */
export function packageFacts(root: string, build: string): PackageFacts {
  const { version, license } = z.parse(packageSchema, readJson(join(root, 'package.json')));
  return { version, licence: license, build };
}
