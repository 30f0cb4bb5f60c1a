import { ACCOUNT_COUNT, ACCOUNT_MASK, FULL, JOURNAL_COUNT, REFUND, SLOT_COUNT, SLOT_MASK } from '../layout';

/** Empties the tables for a new transaction. The next record makes an index anew. */
export function beginTransaction(): void {
  store<u32>(SLOT_COUNT, 0);
  store<u32>(SLOT_MASK, 0);
  store<u32>(ACCOUNT_COUNT, 0);
  store<u32>(ACCOUNT_MASK, 0);
  store<u32>(JOURNAL_COUNT, 0);
  store<i64>(REFUND, 0);
  store<u32>(FULL, 0);
}
