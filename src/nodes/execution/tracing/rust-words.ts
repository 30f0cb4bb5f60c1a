import { OP } from './opcodes.ts';
import type { FrameEnd } from './tracer.ts';

/** Why code stopped in the words of the Rust clients: their interpreter's name for it, and where they say it in other words, those. */
interface RustWords {
  readonly name: string;
  readonly parity?: string;
  readonly callTracer?: string;
}

const OUT_OF_GAS = 'Out of gas';
const BAD = 'Bad instruction';

/** By the Go client's words; the first that fits. */
const WORDS: readonly (readonly [RegExp, RustWords])[] = [
  [/^execution reverted/, { name: 'Revert', parity: 'Reverted', callTracer: 'execution reverted' }],
  [/reentrancy sentry$/, oog('ReentrancySentryOOG', 'out of gas: not enough gas for reentrancy sentry')],
  [/^gas uint64 overflow/, oog('InvalidOperandOOG', 'out of gas: invalid operand')],
  [/^out of gas|out of gas$/, oog('OutOfGas', 'out of gas')],
  [
    /^invalid input of a precompile/,
    { name: 'PrecompileError', parity: 'Built-in failed', callTracer: 'precompiled failed' },
  ],
  [
    /^insufficient balance/,
    {
      name: 'OutOfFunds',
      parity: 'Insufficient balance for transfer',
      callTracer: 'insufficient balance for transfer',
    },
  ],
  [/^invalid opcode: INVALID/, { name: 'InvalidFEOpcode', parity: BAD, callTracer: 'invalid opcode: INVALID' }],
  [/^invalid opcode: opcode/, { name: 'OpcodeNotFound', parity: BAD, callTracer: 'invalid opcode' }],
  // It has a name: a later fork knows it.
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

function oog(name: string, callTracer: string): RustWords {
  return { name, parity: OUT_OF_GAS, callTracer };
}

/** Why a frame failed, as the Rust clients' `trace_*` methods say it. */
export function parityWords(end: FrameEnd): string {
  const words = wordsOf(end);
  return words.parity ?? words.name;
}

/** As their `callTracer` says it. */
export function callWords(end: FrameEnd): string {
  const words = wordsOf(end);
  return words.callTracer ?? words.name;
}

/** As their struct logger says it of the instruction that failed. */
export function stepWords(end: FrameEnd): string {
  return `Some(${wordsOf(end).name})`;
}

function wordsOf({ error = '', forbidden, op = OP.STOP }: FrameEnd): RustWords {
  if (forbidden === 'value') return { name: 'CallNotAllowedInsideStatic' };
  if (forbidden === 'change') return { name: 'StateChangeDuringStaticCall' };
  // Their interpreter has one result for both: what DUP and SWAP do not find, and what has no place.
  const isDeep = op >= OP.DUP1 && op <= OP.SWAP16 && error.startsWith('stack underflow');
  const words = isDeep ? 'stack limit' : error;
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? { name: error };
}
