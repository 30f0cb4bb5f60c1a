import type { Hex } from '../../../../src/protocol/types.ts';

/** A vmTrace as JSON-RPC shows it. */
export interface ShownVmTrace {
  readonly code: Hex;
  readonly ops: readonly ShownInstruction[];
}
export interface ShownInstruction {
  readonly pc: number;
  readonly op: string;
  readonly cost: number;
  readonly ex: {
    readonly push: readonly Hex[];
    /** Memory before it. `off` is its length. */
    readonly mem: { readonly off: number; readonly data: Hex };
    readonly store: { readonly key: Hex; readonly val: Hex } | null;
    /** Gas before it. */
    readonly used: number;
  };
  readonly sub: ShownVmTrace | null;
}

/**
 * Returns the differences of our vmTrace from anvil's.
 * Anvil's lacks `store`, shows other `push` values on calls and failures, and attaches deeper frames to other calls. So
 * frames are compared one by one.
 */
export function vmDifferences(ours: ShownVmTrace, theirs: ShownVmTrace): string[] {
  const [mine, other] = [framesOf(ours), framesOf(theirs)];
  // Anvil's trace is empty if the last step is a STOP and some frame begins with one.
  if (other.length === 0 && framesOf(ours, true).some(({ ops }) => ops[0]?.op === 'STOP')) return [];
  const gasAtStart = ({ ops: [first] }: ShownVmTrace) => first?.ex.used ?? 0;
  const [left, right] = [mine, other].map((frames) =>
    frames
      .map(keyOf)
      .sort((a, b) => (a.key === b.key ? gasAtStart(a.frame) - gasAtStart(b.frame) : a.key < b.key ? -1 : 1)),
  );
  if (left!.length !== right!.length) return [`${left!.length} frames, anvil has ${right!.length}`];
  return left!.flatMap(({ key, frame }, at) => {
    if (key !== right![at]!.key) return [`frame ${key.slice(0, 2000)}\nanvil's ${right![at]!.key.slice(0, 2000)}`];
    return insideOf(frame, right![at]!.frame);
  });
}

function framesOf(trace: ShownVmTrace, all = false): ShownVmTrace[] {
  const isShown = all || (trace.ops.length > 0 && trace.ops[0]!.op !== 'STOP');
  return [...(isShown ? [trace] : []), ...trace.ops.flatMap(({ sub }) => (sub === null ? [] : framesOf(sub, all)))];
}

function keyOf(frame: ShownVmTrace): { readonly key: string; readonly frame: ShownVmTrace } {
  const steps = frame.ops.map(({ pc, op }) => `${pc} ${/not defined$|^UNKNOWN/.test(op) ? 'Unknown' : op}`);
  return { key: steps.join(), frame };
}

const CALLS = /^(CALL|CALLCODE|DELEGATECALL|STATICCALL|CREATE|CREATE2)$/;

function insideOf(ours: ShownVmTrace, theirs: ShownVmTrace): string[] {
  const mismatches: string[] = [];
  const differ = (what: string, mine: unknown, other: unknown) => {
    if (String(mine) !== String(other)) mismatches.push(`${what}: ${mine}, anvil ${other}`);
  };
  for (const [at, { op, pc, cost, ex }] of ours.ops.entries()) {
    const other = theirs.ops[at]!;
    const name = `${op} at ${pc}`;
    differ(`gas before ${name}`, ex.used, other.ex.used);
    differ(`length of memory before ${name}`, ex.mem.off, other.ex.mem.off);
    differ(`memory before ${name}`, ex.mem.data, other.ex.mem.data);
    // The last instruction may have failed.
    if (at === ours.ops.length - 1) continue;
    differ(`cost of ${name}`, cost, other.cost);
    if (!CALLS.test(op)) differ(`push of ${name}`, ex.push, other.ex.push);
  }
  return mismatches;
}
