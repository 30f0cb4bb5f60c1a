/** Addresses in linear memory. Below FIRST are the compiler's own constants. */

/** Bytes of a word: four little-endian limbs of 64 bits, the lowest first. */
export const WORD: usize = 32;

const FIRST: usize = 0x1000;

/** The running frame, field by field. */
export const FRAME_PC: usize = FIRST;
export const FRAME_SP: usize = FIRST + 0x08;
export const FRAME_GAS: usize = FIRST + 0x10;
/** Address and bytes of the frame's memory. */
export const FRAME_MEMORY: usize = FIRST + 0x18;
export const FRAME_MEMORY_SIZE: usize = FIRST + 0x20;
/** Address and bytes of the code, and the address of the bitmap of its jump destinations. */
export const FRAME_CODE: usize = FIRST + 0x28;
export const FRAME_CODE_SIZE: usize = FIRST + 0x30;
export const FRAME_JUMPS: usize = FIRST + 0x38;
/** EVM level: its place in the list of levels. */
export const FRAME_LEVEL: usize = FIRST + 0x40;

/** Numerator of a division: eight limbs and one more. */
export const NUMERATOR: usize = FIRST + 0x400;
/** Divisor of a division after its normalization. */
export const DIVISOR: usize = FIRST + 0x480;
/** Quotient of a division. */
export const QUOTIENT: usize = FIRST + 0x500;
/** Operands that an operation needs beside the stack. */
export const OPERAND: usize = FIRST + 0x580;
/** State of keccak-f: 25 lanes. */
export const LANES: usize = FIRST + 0x600;

/** The stack grows upwards: 1,024 words. The stack pointer is the address behind the top. */
export const STACK: usize = 0x2000;
export const STACK_END: usize = STACK + 1024 * WORD;

/** First address of codes and memories. */
export const ARENA: usize = 0x10000;
