import { expect, test } from 'vitest';
import { DerivationError } from '../../../src/protocol/derivation/error.ts';

test.each(['retry', 'reset', 'fatal'] as const)(
  'an error of derivation is handled by %s, with its message',
  (handling) => {
    const error = new DerivationError(handling, 'L1 lacks block 5');
    expect(error).toBeInstanceOf(Error);
    expect({ ...error, message: error.message }).toEqual({
      name: 'DerivationError',
      handling,
      message: 'L1 lacks block 5',
    });
  },
);
