import { keepValue, RECORD_VALUE, RECORD_WARM, warm } from '../access/journal';
import { ensureValue, SLOT_ORIGINAL, storageSlot, transientSlot } from '../access/slots';
import { FOUND, FRAME_STATIC, REFUND } from '../layout';
import { copy, isZero } from '../word/word';

const COLD_SLOT: i64 = 2100;
const WARM_READ: i64 = 100;
/** EIP-2200 and EIP-3529. */
const SET: i64 = 20000;
const RESET: i64 = 2900;
const CLEAR_REFUND: i64 = 4800;
const STIPEND: i64 = 2300;

@inline
function equal(a: usize, b: usize): bool {
  const low = (load<u64>(a) ^ load<u64>(b)) | (load<u64>(a, 8) ^ load<u64>(b, 8));
  const high = (load<u64>(a, 16) ^ load<u64>(b, 16)) | (load<u64>(a, 24) ^ load<u64>(b, 24));
  return (low | high) == 0;
}

/** Gas of SLOAD (EIP-2929). */
export function sloadGas(sp: usize): i64 {
  const record = storageSlot(sp - 32);
  store<u32>(FOUND, <u32>record);
  return load<u32>(record, RECORD_WARM) != 0 ? WARM_READ : COLD_SLOT;
}

export function sload(sp: usize): void {
  const record: usize = load<u32>(FOUND);
  warm(record);
  ensureValue(record);
  copy(sp - 32, record + RECORD_VALUE);
}

/** Gas of SSTORE (EIP-2200, 2929, 3529). With no more gas than the stipend it fails. */
export function sstoreGas(sp: usize, gas: i64): i64 {
  if (gas <= STIPEND) return i64.MAX_VALUE;
  const record = storageSlot(sp - 32), value = sp - 64;
  store<u32>(FOUND, <u32>record);
  ensureValue(record);
  const current = record + RECORD_VALUE, original = record + SLOT_ORIGINAL;
  const access = load<u32>(record, RECORD_WARM) != 0 ? 0 : COLD_SLOT;
  if (equal(current, value) || !equal(original, current)) return access + WARM_READ;
  return access + (isZero(original) ? SET : RESET);
}

/** What SSTORE adds to the refund counter, in a frame that may run it. */
export function sstoreRefund(sp: usize): i64 {
  const record: usize = load<u32>(FOUND), value = sp - 64;
  const current = record + RECORD_VALUE;
  if (load<u32>(FRAME_STATIC) != 0 || equal(current, value)) return 0;
  return refundOf(record + SLOT_ORIGINAL, current, value);
}

export function sstore(sp: usize): void {
  const record: usize = load<u32>(FOUND), value = sp - 64;
  warm(record);
  const current = record + RECORD_VALUE;
  if (equal(current, value)) return;
  store<i64>(REFUND, load<i64>(REFUND) + refundOf(record + SLOT_ORIGINAL, current, value));
  keepValue(record);
  copy(current, value);
}

/** Returns what the refund counter gains or loses by a change of a slot. */
function refundOf(original: usize, current: usize, value: usize): i64 {
  if (equal(original, current)) return !isZero(original) && isZero(value) ? CLEAR_REFUND : 0;
  let refund: i64 = 0;
  if (!isZero(original)) {
    if (isZero(current)) refund -= CLEAR_REFUND;
    else if (isZero(value)) refund += CLEAR_REFUND;
  }
  if (equal(original, value)) refund += (isZero(original) ? SET : RESET) - WARM_READ;
  return refund;
}

/** TLOAD (EIP-1153). */
export function tload(sp: usize): void {
  copy(sp - 32, transientSlot(sp - 32) + RECORD_VALUE);
}

/** TSTORE (EIP-1153). */
export function tstore(sp: usize): void {
  const record = transientSlot(sp - 32);
  keepValue(record);
  copy(record + RECORD_VALUE, sp - 64);
}
