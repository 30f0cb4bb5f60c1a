import * as z from 'zod/mini';
import {
  AMOUNT,
  BYTES,
  bytesText,
  FORK_TIME,
  forkTimeText,
  parseBytes,
  parseForkTime,
  parseWei,
  weiText,
} from './values.ts';
import { choice, whole, withDescription } from './words.ts';

/** Decodes what is written; a value without a meaning is refused with what is allowed. */
function meaning<W, M>(allowed: string, parse: (written: W) => M | undefined) {
  return (written: W, payload: { issues: z.core.$ZodRawIssue[] }): M => {
    const value = parse(written);
    if (value !== undefined) return value;
    payload.issues.push({ code: 'custom', message: allowed, input: written });
    return z.NEVER;
  };
}

const meantTime = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['genesis', 'never']) }),
  z.object({ kind: z.enum(['after', 'now']), seconds: z.number() }),
  z.object({ kind: z.literal('at'), time: z.number() }),
  z.object({ kind: z.literal('block'), block: z.number() }),
]);

/** Activation time of a fork. */
export const forkTime = withDescription(
  z.codec(
    z.union([
      choice('genesis', 'never'),
      z.string(),
      z.int(),
      z.strictObject({ block: withDescription(whole(0, 1e9), 'the first block of the fork') }),
    ]),
    meantTime,
    { decode: meaning(FORK_TIME, parseForkTime), encode: forkTimeText },
  ),
  FORK_TIME,
);

/** Amount of ether, read as decimal wei. */
export const amount = withDescription(
  z.codec(z.union([z.string(), z.int()]), z.string(), {
    decode: meaning(AMOUNT, (written) => parseWei(written)?.toString()),
    encode: (wei) => weiText(BigInt(wei)),
  }),
  AMOUNT,
);

/** Size of a file, read as bytes. */
export const bytes = z.codec(z.union([z.string(), z.int()], BYTES), z.number(), {
  decode: meaning(BYTES, parseBytes),
  encode: bytesText,
});

/** A key that is not written while it is absent. */
export function orNull<T extends z.ZodMiniType>(type: T) {
  return z.codec(z.optional(type), z.custom<z.output<T> | null>(), {
    decode: (value) => value ?? null,
    encode: (value) => value ?? undefined,
  });
}

/** A map or list that is not written while it is empty. */
export function orEmpty<T extends z.ZodMiniType<object>>(type: T, empty: z.output<T>) {
  return z.codec(z.optional(type), z.custom<z.output<T>>(), {
    decode: (value) => value ?? empty,
    encode: (value) => (Object.keys(value).length === 0 ? undefined : value),
  });
}

/** A map that may be left empty, as in `verifier:` alone. */
export function orNothing<T extends z.ZodMiniType>(type: T, empty: z.input<T>) {
  return z.union([type, z.codec(z.null(), type, { decode: () => empty, encode: () => z.NEVER })]);
}
