import type { Hex } from '../../../../src/protocol/types.ts';

/** A trace of the virtual machine as RPC shows it. */
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
    readonly mem: { readonly off: number; readonly data: Hex } | null;
    readonly store: { readonly key: Hex; readonly val: Hex } | null;
    readonly used: number;
  } | null;
  readonly sub: ShownVmTrace | null;
}

/** Memory of a frame after the changes that its instructions told of. */
export class ToldMemory {
  #bytes = Buffer.alloc(0);

  apply(change: { readonly off: number; readonly data: Hex } | null | undefined): void {
    if (change == null) return;
    const data = Buffer.from(change.data.slice(2), 'hex');
    const grown = Buffer.alloc(Math.max(this.#bytes.length, change.off + data.length));
    this.#bytes.copy(grown);
    data.copy(grown, change.off);
    this.#bytes = grown;
  }

  /** Whether a whole memory is this one, which may be longer by zeros. */
  is(whole: Hex): boolean {
    const bytes = Buffer.from(whole.slice(2), 'hex');
    const shared = Math.min(bytes.length, this.#bytes.length);
    const isZero = (rest: Buffer) => rest.every((byte) => byte === 0);
    return (
      bytes.subarray(0, shared).equals(this.#bytes.subarray(0, shared)) &&
      isZero(bytes.subarray(shared)) &&
      isZero(this.#bytes.subarray(shared))
    );
  }
}

/**
 * What differs between our trace of the virtual machine and anvil's. Anvil's has the gas before an instruction as `used`, the whole memory before
 * it as `mem`, no `store`, on a call what lay on the stack while it ran, and hangs deeper frames under other calls than those that made them: so
 * frames are compared one by one, wherever they hang.
 */
export function vmDifferences(ours: ShownVmTrace, theirs: ShownVmTrace): string[] {
  const [mine, other] = [framesOf(ours), framesOf(theirs)];
  // A transaction whose last step is a STOP loses all in anvil's when some frame begins with one.
  if (other.length === 0 && framesOf(ours, true).some(({ ops }) => ops[0]?.op === 'STOP')) return [];
  const gasAtStart = ({ ops: [first] }: ShownVmTrace, isOurs: boolean) =>
    (first?.ex?.used ?? 0) + (isOurs ? (first?.cost ?? 0) : 0);
  const [left, right] = [mine, other].map((frames, at) =>
    frames
      .map(keyOf)
      .sort((a, b) =>
        a.key === b.key ? gasAtStart(a.frame, at === 0) - gasAtStart(b.frame, at === 0) : a.key < b.key ? -1 : 1,
      ),
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
  const memory = new ToldMemory();
  const found: string[] = [];
  for (const [at, instruction] of ours.ops.entries()) {
    const other = theirs.ops[at]!;
    const { op, pc, cost, ex } = instruction;
    const name = `${op} at ${pc}`;
    if (!memory.is(other.ex!.mem!.data)) found.push(`memory before ${name}`);
    memory.apply(ex?.mem);
    if (ex === null) continue;
    if (cost !== other.cost) found.push(`cost of ${name}: ${cost}, anvil ${other.cost}`);
    if (CALLS.test(op)) continue;
    if (ex.used !== other.ex!.used - cost) found.push(`gas after ${name}: ${ex.used}, anvil ${other.ex!.used - cost}`);
    if (ex.push.join() !== other.ex!.push.join()) found.push(`push of ${name}: ${ex.push}, anvil ${other.ex!.push}`);
  }
  return found;
}
