/** Why the loop returned. The values from OUT_OF_GAS on are exceptional halts, which use all gas of the frame. */
export const STOPPED: i32 = 0;
/** The gas fell below the limit of this slice. The loop continues at the next call. */
export const SLICE_OVER: i32 = 1;
export const RETURNED: i32 = 2;
export const REVERTED: i32 = 3;
export const SELF_DESTRUCTED: i32 = 4;
/** The host makes a call or a contract, whose operands are still on the stack, and continues the frame. */
export const CALL: i32 = 5;
export const CREATE: i32 = 6;
export const OUT_OF_GAS: i32 = 16;
export const STACK_UNDERFLOW: i32 = 17;
export const STACK_OVERFLOW: i32 = 18;
export const INVALID_JUMP: i32 = 19;
export const INVALID_OPCODE: i32 = 20;
export const WRITE_PROTECTION: i32 = 21;
/** RETURNDATACOPY behind the end. */
export const OUT_OF_BOUNDS: i32 = 22;
