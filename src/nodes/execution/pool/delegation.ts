import { refuse } from './refusal.ts';
import type { Check } from './rules.ts';

/**
 * EIP-7702 in the pool. An account whose code is delegated, or about to be, may be emptied by anybody's call at any time: it has one transaction
 * in flight, without a gap before it. And who has more than one in the pool cannot be made such an account by another's transaction.
 */
export const checkDelegation: Check = ({ entry, view, contents }) => {
  const { nonce, sender } = entry.transaction;
  if (view.code(sender).length > 0 || contents.isAuthority(entry.key)) {
    const queue = contents.senders.get(entry.key);
    if (queue === undefined || queue.pendingCount === 0) {
      if (nonce !== view.nonce(sender)) refuse({ kind: 'gap of delegated' });
    } else if (queue.find(nonce)?.place !== 'pending') refuse({ kind: 'second of delegated' });
  }
  for (const key of entry.authorities)
    if ((contents.senders.get(key)?.size ?? 0) > 1) refuse({ kind: 'authority reserved' });
};
