import type { Gas, Opcode, OpcodeGroup, Touched } from '../../evm/table/opcode.ts';
import { EVM_LEVELS } from '../../protocol/rules/evm-level.ts';

const WORD = 32;

/**
 * Renders the loop over the opcodes of a table as one `switch`.
 * Program counter, stack pointer and gas are locals of it. The functions of opcodes work on the stack pointer.
 * The checks come in the order of geth: stack, static gas, memory and dynamic gas.
 */
export function renderInterpreter(groups: readonly OpcodeGroup[]): string {
  const cases = groups.flatMap(({ module, opcodes }) => opcodes.map((opcode) => renderCase(module, opcode)));
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

/** Runs the frame until an outcome. A jump with less gas than the limit ends the slice. */
export function run(limit: i64): i32 {
  let pc: usize = load<u32>(FRAME_PC), sp: usize = load<u32>(FRAME_SP);
  let gas = load<i64>(FRAME_GAS);
  const level = load<u32>(FRAME_LEVEL);
  while (true) {
    const opcode: u32 = load<u8>(pc++);
    switch (opcode) {
${cases.join('\n')}
      default:
        return leave(INVALID_OPCODE, pc, sp, gas);
    }
  }
}
`;
}

function renderCase(module: string, opcode: Opcode): string {
  const { code, name, takes, gives, run, args = ['sp'], gasArgs = ['sp'], result, data = 0 } = opcode;
  const call = `${module}.${run}(${args.join(', ')})`;
  const growth = gives - takes;
  const lines = [
    ...levelCheck(opcode),
    ...(takes > 0 ? [failIf(`sp < STACK + ${WORD * takes}`, 'STACK_UNDERFLOW')] : []),
    ...(growth > 0 ? [failIf(`sp > STACK_END - ${WORD * growth}`, 'STACK_OVERFLOW')] : []),
    ...(opcode.writes === undefined ? [] : [failIf('load<u32>(FRAME_STATIC) != 0', 'WRITE_PROTECTION')]),
    ...charge(gasAt(opcode, opcode.gas)),
    ...memoryExpansion(opcode),
    ...sizeGas(opcode),
    ...(opcode.dynamicGas === undefined ? [] : charge(`${module}.${opcode.dynamicGas}(${gasArgs.join(', ')})`)),
  ];
  const move = growth === 0 ? [] : [`sp ${growth > 0 ? '+' : '-'}= ${WORD * Math.abs(growth)};`];
  if (result === 'outcome') lines.push(`return leave(${call}, pc, sp, gas);`);
  else if (result === 'program-counter')
    lines.push(
      `const next = ${call};`,
      failIf('next == 0', 'INVALID_JUMP'),
      'pc = next;',
      ...move,
      failIf('gas < limit', 'SLICE_OVER'),
      'continue;',
    );
  else if (result === 'halt')
    lines.push(`const halt = ${call};`, 'if (halt != STOPPED) return leave(halt, pc, sp, gas);', ...move, 'continue;');
  else lines.push(`${call};`, ...(data === 0 ? [] : [`pc += ${data};`]), ...move, 'continue;');
  const body = lines.map((line) => `        ${line}`).join('\n');
  return `      case 0x${code.toString(16)}: { // ${name}\n${body}\n      }`;
}

const failIf = (condition: string, outcome: string) => `if (${condition}) return leave(${outcome}, pc, sp, gas);`;

const charge = (gas: string) => (gas === '0' ? [] : [`gas -= ${gas};`, failIf('gas < 0', 'OUT_OF_GAS')]);

function levelCheck({ since }: Opcode): readonly string[] {
  const place = since === undefined ? 0 : EVM_LEVELS.indexOf(since);
  return place === 0 ? [] : [failIf(`level < ${place}`, 'INVALID_OPCODE')];
}

/** Renders an amount of gas: a number, or a choice by level. */
function gasAt({ name }: Opcode, gas: Gas): string {
  if (typeof gas === 'number') return String(gas);
  const steps = EVM_LEVELS.flatMap((level, place) => {
    const amount = gas[level];
    return amount === undefined ? [] : [{ place, amount }];
  });
  const [first, ...later] = steps;
  if (first === undefined) throw new Error(`opcode ${name} has no gas at any level`);
  return later.reduce((rest, { place, amount }) => `(level >= ${place} ? ${amount} : ${rest})`, String(first.amount));
}

/** Renders the gas by words and bytes. The expansion of memory has bounded the size. */
function sizeGas(opcode: Opcode): readonly string[] {
  const { perWord, perByte } = opcode;
  const size = (at: number) => `<i64>load<u64>(sp - ${WORD * (at + 1)})`;
  return [
    ...(perWord === undefined ? [] : charge(`${gasAt(opcode, perWord.gas)} * ((${size(perWord.size)} + 31) >> 5)`)),
    ...(perByte === undefined ? [] : charge(`${gasAt(opcode, perByte.gas)} * ${size(perByte.size)}`)),
  ];
}

/** Renders the expansion of memory and its gas. */
function memoryExpansion({ memory }: Opcode): readonly string[] {
  if (memory === undefined) return [];
  const [end, ...others] = memory.map(endOf);
  return [
    `${others.length > 0 ? 'let' : 'const'} end = ${end};`,
    ...others.map((other) => `end = max(end, ${other});`),
    'if (end > load<u64>(FRAME_MEMORY_SIZE)) {',
    '  gas -= expansionGas(end);',
    `  ${failIf('gas < 0 || !expand(end)', 'OUT_OF_GAS')}`,
    '}',
  ];
}

function endOf(touched: Touched): string {
  const place = (at: number) => `sp - ${WORD * (at + 1)}`;
  return 'size' in touched
    ? `endOfRange(${place(touched.offset)}, ${place(touched.size)})`
    : `endOfBytes(${place(touched.offset)}, ${touched.bytes})`;
}
