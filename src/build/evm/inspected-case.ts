import type { Opcode } from '../../evm/table/opcode.ts';
import { caseOf, stackChecks, work } from './case.ts';
import { firstLevel, gasAt, memoryEnd, sizeGas } from './gas.ts';

/**
 * Renders the case of an opcode in the loop that reports each opcode before it runs or fails.
 * The gas is added up first, as in geth: the report has the whole of it, also if the frame has less.
 * What the host charges and runs, it reports.
 */
export function renderInspectedCase(module: string, opcode: Opcode): string {
  const gas = gasAt(opcode, opcode.gas);
  const level = firstLevel(opcode);
  return caseOf(opcode, [
    ...(level === 0 ? [] : [faultIf(`level < ${level}`, 'INVALID_OPCODE', '0')]),
    ...stackChecks(opcode).map(({ condition, outcome }) => faultIf(condition, outcome, gas)),
    faultIf(`gas < ${gas}`, 'OUT_OF_GAS', gas),
    `${isFixed(opcode) ? 'const' : 'let'} cost: i64 = ${gas};`,
    ...expansion(opcode),
    ...sizeGas(opcode).map((size) => `cost += ${size};`),
    ...dynamic(module, opcode),
    ...(opcode.refund === undefined ? [] : [`store<i64>(STEP_REFUND, ${module}.${opcode.refund}(sp));`]),
    ...(isFixed(opcode) || opcode.isForHost ? [] : [faultIf('gas < cost', 'OUT_OF_GAS', 'cost')]),
    ...(opcode.writes === undefined ? [] : [faultIf('load<u32>(FRAME_STATIC) != 0', 'WRITE_PROTECTION', 'cost')]),
    'keep(pc, sp, gas, cost);',
    ...(opcode.isForHost ? [] : ['step();']),
    ...(opcode.refund === undefined ? [] : ['store<i64>(STEP_REFUND, 0);']),
    'gas -= cost;',
    ...(opcode.memory === undefined
      ? []
      : [
          `if (${isPaid(opcode)}end > load<u64>(FRAME_MEMORY_SIZE) && !expand(end))`,
          '  return leave(OUT_OF_GAS, pc, sp, gas);',
        ]),
    ...work(module, opcode),
  ]);
}

/** The host finds out that it lacks gas, because its part of the cost comes after the loop's. */
const isPaid = ({ isForHost }: Opcode) => (isForHost ? 'gas >= 0 && ' : '');

/** Whether the gas of an opcode depends on nothing but the level. */
function isFixed({ memory, perWord, perByte, dynamicGas }: Opcode): boolean {
  return memory === undefined && perWord === undefined && perByte === undefined && dynamicGas === undefined;
}

const faultIf = (condition: string, outcome: string, cost: string) =>
  `if (${condition}) return fault(${outcome}, pc, sp, gas, ${cost});`;

/** Renders the gas of the expansion of memory. Without bounds it is not added. */
function expansion({ memory }: Opcode): readonly string[] {
  if (memory === undefined) return [];
  return [
    ...memoryEnd(memory),
    'if (end > load<u64>(FRAME_MEMORY_SIZE)) {',
    '  const growth = expansionGas(end);',
    `  ${faultIf('growth == i64.MAX_VALUE', 'OUT_OF_GAS', 'cost')}`,
    '  cost += growth;',
    '}',
  ];
}

/** Renders the dynamic gas. An amount without bounds is not added: the function has refused the opcode. */
function dynamic(module: string, { dynamicGas, gasArgs = ['sp'], isForHost }: Opcode): readonly string[] {
  if (dynamicGas === undefined) return [];
  const args = gasArgs.map((each) => (each === 'gas' ? 'gas - cost' : each));
  return [
    `const dynamic = ${module}.${dynamicGas}(${args.join(', ')});`,
    ...(isForHost ? ['store<i64>(STEP_ACCESS, dynamic);'] : []),
    faultIf('dynamic == i64.MAX_VALUE', 'OUT_OF_GAS', 'cost'),
    'cost += dynamic;',
  ];
}
