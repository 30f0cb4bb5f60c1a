import { bytesToHex, quantity } from '../../../protocol/hex.ts';
import { type FrameNode, FrameTracer } from './frame-tracer.ts';
import { unaffordable } from './parity-trace.ts';
import type { TraceOutcome } from './tracer.ts';

/** Kinds of internal operations by number. */
const KINDS = { CALL: 0, SELFDESTRUCT: 1, CREATE: 2, CREATE2: 3 } as const;

function below(node: FrameNode): FrameNode[] {
  return [node, ...node.calls.flatMap(below)];
}

/** All calls of a transaction in their order, each with its depth. */
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

/** Where ether went inside a transaction: transfers, creations, legacies; the transaction's own is none of them. */
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

/** A frame with those below it, without what failed. */
function lasting(node: FrameNode): FrameNode[] {
  return node.end.error === undefined ? [node, ...node.calls.flatMap(lasting)] : [];
}
