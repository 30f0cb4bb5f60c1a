import type { Hex } from '../../protocol/types.ts';
import type { Ending, EvmLog } from './state.ts';
import type { CallType, Step } from './step.ts';

/** Opcode that began a message. */
export type FrameType = CallType | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT';

/** A message that begins: the transaction's own (depth 0), a call, a creation or a SELFDESTRUCT. */
export interface Frame {
  readonly type: FrameType;
  readonly depth: number;
  readonly from: Hex;
  /** Account whose code runs, or the created one. A creation that is refused before it has an address has zero. */
  readonly to: Hex;
  readonly input: Uint8Array;
  readonly gas: bigint;
  /** wei; for DELEGATECALL that of the caller's frame. */
  readonly value: bigint;
}

/** End of a message. */
export interface FrameExit {
  readonly ending: Ending;
  readonly gasUsed: bigint;
  /** What it returned, or the code of a contract. */
  readonly output: Uint8Array;
  /** Why a precompile failed. */
  readonly reason?: string;
  /** The opcode with which a frame failed. A message without a frame has none. */
  readonly fault?: Step;
}

/** Observes the messages and opcodes of a transaction (geth: `tracing.Hooks`, revm: `Inspector`). */
export interface Inspector {
  enter(frame: Frame): void;
  leave(exit: FrameExit): void;
  /** Called before an opcode runs or fails. What the step reads of the frame holds during the call alone. */
  step?(step: Step): void;
  /** Called for each log. Its frame may still fail. */
  log(log: EvmLog): void;
}
