import { OP } from '../../tracing/opcodes.ts';
import type { FrameEnd } from '../../tracing/tracer.ts';

/** revm's name of a failure, and the texts of tracers that differ from it (revm-inspectors: `fmt_error_msg`). */
interface TraceError {
  readonly name: string;
  readonly parity?: string;
  readonly callTracer?: string;
}

const OUT_OF_GAS = 'Out of gas';
const BAD_INSTRUCTION = 'Bad instruction';

const PRECOMPILE: TraceError = {
  name: 'PrecompileError',
  parity: 'Built-in failed',
  callTracer: 'precompiled failed',
};

/** By geth's message. The first match counts. */
const WORDS: readonly (readonly [RegExp, TraceError])[] = [
  [/^execution reverted/, { name: 'Revert', parity: 'Reverted', callTracer: 'execution reverted' }],
  [/reentrancy sentry$/, oog('ReentrancySentryOOG', 'out of gas: not enough gas for reentrancy sentry')],
  [/^gas uint64 overflow/, oog('InvalidOperandOOG', 'out of gas: invalid operand')],
  [/^out of gas|out of gas$/, oog('OutOfGas', 'out of gas')],
  [
    /^insufficient balance/,
    {
      name: 'OutOfFunds',
      parity: 'Insufficient balance for transfer',
      callTracer: 'insufficient balance for transfer',
    },
  ],
  [
    /^invalid opcode: INVALID/,
    { name: 'InvalidFEOpcode', parity: BAD_INSTRUCTION, callTracer: 'invalid opcode: INVALID' },
  ],
  [/^invalid opcode: opcode/, { name: 'OpcodeNotFound', parity: BAD_INSTRUCTION, callTracer: 'invalid opcode' }],
  // The opcode has a name because a later fork defines it.
  [/^invalid opcode/, { name: 'NotActivated' }],
  [/^stack limit/, { name: 'StackOverflow', parity: 'Out of stack', callTracer: 'Out of stack' }],
  [/^stack underflow/, { name: 'StackUnderflow' }],
  [/^invalid jump/, { name: 'InvalidJump', parity: 'Bad jump destination', callTracer: 'invalid jump destination' }],
  [/^max call depth/, { name: 'CallTooDeep' }],
  [/^return data out of bounds/, { name: 'OutOfOffset' }],
  [/^contract address collision/, { name: 'CreateCollision' }],
  [/^max code size/, { name: 'CreateContractSizeLimit' }],
  [/^invalid code/, { name: 'CreateContractStartingWithEF' }],
  [/^max initcode/, { name: 'CreateInitCodeSizeLimit' }],
];

function oog(name: string, callTracer: string): TraceError {
  return { name, parity: OUT_OF_GAS, callTracer };
}

/** Returns the error of a frame in the `trace_*` methods. */
export function parityTraceError(end: FrameEnd): string {
  const words = wordsOf(end);
  return words.parity ?? words.name;
}

/** Returns the error of a frame in `callTracer`. */
export function callTracerError(end: FrameEnd): string {
  const words = wordsOf(end);
  return words.callTracer ?? words.name;
}

/** Returns the error of the failed instruction in the struct logger. */
export function structLogError(end: FrameEnd): string {
  return `Some(${wordsOf(end).name})`;
}

function wordsOf({ error = '', isPrecompile, forbidden, op = OP.STOP }: FrameEnd): TraceError {
  if (forbidden === 'value') return { name: 'CallNotAllowedInsideStatic' };
  if (forbidden === 'change') return { name: 'StateChangeDuringStaticCall' };
  if (isPrecompile) return PRECOMPILE;
  // revm has one result for a stack underflow of DUP and SWAP and for an overflow.
  const isDeep = op >= OP.DUP1 && op <= OP.SWAP16 && error.startsWith('stack underflow');
  const words = isDeep ? 'stack limit' : error;
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? { name: error };
}
