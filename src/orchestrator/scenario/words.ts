import type { Hex } from 'viem';
import * as z from 'zod/mini';
import { parseDuration } from '../../system/program/options.ts';
import { amount } from '../spec/schema/codecs.ts';
import { choice, text, whole, withDescription } from '../spec/schema/words.ts';

/** A reference to a value of an earlier step: `${tx1.hash}`. Without a dot it is a variable of a shell. */
export const REFERENCE = /\$\{([A-Za-z_]\w*(?:\.\w+)+)\}/g;

const SOME_REFERENCE = /\$\{[A-Za-z_]\w*(\.\w+)+\}/;

/** Accepts a reference where a value of this type is expected. It is replaced before the step runs. */
export function orReference<T extends z.ZodMiniType>(type: T) {
  const reference = z.codec(z.string().check(z.regex(SOME_REFERENCE)), z.custom<never>(), {
    decode: () => z.NEVER,
    encode: () => z.NEVER,
  });
  return z.union([type, reference]);
}

const DURATION = 'a duration such as 500ms, 30s or 5m';

/** A duration, read as milliseconds. */
export const duration = withDescription(
  z.codec(z.string(DURATION), z.number(), {
    decode(written, payload) {
      const value = parseDuration(written);
      if (value !== undefined && value > 0) return value;
      payload.issues.push({ code: 'custom', message: DURATION, input: written });
      return z.NEVER;
    },
    encode: (ms) => `${ms}ms`,
  }),
  DURATION,
);

/** The time within which a condition must come true. */
export const within = z.exactOptional(withDescription(duration, 'keep asking for this long until it is true'));

/** A string that a pattern of hex digits matches, read in small letters: capitals of an address are its checksum. */
function hexOf(pattern: RegExp, message: string) {
  return z.string(message).check(z.regex(pattern, message), z.toLowerCase()) as unknown as z.ZodMiniType<Hex, Hex>;
}

const ADDRESS = 'an address of 20 bytes in quotes: "0x" and 40 hex digits';

export const address = orReference(hexOf(/^0x[0-9a-fA-F]{40}$/, ADDRESS));

const DATA = 'bytes in quotes: "0x" and an even number of hex digits';

export const data = orReference(hexOf(/^0x([0-9a-fA-F]{2})*$/, DATA));

const HASH = 'a hash of 32 bytes in quotes: "0x" and 64 hex digits';

export const hash = orReference(hexOf(/^0x[0-9a-fA-F]{64}$/, HASH));

export const wei = orReference(amount);

export const blockNumber = whole(0, 1_000_000_000);

export const nodeName = withDescription(text, 'a node: NAME, or CHAIN/NAME if chains share a name');

export const chainName = withDescription(text, 'a chain of the devnet; absent: the first one');

export const sender = withDescription(whole(0, 999), 'index of a funded account');

const NAME_RULE = 'a name of letters, digits and _, not beginning with a digit';

/** The name under which later steps find the evidence of a step. */
export const as = z.exactOptional(
  withDescription(
    z.string(NAME_RULE).check(z.regex(/^[A-Za-z_]\w{0,38}$/, NAME_RULE)),
    'the name of its values: ${NAME.key}',
  ),
);

/** What a step does to a batcher or a proposer. */
export const POSTER_ACTIONS = ['stop', 'start', 'kill', 'pause', 'resume'] as const;

/** The schema of a step that may be the word of its action alone. `of` returns what the word is short for. */
export function orAction<const Actions extends readonly string[], Long extends z.ZodMiniType>(
  actions: Actions,
  long: Long,
  of: (action: Actions[number]) => z.input<Long>,
) {
  return z.union([z.codec(choice(...actions), long, { decode: of, encode: () => z.NEVER }), long]);
}
