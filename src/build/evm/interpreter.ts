import type { OpcodeGroup } from '../../evm/table/opcode.ts';
import { renderCase } from './case.ts';
import { renderInspectedCase } from './inspected-case.ts';

/**
 * Renders the loop over the opcodes of a table as one `switch`.
 * Program counter, stack pointer and gas are locals of it. The functions of opcodes work on the stack pointer.
 */
export function renderLoop(groups: readonly OpcodeGroup[]): string {
  const cases = groups.flatMap(({ module, opcodes }) => opcodes.map((opcode) => renderCase(module, opcode)));
  return `${head(groups)}
/** Runs the frame until an outcome. A jump with less gas than the limit ends the slice. */
export function run(limit: i64): i32 {
${body(cases, 'leave(INVALID_OPCODE, pc, sp, gas)')}
}
`;
}

/** Renders a second copy of the loop, which reports each opcode to the host (geth: `OnOpcode`). */
export function renderInspectedLoop(groups: readonly OpcodeGroup[]): string {
  const cases = groups.flatMap(({ module, opcodes }) => opcodes.map((opcode) => renderInspectedCase(module, opcode)));
  return `${head(groups)}
import { step } from '../host';
import { STEP_ACCESS, STEP_COST, STEP_MEMORY_SIZE, STEP_REFUND } from '../layout';

/** Keeps what the host shows of an opcode: its frame before it, and its gas. */
function keep(pc: usize, sp: usize, gas: i64, cost: i64): void {
  leave(STOPPED, pc, sp, gas);
  store<i64>(STEP_COST, cost);
  store<u64>(STEP_MEMORY_SIZE, load<u64>(FRAME_MEMORY_SIZE));
}

/** Reports an opcode that fails before it runs. */
function fault(outcome: i32, pc: usize, sp: usize, gas: i64, cost: i64): i32 {
  keep(pc, sp, gas, cost);
  store<i64>(STEP_ACCESS, 0);
  step();
  store<i64>(STEP_REFUND, 0);
  return outcome;
}

/** Runs the frame as \`run\` does, and reports each opcode before it runs or fails. */
export function inspect(limit: i64): i32 {
${body(cases, 'fault(INVALID_OPCODE, pc, sp, gas, 0)')}
}
`;
}

function head(groups: readonly OpcodeGroup[]): string {
  return `${groups.map(({ module }) => `import * as ${module} from '../opcodes/${module}';`).join('\n')}
import * as layout from '../layout';
import {
  FRAME_GAS,
  FRAME_LEVEL,
  FRAME_MEMORY_SIZE,
  FRAME_PC,
  FRAME_SP,
  FRAME_STATIC,
  STACK,
  STACK_END,
} from '../layout';
import { endOfBytes, endOfRange, expand, expansionGas } from '../memory';
import {
  INVALID_JUMP,
  INVALID_OPCODE,
  OUT_OF_GAS,
  SLICE_OVER,
  STACK_OVERFLOW,
  STACK_UNDERFLOW,
  STOPPED,
  WRITE_PROTECTION,
} from '../outcome';

/** Keeps the locals of the loop in the frame. */
function leave(outcome: i32, pc: usize, sp: usize, gas: i64): i32 {
  store<u32>(FRAME_PC, <u32>pc);
  store<u32>(FRAME_SP, <u32>sp);
  store<i64>(FRAME_GAS, gas);
  return outcome;
}
`;
}

function body(cases: readonly string[], invalid: string): string {
  return `  let pc: usize = load<u32>(FRAME_PC), sp: usize = load<u32>(FRAME_SP);
  let gas = load<i64>(FRAME_GAS);
  const level = load<u32>(FRAME_LEVEL);
  while (true) {
    const opcode: u32 = load<u8>(pc++);
    switch (opcode) {
${cases.join('\n')}
      default:
        return ${invalid};
    }
  }`;
}
