import * as z from 'zod/mini';
import { key, name, text, whole, withDescription } from '../spec/schema/words.ts';
import type { Layer } from '../spec/text/yaml.ts';
import type { ReadStep } from './step.ts';

/** The outer shape of a scenario. The devnet and each step have schemas of their own. */
export const scenarioSchema = z.strictObject({
  version: z._default(z.literal(1, '1'), 1),
  name: key(name, 'the name of the scenario and of its devnet; absent: that of the file'),
  seed: key(
    whole(0, Number.MAX_SAFE_INTEGER),
    'the seed of the devnet and of what the steps choose, such as amounts of a load',
  ),
  devnet: z.prefault(
    withDescription(
      z.union([text, z.record(z.string(), z.unknown())], 'a spec, or its name in devnets/, or its path'),
      'a spec, or its name in devnets/, or its path',
    ),
    {},
  ),
  steps: z
    .array(z.unknown(), 'a list of steps')
    .check(z.minLength(1, 'at least one step'), z.maxLength(1000, 'at most 1000 steps')),
});

/** Returns the number of a step as a run counts it: `4`, or `4.2` for the second step within the fourth. */
export function numberOf({ path }: Pick<ReadStep, 'path'>): string {
  return path.flatMap((part) => (typeof part === 'number' ? [part + 1] : [])).join('.');
}

/** A scenario of the right shape. */
export interface Scenario {
  readonly name: string;
  readonly seed: number | undefined;
  readonly devnet: string | undefined;
  readonly steps: readonly ReadStep[];
  readonly layer: Layer;
}
