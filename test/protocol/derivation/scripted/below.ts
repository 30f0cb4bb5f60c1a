import type { Pulled } from '../../../../src/protocol/derivation/stages/stage.ts';
import type { L1Header } from '../../../../src/protocol/types.ts';
import { l1Header } from './l1.ts';

/** A stage below the tested one: answers what is in the script, then `eof`. `at` moves the pipeline's origin. */
export interface ScriptedBelow<T extends object> {
  origin(): L1Header;
  next(): Promise<Pulled<T>>;
  at(origin: L1Header): void;
  add(...answers: Pulled<T>[]): void;
  readonly left: Pulled<T>[];
}

/** A scripted stage at an origin. */
export function below<T extends object>(
  origin: L1Header = l1Header(100, 1000),
  ...answers: Pulled<T>[]
): ScriptedBelow<T> {
  let current = origin;
  return {
    left: answers,
    origin: () => current,
    next: async () => answers.shift() ?? 'eof',
    at(next) {
      current = next;
    },
    add: (...more) => void answers.push(...more),
  };
}

/** Pulls until a value or `eof`, skipping `more`. */
export async function settle<T extends object>(pull: () => Promise<Pulled<T>>): Promise<T | 'eof'> {
  for (let tries = 0; tries < 1000; tries++) {
    const pulled = await pull();
    if (pulled !== 'more') return pulled;
  }
  throw new Error('the stage makes no progress');
}

/** All values until `eof`. */
export async function drain<T extends object>(pull: () => Promise<Pulled<T>>): Promise<T[]> {
  const values: T[] = [];
  for (let value = await settle(pull); value !== 'eof'; value = await settle(pull)) values.push(value);
  return values;
}
