import { bytesToHex, quantity } from '../../../../protocol/hex.ts';
import type { TraceOutcome } from '../tracer.ts';
import { type FrameNode, FrameTracer } from './frame-tracer.ts';
import { unaffordable } from './parity-trace.ts';

/** Otterscan's numbers of internal operations. */
const KINDS = { CALL: 0, SELFDESTRUCT: 1, CREATE: 2, CREATE2: 3 } as const;

function below(node: FrameNode): FrameNode[] {
  return [node, ...node.calls.flatMap(below)];
}

/**
 * Lists all calls of a transaction in order, each with its depth.
 * Counterpart in reth: `OtterscanApi::trace_transaction`.
 */
export class CallListTracer extends FrameTracer {
  result({ unrun }: Pick<TraceOutcome, 'unrun'>) {
    if (this.root !== undefined) return below(this.root).map(entry);
    return unrun?.gas === undefined || this.traced === undefined ? [] : [entry(unaffordable(this.traced, unrun.gas))];
  }
}

function entry({ type, depth, from, to, value, input, end }: FrameNode) {
  return {
    type,
    depth,
    from,
    to,
    value: quantity(value),
    input: bytesToHex(input),
    output: bytesToHex(end.output),
    ...(end.error === undefined ? {} : { error: end.error }),
  };
}

/**
 * Lists ether movements inside a transaction: calls, creations, SELFDESTRUCTs. The outermost call is excluded.
 * Counterpart in reth: `OtterscanApi::get_internal_operations`.
 */
export class OperationsTracer extends FrameTracer {
  result() {
    const inner = this.root?.end.error === undefined ? (this.root?.calls ?? []).flatMap(lasting) : [];
    return inner.flatMap(({ type, from, to, value }) => {
      if (type !== 'CALL' && type !== 'SELFDESTRUCT' && type !== 'CREATE' && type !== 'CREATE2') return [];
      if (type === 'CALL' && value === 0n) return [];
      return [{ type: KINDS[type], from, to, value: quantity(value) }];
    });
  }
}

/** Returns a frame and those below it, without failed ones. */
function lasting(node: FrameNode): FrameNode[] {
  return node.end.error === undefined ? [node, ...node.calls.flatMap(lasting)] : [];
}
