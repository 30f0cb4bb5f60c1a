/** Messages of geth's `core/vm/errors.go`, by the EVM library's own. */
const MESSAGES: Readonly<Record<string, string>> = {
  revert: 'execution reverted',
  'out of gas': 'out of gas',
  'code store out of gas': 'contract creation code storage out of gas',
  'code size to deposit exceeds maximum code size': 'max code size exceeded',
  'stack underflow': 'stack underflow',
  'stack overflow': 'stack limit reached 1024 (1023)',
  'invalid JUMP': 'invalid jump destination',
  'invalid opcode': 'invalid opcode',
  'value out of range': 'gas uint64 overflow',
  'static state change': 'write protection',
  'create collision': 'contract address collision',
  'insufficient balance': 'insufficient balance for transfer',
  'value overflow': 'insufficient balance for transfer',
  'invalid bytecode deployed': 'invalid code: must not begin with 0xef',
  'initcode exceeds max initcode size': 'max initcode size exceeded',
};

/** Returns geth's message for a failure of the EVM library. Every tracer works on these messages. */
export function vmErrorMessage(failure: string): string {
  return MESSAGES[vmFailureKey(failure)] ?? failure;
}

/** Strips the position that the EVM library adds to an invalid jump. */
export function vmFailureKey(failure: string): string {
  return failure.startsWith('invalid JUMP') ? 'invalid JUMP' : failure;
}
