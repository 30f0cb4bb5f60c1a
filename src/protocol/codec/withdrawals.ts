import { ProtocolError } from '../errors.ts';

/** The rollup processes no withdrawals: the list of a block is always empty. @throws ProtocolError payload-invalid */
export function noWithdrawals(list: readonly unknown[], what: string): readonly [] {
  if (list.length === 0) return [];
  throw new ProtocolError('payload-invalid', 'drop', `${what}.withdrawals must be empty, has ${list.length}`, {
    field: 'withdrawals',
  });
}
