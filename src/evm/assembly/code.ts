const JUMPDEST: u32 = 0x5b;
const PUSH1: u32 = 0x60;
const PUSH32: u32 = 0x7f;

/** Marks the jump destinations of a code in a bitmap of zeros: bytes of JUMPDEST outside the data of PUSH. */
export function analyse(code: usize, size: usize, jumps: usize): void {
  for (let at: usize = 0; at < size; at++) {
    const opcode: u32 = load<u8>(code + at);
    if (opcode == JUMPDEST) store<u8>(jumps + (at >> 3), load<u8>(jumps + (at >> 3)) | (1 << (<u8>at & 7)));
    else if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1;
  }
}
