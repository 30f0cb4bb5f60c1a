import * as z from 'zod';
import { parseUniqueJson } from '../../../protocol/genesis/file/unique-json.ts';
import { Failure } from '../../../system/failure.ts';
import { readJson } from '../../../system/files/atomic-write.ts';

const time = z.int().min(0);

const schema = z.strictObject({
  dependencies: z.record(
    z.string().regex(/^[1-9]\d*$/, { error: 'expected a chain id' }),
    z.strictObject({
      chainIndex: z.union([z.int().min(0), z.string().regex(/^\d+$/)]).optional(),
      activationTime: time.optional(),
      historyMinTime: time.optional(),
    }),
  ),
  overrideMessageExpiryWindow: time.optional(),
});

/** The chains that exchange messages, in op-node's dependency-set format (kona: `DependencySet`). */
export type DependencySet = z.output<typeof schema>;

/** Reads a dependency-set file. @throws Failure `dependency-set` if it is malformed or lacks this chain */
export function loadDependencySet(path: string, chainId: number): DependencySet {
  const read = schema.safeParse(readJson(path, { parse: parseUniqueJson }));
  if (!read.success) {
    const problems = read.error.issues.map(({ path: at, message }) => `${at.join('.') || 'the document'}: ${message}`);
    throw new Failure('dependency-set', `${path} is not a dependency set: ${problems.join('; ')}`, {
      data: { problems },
    });
  }
  if (read.data.dependencies[chainId] === undefined)
    throw new Failure('dependency-set', `${path} does not hold chain ${chainId}, which rollup.json is for`, {
      hint: 'give the set that this chain is part of (--interop.dependency-set)',
    });
  return read.data;
}
