import { jsonField } from '../../rpc/json-object.ts';
import { messageOf } from '../../system/failure.ts';
import type { Decoded } from './abi/abi.ts';
import type { Inspector } from './inspector.ts';
import { ask, type Layer } from './layer.ts';

/** An address with the name that it has in this network. */
export interface Party {
  readonly address: string;
  readonly name: string | null;
}

/** A call of a transaction, with those that it makes. */
export interface CallFrame {
  /** CALL, DELEGATECALL, STATICCALL, CREATE, … */
  readonly kind: string;
  readonly from: string;
  readonly to: Party | null;
  /** wei */
  readonly value: string;
  readonly gasUsed: number;
  readonly call: Decoded | null;
  readonly selector: string | null;
  readonly error: string | null;
  /** What the call reverted with. */
  readonly reason: Decoded | null;
  readonly calls: readonly CallFrame[];
  /** Further calls that are left out. */
  readonly omitted: number;
}

/** Calls of a trace that are kept. */
const MAX_TRACE_CALLS = 500;

/** Traces a transaction with `callTracer`; says why if the client cannot. */
export async function readTrace(
  inspector: Inspector,
  layer: Layer,
  hash: string,
): Promise<CallFrame | { missing: string }> {
  const names = inspector.names(layer);
  let left = MAX_TRACE_CALLS;
  const frameOf = (value: unknown): CallFrame => {
    left -= 1;
    const text = (key: string) => {
      const field = jsonField(value, key);
      return typeof field === 'string' ? field : undefined;
    };
    const nested = jsonField(value, 'calls');
    const calls: readonly unknown[] = Array.isArray(nested) ? nested : [];
    const frames: CallFrame[] = [];
    for (const each of calls) if (left > 0) frames.push(frameOf(each));
    const to = text('to');
    const input = text('input') ?? '0x';
    const error = text('error') ?? null;
    const creates = text('type')?.startsWith('CREATE') === true;
    return {
      kind: text('type') ?? 'CALL',
      from: text('from') ?? '',
      to: to === undefined ? null : { address: to, name: names.get(to.toLowerCase()) ?? null },
      value: String(BigInt(text('value') ?? '0x0')),
      gasUsed: Number(text('gasUsed') ?? 0),
      call: creates ? null : inspector.abi.call(input),
      selector: creates || input.length < 10 ? null : input.slice(0, 10),
      error,
      reason: error === null ? null : inspector.abi.error(text('output') ?? '0x'),
      calls: frames,
      omitted: calls.length - frames.length,
    };
  };
  try {
    const trace = await ask(layer, 'debug_traceTransaction', hash, { tracer: 'callTracer' });
    await inspector.identify(layer, calledBy(trace, MAX_TRACE_CALLS));
    return frameOf(trace);
  } catch (error) {
    return { missing: messageOf(error) };
  }
}

/** Lists the addresses that a trace calls, of its first frames. */
function calledBy(trace: unknown, most: number): readonly string[] {
  const frames: unknown[] = [trace];
  for (let at = 0; at < frames.length && frames.length < most; at += 1) {
    const nested = jsonField(frames[at], 'calls');
    if (Array.isArray(nested)) for (const each of nested.slice(0, most)) frames.push(each);
  }
  return frames.flatMap((frame) => {
    const to = jsonField(frame, 'to');
    return typeof to === 'string' ? [to] : [];
  });
}
