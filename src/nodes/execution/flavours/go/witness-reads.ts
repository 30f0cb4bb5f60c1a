import type { Step } from '../../../../evm/machine/step.ts';
import { u256be } from '../../../../protocol/bytes.ts';
import { hexToBytes } from '../../../../protocol/hex.ts';
import type { StateJournal } from '../../state/state-journal.ts';
import { OP } from '../../tracing/opcodes.ts';
import { addressFrom } from '../../tracing/operands.ts';
import { SSTORE_SENTRY, StaticFrames } from '../../tracing/static-frames.ts';
import type { Tracer } from '../../tracing/tracer.ts';

/**
 * Reads state that geth's instructions load before they need it.
 * Our EVM skips most of these reads, and a witness without them cannot be executed by geth: the code of an EXTCODECOPY
 * of no bytes, and the operands of writes that a static call forbids.
 */
export class GethReads extends StaticFrames implements Tracer {
  readonly #state: StateJournal;

  constructor(state: StateJournal) {
    super();
    this.#state = state;
  }

  step(step: Step): void {
    const { op, stack } = step;
    const word = (depth: number) => stack.at(-1 - depth) ?? 0n;
    const account = (depth: number) => hexToBytes(addressFrom(word(depth)));
    if (op === OP.EXTCODECOPY && word(3) === 0n && step.gas >= step.cost) this.#state.code(account(0));
    if (!this.isStatic) return;
    if (op === OP.SSTORE && step.gas > SSTORE_SENTRY) {
      this.#state.word(hexToBytes(step.address), u256be(word(0)));
    } else if (op === OP.SELFDESTRUCT) this.#state.account(account(0));
    else if (op === OP.CALL && word(2) !== 0n) this.#state.account(account(1));
  }

  result(): undefined {
    return undefined;
  }
}
