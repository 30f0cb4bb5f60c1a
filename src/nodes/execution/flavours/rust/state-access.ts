import type { Step } from '../../../../evm/machine/step.ts';
import { u256be } from '../../../../protocol/bytes.ts';
import { bytesToHex, hexToBytes } from '../../../../protocol/hex.ts';
import type { Hex } from '../../../../protocol/types.ts';
import type { StateJournal } from '../../state/state-journal.ts';
import { OP } from '../../tracing/opcodes.ts';
import { addressFrom } from '../../tracing/operands.ts';
import type { StateAccess, StateAccessModel } from '../../tracing/state-access.ts';
import { SSTORE_SENTRY, StaticFrames } from '../../tracing/static-frames.ts';
import { isDelegation } from '../../transaction/transaction.ts';
import { loadsCallee } from './call-access.ts';

/** Gas of SELFDESTRUCT before it loads a cold beneficiary (EIP-2929), and of a new beneficiary. */
const COLD_SELFDESTRUCT_GAS = 7600n;
const NEW_BENEFICIARY_GAS = 25_000n;

function leastLegacy(ownCost: bigint): bigint {
  return ownCost === 0n ? COLD_SELFDESTRUCT_GAS : ownCost % NEW_BENEFICIARY_GAS;
}

/**
 * State that revm's instructions load, in revm's order (revm: `Host`).
 * A load that the gas cannot pay or that a static call forbids does not happen. Every call loads the code of its
 * callee.
 */
export class RevmStateAccess extends StaticFrames implements StateAccessModel {
  readonly #state: StateJournal;

  constructor(state: StateJournal) {
    super();
    this.#state = state;
  }

  accesses(step: Step): readonly StateAccess[] {
    const { op, stack, gas, ownCost } = step;
    const word = (depth: number) => stack.at(-1 - depth);
    const [first, second] = [word(0), word(1)];
    const { isStatic } = this;
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
        const callee = this.callee(addressFrom(second));
        return ownCost > 0n ? callee : callee.slice(0, 1);
      }
      default:
        return [];
    }
  }

  /** A call loads the code of its callee, and if that is an EIP-7702 delegation, the delegate's. */
  callee(address: Hex): readonly StateAccess[] {
    const code = this.#state.code(hexToBytes(address));
    const delegate: StateAccess[] = isDelegation(code) ? [{ address: bytesToHex(code.subarray(3)), code: true }] : [];
    return [{ address, code: true }, ...delegate];
  }
}

function slotOf({ address }: Step, slot: bigint): StateAccess {
  return { address, slot: bytesToHex(u256be(slot)) };
}
