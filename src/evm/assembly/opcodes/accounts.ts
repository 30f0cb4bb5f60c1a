import { accountOf } from '../access/accounts';
import { RECORD_WARM, warm } from '../access/journal';
import * as host from '../host';
import { FOUND, FRAME_ADDRESS, FRAME_MEMORY, NUMBER } from '../layout';
import { isLarge, setSmall } from '../word/word';

const COLD_ACCOUNT: i64 = 2600;
const WARM_ACCOUNT: i64 = 100;

/** Keeps the 160 bits of an address. */
@inline
function toAddress(word: usize): void {
  store<u64>(word, load<u64>(word, 16) & 0xffffffff, 16);
  store<u64>(word, 0, 24);
}

/** Gas of access to the account whose address is on the stack, `place` words below the top (EIP-2929). */
export function accountGas(sp: usize, place: usize): i64 {
  const word = sp - 32 * (place + 1);
  toAddress(word);
  const record = accountOf(word);
  store<u32>(FOUND, <u32>record);
  return load<u32>(record, RECORD_WARM) != 0 ? WARM_ACCOUNT : COLD_ACCOUNT;
}

/** Gas of the account on top of the stack. */
export function topAccountGas(sp: usize): i64 {
  return accountGas(sp, 0);
}

export function balance(sp: usize): void {
  warm(load<u32>(FOUND));
  host.balance(sp - 32, sp - 32);
}

export function selfBalance(sp: usize): void {
  host.balance(FRAME_ADDRESS, sp);
}

export function extCodeSize(sp: usize): void {
  warm(load<u32>(FOUND));
  setSmall(sp - 32, host.codeSize(sp - 32));
}

export function extCodeHash(sp: usize): void {
  warm(load<u32>(FOUND));
  host.codeHash(sp - 32, sp - 32);
}

export function extCodeCopy(sp: usize): void {
  warm(load<u32>(FOUND));
  const size = <u32>load<u64>(sp - 128);
  if (size == 0) return;
  const offset = sp - 96;
  // Codes are shorter than 2^53 bytes, so that any larger offset is behind their end.
  const from: f64 = isLarge(offset) || load<u64>(offset) >> 53 != 0 ? Infinity : <f64>load<u64>(offset);
  host.copyCode(sp - 32, load<usize>(FRAME_MEMORY) + <usize>load<u64>(sp - 64), from, size);
}

/** BLOCKHASH: of the 256 blocks before, else zero. */
export function blockHash(sp: usize): void {
  const word = sp - 32;
  const number = load<u64>(word), current = load<u64>(NUMBER);
  if (isLarge(word) || number >= current || current - number > 256) setSmall(word, 0);
  else host.blockHash(<f64>number, word);
}
