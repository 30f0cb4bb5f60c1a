import { storage } from '../host';
import {
  FRAME_ACCOUNT,
  FRAME_ADDRESS,
  MAX_SLOTS,
  SLOT_BYTES,
  SLOT_COUNT,
  SLOT_INDEX,
  SLOT_MASK,
  SLOTS,
} from '../layout';
import { copy } from '../word/word';
import { accountOf } from './accounts';
import { entryOf, full, maskFor } from './index';
import { RECORD_VALUE, warm } from './journal';

/** Whether a slot's value is known: the host had to read it once. */
const SLOT_KNOWN: usize = 44;
/** Value before the transaction. The current one is RECORD_VALUE. */
export const SLOT_ORIGINAL: usize = 96;

/** Added to the owner of a transient slot: a record's address is even. */
const TRANSIENT: u32 = 1;

function slotOf(owner: u32, slot: usize): usize {
  const count = load<u32>(SLOT_COUNT);
  const mask = maskFor(count, load<u32>(SLOT_MASK), SLOT_INDEX, SLOTS, SLOT_BYTES);
  store<u32>(SLOT_MASK, mask);
  const entry = entryOf(SLOT_INDEX, mask, SLOTS, SLOT_BYTES, slot, owner);
  const number = load<u32>(entry);
  if (number != 0) return SLOTS + <usize>(number - 1) * SLOT_BYTES;
  if (count == MAX_SLOTS) full();
  const record = SLOTS + <usize>count * SLOT_BYTES;
  memory.fill(record, 0, SLOT_BYTES);
  copy(record, slot);
  store<u32>(record, owner, 32);
  store<u32>(entry, count + 1);
  store<u32>(SLOT_COUNT, count + 1);
  return record;
}

/** Returns the record of a slot of the frame's account. */
@inline
export function storageSlot(slot: usize): usize {
  return slotOf(load<u32>(FRAME_ACCOUNT), slot);
}

/** Returns the record of a transient slot of the frame's account (EIP-1153). It begins as zero. */
@inline
export function transientSlot(slot: usize): usize {
  return slotOf(load<u32>(FRAME_ACCOUNT) + TRANSIENT, slot);
}

/** Reads the value of a slot of the frame's account, from the host the first time. */
export function ensureValue(record: usize): void {
  if (load<u32>(record, SLOT_KNOWN) != 0) return;
  storage(FRAME_ADDRESS, record, record + SLOT_ORIGINAL);
  copy(record + RECORD_VALUE, record + SLOT_ORIGINAL);
  store<u32>(record, 1, SLOT_KNOWN);
}

/** Returns where the value of a slot of the frame's account stands. */
export function valueOf(slot: usize): usize {
  const record = storageSlot(slot);
  ensureValue(record);
  return record + RECORD_VALUE;
}

/** Makes a slot of an account warm (EIP-2929). Returns whether it was cold. */
export function warmSlot(address: usize, slot: usize): bool {
  return warm(slotOf(<u32>accountOf(address), slot));
}
