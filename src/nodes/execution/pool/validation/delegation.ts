import { reject } from '../pool-error.ts';
import type { ValidationRule } from '../validation-rule.ts';

/**
 * Checks the pool's rules for EIP-7702 delegations (`checkDelegationLimit` and `ErrAuthorityReserved` in geth).
 * A call by any account can empty a delegated account. So it has at most one pending transaction and no nonce gap. An
 * account with several pooled transactions cannot become an authority.
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
