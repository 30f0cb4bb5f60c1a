import { expect, it } from 'vitest';
import { isProtocolError, ProtocolError } from '../../src/protocol/errors.ts';
import { larger } from '../../src/protocol/larger.ts';
import { present } from '../../src/protocol/present.ts';
import { runToCompletion } from '../../src/protocol/resumable.ts';

it('an error of the protocol has a code, the reaction of the caller, and data', () => {
  const error = new ProtocolError('payload-invalid', 'drop', 'no withdrawals', { field: 'withdrawals' });
  expect(error).toMatchObject({
    name: 'ProtocolError',
    code: 'payload-invalid',
    handling: 'drop',
    message: 'no withdrawals',
    data: { field: 'withdrawals' },
  });
  expect(isProtocolError(error)).toBe(true);
  expect(isProtocolError(error, 'payload-invalid')).toBe(true);
  expect(isProtocolError(error, 'rlp-malformed')).toBe(false);
  for (const other of [new Error('x'), { code: 'payload-invalid' }, undefined])
    expect(isProtocolError(other)).toBe(false);
});

it('the larger of two integers is found on either side', () => {
  expect([larger(1n, 2n), larger(2n, 1n), larger(2n, 2n)]).toEqual([2n, 2n, 2n]);
});

it('a value that is present is returned, and one that is missing is named', () => {
  for (const value of [0, '', false, null]) expect(present(value, 'value')).toBe(value);
  expect(() => present(undefined, 'head')).toThrow('missing head');
});

it('a computation in steps is run to its result', () => {
  const seen: number[] = [];
  function* steps() {
    for (const step of [1, 2, 3]) {
      seen.push(step);
      yield;
    }
    return seen.length;
  }
  expect(runToCompletion(steps())).toBe(3);
  expect(seen).toEqual([1, 2, 3]);
});
