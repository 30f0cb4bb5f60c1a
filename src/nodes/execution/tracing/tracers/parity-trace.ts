import { NO_BYTES } from '../../../../protocol/bytes.ts';
import { bytesToHex, quantity } from '../../../../protocol/hex.ts';
import type { Hex } from '../../../../protocol/types.ts';
import type { BlockEvm } from '../../evm/evm-factory.ts';
import { vmErrorMessage } from '../../evm/vm-error.ts';
import type { TraceBehaviour } from '../behaviour.ts';
import { isCreation } from '../operands.ts';
import type { ResponseSizeLimit } from '../response-size-limit.ts';
import type { Traced, TraceOutcome } from '../tracer.ts';
import { type FrameNode, FrameTracer } from './frame-tracer.ts';

const ZERO_ADDRESS = `0x${'00'.repeat(20)}`;

/** A call, creation or SELFDESTRUCT in Parity's flat format. */
export interface ParityTrace {
  readonly type: 'call' | 'create' | 'suicide';
  readonly action: Readonly<Record<string, string>>;
  readonly result: Readonly<Record<string, string>> | null;
  readonly error?: string;
  readonly subtraces: number;
  readonly traceAddress: readonly number[];
}

/** op-reth's trace of a deposit whose gas does not pay for its data: an empty call. */
const UNPAID_DEPOSIT: ParityTrace = {
  type: 'call',
  action: { from: ZERO_ADDRESS, to: ZERO_ADDRESS, callType: 'call', gas: '0x0', input: '0x', value: '0x0' },
  result: { gasUsed: '0x0', output: '0x' },
  subtraces: 0,
  traceAddress: [],
};

/**
 * Lists the calls of a transaction with their trace addresses (revm-inspectors: `ParityTraceBuilder`).
 * Calls of precompiles without value are omitted.
 */
export class ParityTracer extends FrameTracer {
  readonly #errors: TraceBehaviour['errors'];
  #precompiles: ReadonlyMap<Hex, unknown> = new Map();

  constructor({ errors }: TraceBehaviour, sizeLimit: ResponseSizeLimit) {
    super(sizeLimit);
    this.#errors = errors;
  }

  override start(vm: BlockEvm, traced: Traced): void {
    super.start(vm, traced);
    this.#precompiles = vm.precompiles;
  }

  result({ unrun }: Pick<TraceOutcome, 'unrun'>): ParityTrace[] {
    if (this.root !== undefined) return this.#flat(this.root, []);
    if (unrun?.gas === undefined || this.traced === undefined) return [UNPAID_DEPOSIT];
    return this.#flat(unaffordable(this.traced, unrun.gas), []);
  }

  #flat(node: FrameNode, traceAddress: readonly number[]): ParityTrace[] {
    const calls = node.calls.filter(({ to, value }) => value > 0n || !this.#precompiles.has(to));
    return [
      { ...this.#frameTrace(node), subtraces: calls.length, traceAddress },
      ...calls.flatMap((call, at) => this.#flat(call, [...traceAddress, at])),
    ];
  }

  #frameTrace(node: FrameNode): Omit<ParityTrace, 'subtraces' | 'traceAddress'> {
    const { type, from, to, gas, value, input, end } = node;
    if (type === 'SELFDESTRUCT')
      return { type: 'suicide', action: { address: from, refundAddress: to, balance: quantity(value) }, result: null };
    const gasUsed = quantity(end.gasUsed);
    const error = end.error === undefined ? {} : { error: this.#errors.parity(end) };
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
}

/** Returns the frame of a deposit that lacks its value. */
export function unaffordable({ from, to, target, value, input }: Traced, gas: bigint): FrameNode {
  const end = { gasUsed: 0n, output: NO_BYTES, error: vmErrorMessage('insufficient balance') };
  const frame = { type: to === null ? 'CREATE' : 'CALL', depth: 0, from, to: target, gas, value } as const;
  return { ...frame, input, end, calls: [], logs: [] };
}
