import * as z from 'zod';
import { NAME_PATTERN, NAME_TEXT } from '../spec/schema/words.ts';

/** Inputs that tools share. None can be taken for an option of a command line. */
export const input = {
  devnet: z
    .string()
    .regex(NAME_PATTERN, NAME_TEXT)
    .optional()
    .describe('name of the devnet; default: the last one that this server started, else the only one that is up'),
  /** For tools that change a network. */
  own: z
    .string()
    .regex(NAME_PATTERN, NAME_TEXT)
    .optional()
    .describe('name of the devnet; default: the last one that this server started'),
  spec: z
    .string()
    .regex(/^[^-]/, 'a path or the name of a sample')
    .describe('path of a spec, or name of a sample: default, fork-drill, mixed; default: ./devnet.yaml, else default'),
  chain: word('a rollup chain of the devnet, or l1').optional(),
  node: word('NODE, NODE.el or NODE.cl, batcher, proposer, l1, l1-beacon'),
  duration: z
    .string()
    .regex(/^\d+(\.\d+)?(ms|s|m|h)$/, '30s, 5m, 1h')
    .describe('30s, 5m, 1h'),
} as const;

/** A word of a command line. */
export function word(description: string) {
  return z
    .string()
    .regex(/^[^-\s]\S*$/, 'one word that does not begin with a dash')
    .describe(description);
}

/** Returns an option of a command line with its value, or nothing without one. */
export const option = (name: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [`--${name}=${value}`];
