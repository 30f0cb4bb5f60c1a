/**
 * Functions of the host. Addresses and results are words in linear memory.
 * A host that lacks what is asked for throws: the transaction begins again when it has it.
 */
@external("host", "storage")
export declare function storage(address: usize, slot: usize, to: usize): void;
@external("host", "balance")
export declare function balance(address: usize, to: usize): void;
@external("host", "codeSize")
export declare function codeSize(address: usize): u32;
/** Stores the hash of the account's code; zero if the account is empty or absent (EIP-1052). */
@external("host", "codeHash")
export declare function codeHash(address: usize, to: usize): void;
/** Copies code of an account and fills up with zeros. */
@external("host", "copyCode")
export declare function copyCode(address: usize, to: usize, from: f64, size: u32): void;
/** Copies what the last call returned. The range lies in it. */
@external("host", "copyReturnData")
export declare function copyReturnData(to: usize, from: u32, size: u32): void;
@external("host", "blockHash")
export declare function blockHash(number: f64, to: usize): void;
/** Keeps a log of the running frame. The topics are words, the first on top of the others. */
@external("host", "log")
export declare function log(topics: u32, firstTopic: usize, data: usize, size: u32): void;
/** Shows the opcode that the frame is about to run, or that fails. Its cost is STEP_COST. */
@external("host", "step")
export declare function step(): void;
