import { ENTRY_BYTES, FRAME_CHECKPOINT, JOURNAL, JOURNAL_COUNT, MAX_ENTRIES } from '../layout';
import { copy } from '../word/word';
import { full } from './index';

/** Fields of a record behind its key and its owner, which tables share. */
export const RECORD_WARM: usize = 36;
/** Number of the last entry that undoes the value, from 1 on. */
export const RECORD_ENTRY: usize = 40;
export const RECORD_VALUE: usize = 64;

/** An entry undoes one change of a record: its value, or that it became warm. */
const VALUE: u32 = 0;
const WARM: u32 = 1;

/** Makes a record warm. Returns whether it was cold. */
export function warm(record: usize): bool {
  if (load<u32>(record, RECORD_WARM) != 0) return false;
  store<u32>(record, 1, RECORD_WARM);
  append(WARM, record);
  return true;
}

/** Keeps the value of a record before a change. One entry a frame is enough. */
export function keepValue(record: usize): void {
  if (load<u32>(record, RECORD_ENTRY) > load<u32>(FRAME_CHECKPOINT)) return;
  const entry = append(VALUE, record);
  store<u32>(entry, load<u32>(record, RECORD_ENTRY), 8);
  copy(entry + 16, record + RECORD_VALUE);
  store<u32>(record, load<u32>(JOURNAL_COUNT), RECORD_ENTRY);
}

function append(kind: u32, record: usize): usize {
  const count = load<u32>(JOURNAL_COUNT);
  if (count == MAX_ENTRIES) full();
  const entry = JOURNAL + <usize>count * ENTRY_BYTES;
  store<u32>(entry, kind);
  store<u32>(entry, <u32>record, 4);
  store<u32>(JOURNAL_COUNT, count + 1);
  return entry;
}

/** Undoes all entries behind a number of them. */
export function revertTo(checkpoint: u32): void {
  for (let count = load<u32>(JOURNAL_COUNT); count > checkpoint; count--) {
    const entry = JOURNAL + <usize>(count - 1) * ENTRY_BYTES;
    const record: usize = load<u32>(entry, 4);
    if (load<u32>(entry) == WARM) store<u32>(record, 0, RECORD_WARM);
    else {
      copy(record + RECORD_VALUE, entry + 16);
      store<u32>(record, load<u32>(entry, 8), RECORD_ENTRY);
    }
  }
  store<u32>(JOURNAL_COUNT, checkpoint);
}
