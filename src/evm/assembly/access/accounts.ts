import { ACCOUNT_BYTES, ACCOUNT_COUNT, ACCOUNT_INDEX, ACCOUNT_MASK, ACCOUNTS, MAX_ACCOUNTS } from '../layout';
import { copy } from '../word/word';
import { entryOf, full, maskFor } from './index';
import { warm } from './journal';

/** Returns the record of an address, a word. A new one is cold. */
export function accountOf(address: usize): usize {
  const count = load<u32>(ACCOUNT_COUNT);
  const mask = maskFor(count, load<u32>(ACCOUNT_MASK), ACCOUNT_INDEX, ACCOUNTS, ACCOUNT_BYTES);
  store<u32>(ACCOUNT_MASK, mask);
  const entry = entryOf(ACCOUNT_INDEX, mask, ACCOUNTS, ACCOUNT_BYTES, address, 0);
  const number = load<u32>(entry);
  if (number != 0) return ACCOUNTS + <usize>(number - 1) * ACCOUNT_BYTES;
  if (count == MAX_ACCOUNTS) full();
  const record = ACCOUNTS + <usize>count * ACCOUNT_BYTES;
  memory.fill(record, 0, ACCOUNT_BYTES);
  copy(record, address);
  store<u32>(entry, count + 1);
  store<u32>(ACCOUNT_COUNT, count + 1);
  return record;
}

/** Makes an address warm. Returns whether it was cold (EIP-2929). */
export function warmAccount(address: usize): bool {
  return warm(accountOf(address));
}
