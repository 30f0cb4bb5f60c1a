import type { Gas, Opcode, Touched } from '../../evm/table/opcode.ts';
import { EVM_LEVELS } from '../../protocol/rules/evm-level.ts';

/** Bytes of a word of the stack. */
export const WORD = 32;

/** Renders the address of a word of the stack. Place 0 is the top. */
export const wordAt = (place: number) => `sp - ${WORD * (place + 1)}`;

/** Returns the place of the level from which an opcode exists, among the levels. */
export function firstLevel({ since }: Opcode): number {
  return since === undefined ? 0 : EVM_LEVELS.indexOf(since);
}

/** Renders an amount of gas: a number, or a choice by level. @throws Error for an opcode without gas */
export function gasAt({ name }: Opcode, gas: Gas): string {
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
export function sizeGas(opcode: Opcode): readonly string[] {
  const { perWord, perByte } = opcode;
  const size = (place: number) => `<i64>load<u64>(${wordAt(place)})`;
  return [
    ...(perWord === undefined ? [] : [`${gasAt(opcode, perWord.gas)} * ((${size(perWord.size)} + 31) >> 5)`]),
    ...(perByte === undefined ? [] : [`${gasAt(opcode, perByte.gas)} * ${size(perByte.size)}`]),
  ];
}

/** Renders the end of the memory that an opcode touches, as the constant or variable `end`. */
export function memoryEnd(memory: readonly Touched[]): readonly string[] {
  const [end, ...others] = memory.map(endOf);
  return [
    `${others.length > 0 ? 'let' : 'const'} end = ${end};`,
    ...others.map((other) => `end = max(end, ${other});`),
  ];
}

function endOf(touched: Touched): string {
  return 'size' in touched
    ? `endOfRange(${wordAt(touched.offset)}, ${wordAt(touched.size)})`
    : `endOfBytes(${wordAt(touched.offset)}, ${touched.bytes})`;
}
