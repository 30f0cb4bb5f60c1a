import { FULL } from '../layout';

/** Entries of a new index. It doubles when records fill half of it. */
const FIRST_ENTRIES: u32 = 1024;

/** Returns the hash of a word and a number. */
export function hashOf(key: usize, owner: u32): u32 {
  const factor: u64 = 0x9e3779b97f4a7c15;
  let hash = (load<u64>(key) ^ <u64>owner) * factor;
  hash = (rotl<u64>(hash, 29) ^ load<u64>(key, 8)) * factor;
  hash = (rotl<u64>(hash, 29) ^ load<u64>(key, 16)) * factor;
  hash = (rotl<u64>(hash, 29) ^ load<u64>(key, 24)) * factor;
  return <u32>(hash >> 32);
}

/**
 * Returns the entry of an index that has a record with this key, or the free entry for it.
 * An entry is the record's number from 1 on. `owner` stands behind the key of 32 bytes.
 */
export function entryOf(index: usize, mask: u32, records: usize, bytes: usize, key: usize, owner: u32): usize {
  let at = hashOf(key, owner) & mask;
  while (true) {
    const entry = index + (<usize>at << 2);
    const number = load<u32>(entry);
    if (number == 0) return entry;
    const record = records + <usize>(number - 1) * bytes;
    if (load<u32>(record, 32) == owner && hasKey(record, key)) return entry;
    at = (at + 1) & mask;
  }
}

@inline
function hasKey(record: usize, key: usize): bool {
  const low = (load<u64>(record) ^ load<u64>(key)) | (load<u64>(record, 8) ^ load<u64>(key, 8));
  const high = (load<u64>(record, 16) ^ load<u64>(key, 16)) | (load<u64>(record, 24) ^ load<u64>(key, 24));
  return (low | high) == 0;
}

/** Makes room for one more record in an index and returns its mask. */
export function maskFor(count: u32, mask: u32, index: usize, records: usize, bytes: usize): u32 {
  if (mask != 0 && count < mask >> 1) return mask;
  const larger = mask == 0 ? FIRST_ENTRIES - 1 : (mask << 1) | 1;
  memory.fill(index, 0, (<usize>larger + 1) << 2);
  for (let number: u32 = 1; number <= count; number++) {
    const record = records + <usize>(number - 1) * bytes;
    store<u32>(entryOf(index, larger, records, bytes, record, load<u32>(record, 32)), number);
  }
  return larger;
}

/** Ends the run, because a table is full. The host sees FULL. */
export function full(): void {
  store<u32>(FULL, 1);
  unreachable();
}
