import * as z from 'zod/mini';
import type { Hex, UpgradeBundle } from '../../types.ts';
import { type FileContent, hex, integer, problemsOf } from './rollup-file.ts';

const schema = z.object({
  metadata: z.looseObject({ version: z.string() }),
  transactions: z.array(
    z.object({
      intent: z.string(),
      from: hex(20),
      to: z.pipe(
        z.optional(z.union([hex(20), z.null()])),
        z.transform((to) => to ?? null),
      ),
      gasLimit: z.union([
        integer,
        z.pipe(z.string().check(z.regex(/^(0x[0-9a-fA-F]+|\d+)$/)), z.pipe(z.transform(Number), integer)),
      ]),
      data: z.custom<Hex>(
        (value) => typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value),
        'expected 0x and pairs of hex digits',
      ),
    }),
  ),
});

/** Reads an upgrade bundle file: the upgrade transactions of one fork, in their order (op-node: `readNUTBundle`). */
export function readUpgradeBundle(document: unknown): FileContent<UpgradeBundle> {
  const parsed = schema.safeParse(document);
  if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error.issues) };
  return { ok: true, value: parsed.data };
}
