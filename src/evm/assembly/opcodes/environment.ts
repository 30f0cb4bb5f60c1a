import {
  BLOB_HASH_COUNT,
  BLOB_HASHES,
  FRAME_CALLDATA,
  FRAME_CALLDATA_SIZE,
  FRAME_CODE_SIZE,
  FRAME_RETURNDATA_SIZE,
} from '../layout';
import { copy, isLarge, loadBytes, setSmall } from '../word/word';

/** Pushes a word of the frame, of the transaction or of the block. */
@inline
export function pushWord(sp: usize, from: usize): void {
  copy(sp, from);
}

@inline
export function callDataSize(sp: usize): void {
  setSmall(sp, load<u32>(FRAME_CALLDATA_SIZE));
}

@inline
export function codeSize(sp: usize): void {
  setSmall(sp, load<u32>(FRAME_CODE_SIZE));
}

@inline
export function returnDataSize(sp: usize): void {
  setSmall(sp, load<u32>(FRAME_RETURNDATA_SIZE));
}

/** CALLDATALOAD: bytes behind the end are zero. */
export function callDataLoad(sp: usize): void {
  const word = sp - 32;
  const size = <u64>load<u32>(FRAME_CALLDATA_SIZE), at = load<u64>(word);
  if (isLarge(word) || at >= size) setSmall(word, 0);
  else {
    const data = load<usize>(FRAME_CALLDATA) + <usize>at;
    const rest = <usize>min<u64>(size - at, 32);
    memory.copy(word, data, rest);
    memory.fill(word + rest, 0, 32 - rest);
    loadBytes(word, word);
  }
}

/** BLOBHASH (EIP-4844): zero behind the last one. */
export function blobHash(sp: usize): void {
  const word = sp - 32;
  const at = load<u64>(word);
  if (isLarge(word) || at >= <u64>load<u32>(BLOB_HASH_COUNT)) setSmall(word, 0);
  else copy(word, BLOB_HASHES + <usize>at * 32);
}
