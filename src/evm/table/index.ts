import { ARITHMETIC } from './arithmetic.ts';
import { BITWISE, COMPARISON, COUNT_LEADING_ZEROS } from './bits.ts';
import { COPIES, ENVIRONMENT } from './environment.ts';
import { FLOW } from './flow.ts';
import { HASH, MEMORY } from './memory.ts';
import type { OpcodeGroup } from './opcode.ts';
import { STACK } from './stack.ts';
import { ACCOUNTS, CALLS, LOGS, STORAGE } from './state.ts';

/** Every opcode that the loop knows, by the module of its functions. */
export const OPCODE_GROUPS: readonly OpcodeGroup[] = [
  ARITHMETIC,
  COMPARISON,
  BITWISE,
  COUNT_LEADING_ZEROS,
  HASH,
  ENVIRONMENT,
  COPIES,
  ACCOUNTS,
  MEMORY,
  STORAGE,
  FLOW,
  STACK,
  LOGS,
  CALLS,
];
