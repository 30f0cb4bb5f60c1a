import * as z from 'zod';
import { bytesToHex, quantity } from '../../../protocol/hex.ts';
import { solidityReason } from '../flavour-errors.ts';
import { type FrameNode, FrameTracer } from './frames.ts';
import { shownError, type TraceManner } from './manner.ts';
import { isCreation } from './operands.ts';
import type { Room } from './room.ts';
import type { TraceOutcome } from './tracer.ts';

export const callTracerConfig = z.object({
  onlyTopCall: z.boolean().nullish(),
  withLog: z.boolean().nullish(),
});

/** `callTracer`: the tree of calls. */
export class CallTracer extends FrameTracer {
  readonly #config: z.output<typeof callTracerConfig>;
  readonly #manner: TraceManner;

  constructor(config: z.output<typeof callTracerConfig>, manner: TraceManner, room: Room) {
    super(room);
    this.#config = config;
    this.#manner = manner;
  }

  result({ gasUsed }: TraceOutcome): unknown {
    const { root, traced } = this;
    const isShown = this.#manner.showsUnrunDeposits;
    if (traced === undefined) return null;
    if (root === undefined)
      // A deposit that could not run at all: its mint and its nonce are all that it left.
      return {
        from: isShown ? traced.from : `0x${'00'.repeat(20)}`,
        gas: '0x0',
        gasUsed: quantity(gasUsed),
        input: isShown ? traced.input : '0x',
        error: 'failed deposit transaction',
        ...(isShown ? { value: quantity(traced.value) } : {}),
        type: 'STOP',
      };
    return { ...this.#view(root, false), gas: quantity(traced.gas), gasUsed: quantity(gasUsed), input: traced.input };
  }

  #view(node: FrameNode, isLost: boolean): Record<string, unknown> {
    const { type, from, to, gas, input, value, end, calls, logs } = node;
    const failed = end.error !== undefined;
    const lost = isLost || failed;
    const reason = failed ? solidityReason(end.output) : undefined;
    return {
      from,
      gas: quantity(gas),
      gasUsed: quantity(end.gasUsed),
      ...(failed && isCreation(type) ? {} : { to }),
      input: bytesToHex(input),
      ...(end.output.length > 0 ? { output: bytesToHex(end.output) } : {}),
      ...(end.error === undefined ? {} : { error: shownError(end.error, this.#manner) }),
      ...(reason === undefined ? {} : { revertReason: reason }),
      ...(calls.length > 0 && !this.#config.onlyTopCall ? { calls: calls.map((call) => this.#view(call, lost)) } : {}),
      ...(this.#config.withLog && !lost && logs.length > 0
        ? {
            logs: logs.map(({ log, position, index }) => ({
              ...log,
              position: quantity(this.#config.onlyTopCall && !this.#manner.logIndex ? 0 : position),
              ...(this.#manner.logIndex ? { index: quantity(index) } : {}),
            })),
          }
        : {}),
      ...(type === 'STATICCALL' ? {} : { value: quantity(value) }),
      type,
    };
  }
}
