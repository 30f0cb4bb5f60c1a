import { bytesToHex, quantity } from '../../../protocol/hex.ts';
import type { Machine } from '../evm/machine.ts';
import { type FrameNode, FrameTracer } from './frames.ts';
import { isCreation } from './operands.ts';
import type { Traced } from './tracer.ts';

/** One call, creation or self-destruction in Parity's flat form. */
export interface ParityTrace {
  readonly type: 'call' | 'create' | 'suicide';
  readonly action: Readonly<Record<string, string>>;
  readonly result: Readonly<Record<string, string>> | null;
  readonly error?: string;
  readonly subtraces: number;
  readonly traceAddress: readonly number[];
}

/** Parity's words for the Go client's. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^execution reverted/, 'Reverted'],
  [/^out of gas|out of gas$/, 'Out of gas'],
  [/^invalid input of a precompile/, 'Built-in failed'],
  [/^insufficient balance/, 'Insufficient balance for transfer'],
  [/^invalid opcode/, 'Bad instruction'],
  [/^stack limit/, 'Out of stack'],
  [/^stack underflow/, 'StackUnderflow'],
  [/^invalid jump/, 'Bad jump destination'],
  [/^write protection/, 'StateChangeDuringStaticCall'],
  [/^max call depth/, 'CallTooDeep'],
  [/^contract address collision/, 'CreateCollision'],
  [/^max code size/, 'CreateContractSizeLimit'],
  [/^invalid code/, 'CreateContractStartingWithEF'],
  [/^max initcode/, 'CreateInitCodeSizeLimit'],
];

/** The calls of a transaction one after another, each with its place in the tree; calls of precompiles without value are left out. */
export class ParityTracer extends FrameTracer {
  #precompiles: ReadonlyMap<string, unknown> = new Map();

  override start(machine: Machine, traced: Traced): void {
    super.start(machine, traced);
    this.#precompiles = machine.evm.precompiles;
  }

  result(): ParityTrace[] {
    return this.root === undefined ? [] : this.#flat(this.root, []);
  }

  #flat(node: FrameNode, traceAddress: readonly number[]): ParityTrace[] {
    const calls = node.calls.filter(({ to, value }) => value > 0n || !this.#precompiles.has(to.slice(2)));
    return [
      { ...own(node), subtraces: calls.length, traceAddress },
      ...calls.flatMap((call, at) => this.#flat(call, [...traceAddress, at])),
    ];
  }
}

function own(node: FrameNode): Omit<ParityTrace, 'subtraces' | 'traceAddress'> {
  const { type, from, to, gas, value, input, end } = node;
  if (type === 'SELFDESTRUCT')
    return { type: 'suicide', action: { address: from, refundAddress: to, balance: quantity(value) }, result: null };
  const gasUsed = quantity(end.gasUsed);
  const error = end.error === undefined ? {} : { error: parityWords(end.error) };
  const hasResult = end.error === undefined || end.error === 'execution reverted';
  if (isCreation(type))
    return {
      type: 'create',
      action: {
        from,
        gas: quantity(gas),
        init: bytesToHex(input),
        value: quantity(value),
        creationMethod: type.toLowerCase(),
      },
      result: hasResult ? { address: to, code: bytesToHex(end.output), gasUsed } : null,
      ...error,
    };
  const action = {
    from,
    to,
    callType: type.toLowerCase(),
    gas: quantity(gas),
    input: bytesToHex(input),
    value: quantity(value),
  };
  return { type: 'call', action, result: hasResult ? { gasUsed, output: bytesToHex(end.output) } : null, ...error };
}

function parityWords(error: string): string {
  return WORDS.find(([pattern]) => pattern.test(error))?.[1] ?? error;
}
