import { expect, test } from 'vitest';
import { TransactionInvalid } from '../../../../src/nodes/execution/transaction/errors.ts';

test.each([
  [undefined, 'nonce too low'],
  ['have 1, want 2', 'nonce too low: have 1, want 2'],
  ['(cap: 1, tx: 2)', 'nonce too low (cap: 1, tx: 2)'],
])('an invalid transaction with the detail %s has geth’s message', (detail, message) => {
  expect(new TransactionInvalid('nonce too low', detail)).toMatchObject({
    name: 'TransactionInvalid',
    code: 'nonce too low',
    detail,
    message,
  });
});
