import { u256be } from '../../../protocol/bytes.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { JournaledState } from '../state/journaled.ts';
import { isDelegation } from '../transaction/transaction.ts';
import { OP } from './opcodes.ts';
import { addressFrom } from './operands.ts';
import { loadsCallee } from './revm-call-access.ts';
import { SSTORE_SENTRY, StaticFrames } from './static-frames.ts';
import type { Frame, Step } from './tracer.ts';

/** What SELFDESTRUCT costs before it looks at an heir that is not known yet (EIP-2929), and what it costs to bring a new one to life. */
const COLD_LEGACY = 7600n;
const NEW_HEIR = 25_000n;

function leastLegacy(ownCost: bigint): bigint {
  return ownCost === 0n ? COLD_LEGACY : ownCost % NEW_HEIR;
}

/** What an instruction looks at: an account, perhaps with its code, or a slot of it. */
export interface StateAccess {
  readonly address: Hex;
  readonly slot?: Hex;
  readonly code?: boolean;
}

/**
 * What of the state the instructions of the Rust clients' interpreter look at: nothing that cannot be paid and that no static call may write, and code
 * with every account that is called.
 */
export class RevmStateAccess {
  readonly #state: JournaledState;
  readonly #frames = new StaticFrames();

  constructor(state: JournaledState) {
    this.#state = state;
  }

  enter(frame: Frame): void {
    this.#frames.enter(frame);
  }

  leave(): void {
    this.#frames.leave();
  }

  at(step: Step): readonly StateAccess[] {
    const { op, stack, gas, ownCost } = step;
    const word = (depth: number) => stack.at(-1 - depth);
    const [first, second] = [word(0), word(1)];
    const { isStatic } = this.#frames;
    if (first === undefined) return [];
    switch (op) {
      case OP.BALANCE:
      case OP.EXTCODEHASH:
        return gas >= ownCost ? [{ address: addressFrom(first) }] : [];
      case OP.EXTCODESIZE:
      case OP.EXTCODECOPY:
        return gas >= ownCost && (op === OP.EXTCODESIZE || word(3) !== undefined)
          ? [{ address: addressFrom(first), code: true }]
          : [];
      case OP.SLOAD:
        return gas >= ownCost ? [slotOf(step, first)] : [];
      case OP.SSTORE:
        return second !== undefined && !isStatic && gas > SSTORE_SENTRY ? [slotOf(step, first)] : [];
      case OP.SELFDESTRUCT:
        return !isStatic && gas >= leastLegacy(ownCost) ? [{ address: addressFrom(first) }] : [];
      case OP.CALL:
      case OP.CALLCODE:
      case OP.DELEGATECALL:
      case OP.STATICCALL: {
        const isRefused = op === OP.CALL && isStatic && word(2) !== 0n;
        if (second === undefined || isRefused || !loadsCallee(step)) return [];
        const called = this.called(addressFrom(second));
        return ownCost > 0n ? called : called.slice(0, 1);
      }
      default:
        return [];
    }
  }

  /** A call loads code, and where that delegates (EIP-7702), the delegate's. */
  called(address: Hex): readonly StateAccess[] {
    const code = this.#state.code(hexToBytes(address));
    const delegate: StateAccess[] = isDelegation(code) ? [{ address: bytesToHex(code.subarray(3)), code: true }] : [];
    return [{ address, code: true }, ...delegate];
  }
}

function slotOf({ address }: Step, slot: bigint): StateAccess {
  return { address, slot: bytesToHex(u256be(slot)) };
}
