import * as z from 'zod';
import { bytesToHex, quantity } from '../../../../protocol/hex.ts';
import { unpackRevert } from '../../evm/revert.ts';
import type { JsonFields } from '../../views/json-fields.ts';
import { WrittenView } from '../../views/json-text.ts';
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
    const whole = { gas: traced.gas, gasUsed, input: traced.input };
    return new WrittenView((fields) => this.#view(fields, root, whole, false));
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
    const who = { from, gasUsed: quantity(gasUsed), input: bytesToHex(input), value: quantity(value) };
    if (!isFunded) return { ...who, gas: '0x0', error: 'failed deposit transaction', type: 'STOP' };
    const what = to === null ? { type: 'CREATE' } : { to, type: 'CALL' };
    return { ...who, gas: quantity(gas), error: 'insufficient balance for transfer', ...what };
  }

  /** Passes the fields of a frame. The outermost one shows gas and input of its transaction. */
  #view(fields: JsonFields, node: FrameNode, { gas, gasUsed, input }: Metered, isLost: boolean): void {
    const { type, from, to, value, end, calls, logs } = node;
    const failed = end.error !== undefined;
    const isReverted = isLost || failed;
    const keepsLogs = !isReverted || (node === this.root && this.#behaviour.keepsOutermost);
    const legacies = this.#behaviour.keepsOutermost ? calls.filter((call) => call.type === 'SELFDESTRUCT') : [];
    const below = this.#config.onlyTopCall ? legacies : calls;
    const reason = failed ? unpackRevert(end.output) : undefined;
    fields.data('from', from);
    fields.quantity('gas', gas);
    fields.quantity('gasUsed', gasUsed);
    if (!(failed && isCreation(type))) fields.data('to', to);
    fields.data('input', input);
    if (end.output.length > 0) fields.data('output', end.output);
    if (failed) fields.value('error', this.#behaviour.errors.callTracer(end));
    if (reason !== undefined) fields.value('revertReason', reason);
    if (below.length > 0)
      fields.objects('calls', below, (inner, call) =>
        this.#view(inner, call, { gas: call.gas, gasUsed: call.end.gasUsed, input: call.input }, isReverted),
      );
    if (this.#config.withLog && keepsLogs && logs.length > 0)
      fields.objects('logs', logs, (inner, log) => this.#log(inner, log));
    if (type !== 'STATICCALL') fields.quantity('value', value);
    fields.value('type', type);
  }

  #log(fields: JsonFields, { log, position, index }: FrameNode['logs'][number]): void {
    fields.data('address', log.address);
    fields.list('topics', log.topics);
    fields.data('data', log.data);
    fields.quantity('position', this.#config.onlyTopCall && !this.#behaviour.logIndex ? 0 : position);
    if (this.#behaviour.logIndex) fields.quantity('index', index);
  }
}

/** What a frame was given and has used. */
interface Metered {
  readonly gas: bigint;
  readonly gasUsed: bigint;
  readonly input: Uint8Array;
}
