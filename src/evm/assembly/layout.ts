/** Addresses in linear memory. Below FIRST are the compiler's own constants. Pages that no run touches cost nothing. */

/** Bytes of a word: four little-endian limbs of 64 bits, the lowest first. */
export const WORD: usize = 32;

const FIRST: usize = 0x1000;

/** The running frame, field by field. A call keeps all of it, up to FRAME_END, and the words of the stack. */
export const FRAME: usize = FIRST;
export const FRAME_PC: usize = FRAME;
export const FRAME_SP: usize = FRAME + 0x08;
export const FRAME_GAS: usize = FRAME + 0x10;
/** Address and bytes of the frame's memory. */
export const FRAME_MEMORY: usize = FRAME + 0x18;
export const FRAME_MEMORY_SIZE: usize = FRAME + 0x20;
/** Address and bytes of the code, and the address of the bitmap of its jump destinations. */
export const FRAME_CODE: usize = FRAME + 0x28;
export const FRAME_CODE_SIZE: usize = FRAME + 0x30;
export const FRAME_JUMPS: usize = FRAME + 0x38;
/** EVM level: its place in the list of levels. */
export const FRAME_LEVEL: usize = FRAME + 0x40;
export const FRAME_CALLDATA: usize = FRAME + 0x48;
export const FRAME_CALLDATA_SIZE: usize = FRAME + 0x50;
/** Bytes that the last call returned. The host has them. */
export const FRAME_RETURNDATA_SIZE: usize = FRAME + 0x58;
/** 1: no opcode may change state (EIP-214). */
export const FRAME_STATIC: usize = FRAME + 0x60;
/** Entries of the journal when the frame began. */
export const FRAME_CHECKPOINT: usize = FRAME + 0x68;
/** Address and bytes that RETURN or REVERT names. */
export const FRAME_OUTPUT: usize = FRAME + 0x70;
export const FRAME_OUTPUT_SIZE: usize = FRAME + 0x78;
export const FRAME_ADDRESS: usize = FRAME + 0x80;
export const FRAME_CALLER: usize = FRAME + 0xa0;
export const FRAME_VALUE: usize = FRAME + 0xc0;
/** Record of the frame's account in the table of accounts. */
export const FRAME_ACCOUNT: usize = FRAME + 0xe0;
export const FRAME_END: usize = FRAME + 0xe8;

/** Words of the transaction and of the block. */
export const ORIGIN: usize = FIRST + 0x100;
export const GAS_PRICE: usize = FIRST + 0x120;
export const COINBASE: usize = FIRST + 0x140;
export const TIMESTAMP: usize = FIRST + 0x160;
export const NUMBER: usize = FIRST + 0x180;
export const PREV_RANDAO: usize = FIRST + 0x1a0;
export const GAS_LIMIT: usize = FIRST + 0x1c0;
export const CHAIN_ID: usize = FIRST + 0x1e0;
export const BASE_FEE: usize = FIRST + 0x200;
export const BLOB_BASE_FEE: usize = FIRST + 0x220;
/** Number of blob hashes, of at most MAX_BLOB_HASHES. */
export const BLOB_HASH_COUNT: usize = FIRST + 0x240;
/** Refund counter of the transaction. */
export const REFUND: usize = FIRST + 0x248;
/** Numbers of records of slots and of accounts, and of entries of the journal. */
export const SLOT_COUNT: usize = FIRST + 0x250;
export const ACCOUNT_COUNT: usize = FIRST + 0x258;
export const JOURNAL_COUNT: usize = FIRST + 0x260;
/** Entries of the index of slots and of accounts, less one. Their number is a power of two. 0: no index yet. */
export const SLOT_MASK: usize = FIRST + 0x268;
export const ACCOUNT_MASK: usize = FIRST + 0x270;
/** Record of the slot that the dynamic gas of an opcode has found. */
export const FOUND: usize = FIRST + 0x278;
/** 1: a table was full, and the run ended with a trap. */
export const FULL: usize = FIRST + 0x280;

/** Gas of the opcode that is reported, and the frame's memory before it expands. */
export const STEP_COST: usize = FIRST + 0x288;
export const STEP_MEMORY_SIZE: usize = FIRST + 0x290;
/** Gas of the access to an account by an opcode that the host runs (EIP-2929). */
export const STEP_ACCESS: usize = FIRST + 0x2a0;
/** What the opcode that is reported adds to the refund counter. */
export const STEP_REFUND: usize = FIRST + 0x298;

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

/** Hashes of the transaction's blobs, as words. */
export const BLOB_HASHES: usize = 0xc000;
export const MAX_BLOB_HASHES: u32 = 256;

const MIB: usize = 0x10_0000;

/** Records of slots that the transaction has read or written, and their index by hash. */
export const SLOTS: usize = MIB;
export const SLOT_BYTES: usize = 128;
export const MAX_SLOTS: u32 = 0x20_0000;
export const SLOT_INDEX: usize = SLOTS + <usize>MAX_SLOTS * SLOT_BYTES;

/** Records of addresses that are warm (EIP-2929), and their index by hash. */
export const ACCOUNTS: usize = SLOT_INDEX + 8 * <usize>MAX_SLOTS;
export const ACCOUNT_BYTES: usize = 64;
export const MAX_ACCOUNTS: u32 = 0x2_0000;
export const ACCOUNT_INDEX: usize = ACCOUNTS + <usize>MAX_ACCOUNTS * ACCOUNT_BYTES;

/** What a revert undoes, in order. */
export const JOURNAL: usize = ACCOUNT_INDEX + 8 * <usize>MAX_ACCOUNTS;
export const ENTRY_BYTES: usize = 48;
export const MAX_ENTRIES: u32 = 0x28_0000;

/** Codes with their bitmaps, which the host places. */
export const CODES: usize = JOURNAL + <usize>MAX_ENTRIES * ENTRY_BYTES;
export const CODES_SIZE: usize = 8 * MIB;

/** Memories of the frames, one above another. */
export const ARENA: usize = CODES + CODES_SIZE;
