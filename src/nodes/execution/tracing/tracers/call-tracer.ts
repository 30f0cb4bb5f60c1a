import * as z from 'zod';
import { bytesToHex, quantity } from '../../../../protocol/hex.ts';
import { unpackRevert } from '../../evm/revert.ts';
import type { TraceBehaviour } from '../behaviour.ts';
import { isCreation } from '../operands.ts';
import type { ResponseSizeLimit } from '../response-size-limit.ts';
import type { Traced, TraceOutcome } from '../tracer.ts';
import { type FrameNode, FrameTracer } from './frame-tracer.ts';

/** `tracerConfig` of `callTracer`. */
export const callTracerConfig = z.object({
  onlyTopCall: z.boolean().nullish(),
  withLog: z.boolean().nullish(),
});

/** `callTracer`: the call tree (geth: `callTracer`, revm-inspectors: `geth_call_traces`). */
export class CallTracer extends FrameTracer {
  readonly #config: z.output<typeof callTracerConfig>;
  readonly #behaviour: TraceBehaviour;

  constructor(config: z.output<typeof callTracerConfig>, behaviour: TraceBehaviour, sizeLimit: ResponseSizeLimit) {
    super(sizeLimit);
    this.#config = config;
    this.#behaviour = behaviour;
  }

  result({ gasUsed, unrun }: TraceOutcome): unknown {
    const { root, traced } = this;
    if (traced === undefined) return null;
    if (root === undefined) return this.#unrun(traced, gasUsed, unrun?.gas !== undefined);
    return { ...this.#view(root, false), gas: quantity(traced.gas), gasUsed: quantity(gasUsed), input: traced.input };
  }

  /** Shows a deposit that ran no code: only its mint and nonce changed. `isFunded`: it lacked only the value. */
  #unrun({ from, to, gas, input, value }: Traced, gasUsed: bigint, isFunded: boolean): Record<string, unknown> {
    if (!this.#behaviour.showsUnrunDeposits)
      return {
        from: `0x${'00'.repeat(20)}`,
        gas: '0x0',
        gasUsed: quantity(gasUsed),
        input: '0x',
        error: 'failed deposit transaction',
        type: 'STOP',
      };
    const who = { from, gasUsed: quantity(gasUsed), input, value: quantity(value) };
    if (!isFunded) return { ...who, gas: '0x0', error: 'failed deposit transaction', type: 'STOP' };
    const what = to === null ? { type: 'CREATE' } : { to, type: 'CALL' };
    return { ...who, gas: quantity(gas), error: 'insufficient balance for transfer', ...what };
  }

  #view(node: FrameNode, isLost: boolean): Record<string, unknown> {
    const { type, from, to, gas, input, value, end, calls, logs } = node;
    const failed = end.error !== undefined;
    const isReverted = isLost || failed;
    const isOutermost = node === this.root;
    const keepsLogs = !isReverted || (isOutermost && this.#behaviour.keepsOutermost);
    const legacies = this.#behaviour.keepsOutermost ? calls.filter((call) => call.type === 'SELFDESTRUCT') : [];
    const below = this.#config.onlyTopCall ? legacies : calls;
    const reason = failed ? unpackRevert(end.output) : undefined;
    return {
      from,
      gas: quantity(gas),
      gasUsed: quantity(end.gasUsed),
      ...(failed && isCreation(type) ? {} : { to }),
      input: bytesToHex(input),
      ...(end.output.length > 0 ? { output: bytesToHex(end.output) } : {}),
      ...(end.error === undefined ? {} : { error: this.#behaviour.errors.callTracer(end) }),
      ...(reason === undefined ? {} : { revertReason: reason }),
      ...(below.length > 0 ? { calls: below.map((call) => this.#view(call, isReverted)) } : {}),
      ...(this.#config.withLog && keepsLogs && logs.length > 0
        ? {
            logs: logs.map(({ log, position, index }) => ({
              ...log,
              position: quantity(this.#config.onlyTopCall && !this.#behaviour.logIndex ? 0 : position),
              ...(this.#behaviour.logIndex ? { index: quantity(index) } : {}),
            })),
          }
        : {}),
      ...(type === 'STATICCALL' ? {} : { value: quantity(value) }),
      type,
    };
  }
}
