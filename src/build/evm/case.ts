import type { Opcode } from '../../evm/table/opcode.ts';
import { firstLevel, gasAt, memoryEnd, sizeGas, WORD } from './gas.ts';

/**
 * Renders the case of an opcode in the loop that nothing inspects.
 * The checks come in the order of geth: level, stack, static gas, memory and dynamic gas, static calls.
 */
export function renderCase(module: string, opcode: Opcode): string {
  const level = firstLevel(opcode);
  const { dynamicGas, gasArgs = ['sp'] } = opcode;
  return caseOf(opcode, [
    ...(level === 0 ? [] : [failIf(`level < ${level}`, 'INVALID_OPCODE')]),
    ...stackChecks(opcode).map(({ condition, outcome }) => failIf(condition, outcome)),
    ...charge(gasAt(opcode, opcode.gas)),
    ...memoryExpansion(opcode),
    ...sizeGas(opcode).flatMap(charge),
    ...(dynamicGas === undefined ? [] : charge(`${module}.${dynamicGas}(${gasArgs.join(', ')})`)),
    ...(opcode.writes === undefined ? [] : [failIf('load<u32>(FRAME_STATIC) != 0', 'WRITE_PROTECTION')]),
    ...work(module, opcode),
  ]);
}

/** Renders lines as the case of an opcode. */
export function caseOf({ code, name }: Opcode, lines: readonly string[]): string {
  const body = lines.map((line) => `        ${line}`).join('\n');
  return `      case 0x${code.toString(16)}: { // ${name}\n${body}\n      }`;
}

/** Returns the conditions under which the stack has too few or too many words. */
export function stackChecks({ takes, gives }: Opcode): readonly { condition: string; outcome: string }[] {
  const growth = gives - takes;
  return [
    ...(takes > 0 ? [{ condition: `sp < STACK + ${WORD * takes}`, outcome: 'STACK_UNDERFLOW' }] : []),
    ...(growth > 0 ? [{ condition: `sp > STACK_END - ${WORD * growth}`, outcome: 'STACK_OVERFLOW' }] : []),
  ];
}

/** Renders the call of an opcode's function, and the moves of stack pointer and program counter. */
export function work(module: string, { takes, gives, run, args = ['sp'], result, data = 0 }: Opcode): string[] {
  const call = `${module}.${run}(${args.join(', ')})`;
  const growth = gives - takes;
  const move = growth === 0 ? [] : [`sp ${growth > 0 ? '+' : '-'}= ${WORD * Math.abs(growth)};`];
  switch (result) {
    case 'outcome':
      return [`return leave(${call}, pc, sp, gas);`];
    case 'program-counter':
      return [
        `const next = ${call};`,
        failIf('next == 0', 'INVALID_JUMP'),
        'pc = next;',
        ...move,
        failIf('gas < limit', 'SLICE_OVER'),
        'continue;',
      ];
    case 'halt':
      return [`const halt = ${call};`, 'if (halt != STOPPED) return leave(halt, pc, sp, gas);', ...move, 'continue;'];
    default:
      return [`${call};`, ...(data === 0 ? [] : [`pc += ${data};`]), ...move, 'continue;'];
  }
}

const failIf = (condition: string, outcome: string) => `if (${condition}) return leave(${outcome}, pc, sp, gas);`;

const charge = (gas: string) => (gas === '0' ? [] : [`gas -= ${gas};`, failIf('gas < 0', 'OUT_OF_GAS')]);

/** Renders the expansion of memory and its gas. */
function memoryExpansion({ memory }: Opcode): readonly string[] {
  if (memory === undefined) return [];
  return [
    ...memoryEnd(memory),
    'if (end > load<u64>(FRAME_MEMORY_SIZE)) {',
    '  gas -= expansionGas(end);',
    `  ${failIf('gas < 0 || !expand(end)', 'OUT_OF_GAS')}`,
    '}',
  ];
}
