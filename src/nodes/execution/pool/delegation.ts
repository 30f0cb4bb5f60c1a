import { reject } from './pool-error.ts';
import type { ValidationRule } from './validation.ts';

/**
 * EIP-7702 in the pool. An account whose code is delegated, or about to be, may be emptied by anybody's call at any time: it has one transaction
 * in flight, without a gap before it. And who has more than one in the pool cannot be made such an account by another's transaction.
 */
export const checkDelegation: ValidationRule = ({ entry, head, lookup }) => {
  const { nonce, sender } = entry.transaction;
  if (head.code(sender).length > 0 || lookup.isAuthority(entry.key)) {
    const queue = lookup.accounts.get(entry.key);
    if (queue === undefined || queue.pendingCount === 0) {
      if (nonce !== head.nonce(sender)) reject({ kind: 'gap of delegated' });
    } else if (queue.find(nonce)?.subPool !== 'pending') reject({ kind: 'second of delegated' });
  }
  for (const key of entry.authorities)
    if ((lookup.accounts.get(key)?.size ?? 0) > 1) reject({ kind: 'authority reserved' });
};
