import type { Ending, Fault } from '../../../evm/machine/state.ts';
import { opName, stackNeed } from './opcode-table.ts';

/** Why a message failed: an ending of our EVM, or the reason of a precompile in geth's words. */
export type MessageFailure = Exclude<Ending, 'success' | 'precompile failed'> | (string & {});

/** Messages of geth's `core/vm/errors.go` by ending. The others are geth's own. */
const MESSAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    revert: 'execution reverted',
    'code store out of gas': 'contract creation code storage out of gas',
    'code too large': 'max code size exceeded',
    'stack overflow': 'stack limit reached 1024 (1023)',
    'invalid jump': 'invalid jump destination',
    'call depth exceeded': 'max call depth exceeded',
    'insufficient balance': 'insufficient balance for transfer',
    'nonce overflow': 'nonce uint64 overflow',
    'code begins with 0xef': 'invalid code: must not begin with 0xef',
    'initcode too large': 'max initcode size exceeded',
  } satisfies { readonly [Failure in Ending]?: string }),
);

/** Returns geth's message for a failure, with what the opcode adds to it. Every tracer works on these messages. */
export function vmErrorMessage(failure: MessageFailure, fault?: Fault): string {
  if (fault !== undefined && failure === 'invalid opcode') return `invalid opcode: ${opName(fault.op)}`;
  if (fault !== undefined && failure === 'stack underflow')
    return `stack underflow (${fault.words} <=> ${stackNeed(fault.op)})`;
  return MESSAGES.get(failure) ?? failure;
}
