import type { EvmLevel } from '../../../../../src/protocol/rules/rules.ts';
import { atLevel } from '../level.ts';
import { type Action, frame, type Program, program } from './program.ts';

const TOP = 2n ** 256n - 1n;
const WORDS = [0n, 1n, 2n, 31n, 32n, 255n, 256n, 2n ** 255n, TOP];
/** Offsets and sizes of memory: at the edges of a word, and beyond what gas pays for. */
const OFFSETS = [0n, 1n, 32n, 2n ** 32n, TOP];
const SIZES = [0n, 1n, 33n, 2n ** 64n];

/** Opcodes that only read the stack: code, words taken. */
const BINARY = [
  1, 2, 3, 4, 5, 6, 7, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x1d,
];
const UNARY = [0x15, 0x19];
const TERNARY = [0x08, 0x09];
/** Opcodes that take nothing and push a word. */
const ENVIRONMENT = [
  ...[0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x58, 0x59, 0x5a],
];

const byte = (value: number) => value.toString(16).padStart(2, '0');

/** Returns code that pushes a word. */
export function push(value: bigint | number): string {
  const text = value.toString(16);
  const hex = text.length % 2 ? `0${text}` : text;
  return byte(0x5f + hex.length / 2) + hex;
}

/** Returns an action that runs an opcode with operands, the first of which is on top. */
function op(code: number, operands: readonly bigint[], gives: number): Action {
  return { do: 'code', code: operands.toReversed().map(push).join('') + byte(code), gives };
}

/** Makes programs of opcodes that cannot fail, many in one. */
function* pure(level: EvmLevel): Generator<Action> {
  for (const code of BINARY) for (const left of WORDS) for (const right of WORDS) yield op(code, [left, right], 1);
  for (const code of atLevel(level, 'osaka') ? [...UNARY, 0x1e] : UNARY)
    for (const word of WORDS) yield op(code, [word], 1);
  for (const code of TERNARY)
    for (const first of [1n, 2n ** 255n, TOP])
      for (const second of [0n, 3n, TOP])
        for (const third of [0n, 1n, 2n, TOP]) yield op(code, [first, second, third], 1);
  for (const code of ENVIRONMENT) yield op(code, [], 1);
  if (atLevel(level, 'shanghai')) yield { do: 'code', code: '5f', gives: 1 };
  if (atLevel(level, 'cancun')) yield { do: 'code', code: `4a${push(0)}49${push(TOP)}49`, gives: 3 };
  for (const offset of [0n, 1n, 31n, 32n, 33n, TOP]) yield op(0x35, [offset], 1);
  // Hashes of the own block, its ancestors, and what is neither.
  for (const back of [0, 1, 2, 255, 256, 257]) yield { do: 'code', code: `${push(back)}430340`, gives: 1 };
  for (const number of [0n, 1n, 2n ** 64n, TOP]) yield op(0x40, [number], 1);
}

/** Makes actions of opcodes that fail at some operands. Each runs in a frame of its own. */
function* failing(level: EvmLevel): Generator<Action> {
  const ranges = OFFSETS.flatMap((offset) => SIZES.map((size) => [offset, size] as const));
  const copies = [0x37, 0x39, 0x3e, ...(atLevel(level, 'cancun') ? [0x5e] : [])];
  for (const [offset, size] of ranges) {
    yield op(0x20, [offset, size], 1);
    for (const code of [0xa0, 0xa1, 0xa4])
      yield op(code, [offset, size, ...new Array<bigint>(code - 0xa0).fill(TOP)], 0);
    for (const code of [0xf3, 0xfd]) yield op(code, [offset, size], 0);
    for (const code of copies) yield { do: 'code', code: op3(code, offset, 1n, size), gives: 0 };
    for (const code of copies) yield { do: 'code', code: op3(code, 3n, offset, size), gives: 0 };
    yield { do: 'code', code: `${push(size)}${push(offset)}${push(2)}303c`, gives: 0 };
    for (const code of [0xf0, 0xf5]) yield op(code, [0n, offset, size, ...(code === 0xf5 ? [7n] : [])], 1);
    for (const code of [0xf1, 0xf2, 0xf4, 0xfa]) {
      const value = code === 0xf1 || code === 0xf2 ? [0n] : [];
      yield op(code, [0n, 4n, ...value, offset, size, 0n, 0n], 1);
      yield op(code, [0n, 4n, ...value, 0n, 0n, offset, size], 1);
    }
  }
  for (const offset of OFFSETS) {
    yield op(0x51, [offset], 1);
    for (const code of [0x52, 0x53]) yield op(code, [offset, TOP], 0);
    for (const code of [0x56, 0x57]) yield op(code, [offset, 1n], 0);
    yield op(0x57, [offset, 0n], 0);
  }
}

const op3 = (code: number, first: bigint, second: bigint, third: bigint) =>
  push(third) + push(second) + push(first) + byte(code);

const PURE_OF_ONE = 64;

/** Makes programs of each opcode with operands at their edges. */
export function* operandEdges(level: EvmLevel): Generator<Program> {
  const all = [...pure(level)];
  for (let at = 0; at < all.length; at += PURE_OF_ONE)
    yield program(`opcodes ${at} to ${at + PURE_OF_ONE}`, frame(all.slice(at, at + PURE_OF_ONE)), { value: 3n });
  const risky = [...failing(level)];
  for (let at = 0; at < risky.length; at += FRAMES) {
    const frames = risky
      .slice(at, at + FRAMES)
      .map((action) => frame([{ do: 'code', code: push(TOP), gives: 1 }, action]));
    yield callsOf(`opcodes on memory ${at} to ${at + FRAMES}`, frames);
  }
}

/** Makes programs of each byte as an opcode, and of the ends of the stack. */
export function* everyByte(): Generator<Program> {
  const bytes = Array.from({ length: 256 }, (_, code) => code);
  for (let first = 0; first < 256; first += FRAMES) {
    const part = bytes.slice(first, first + FRAMES);
    const some = push(1).repeat(17);
    yield callsOf(
      `bytes from ${byte(first)} as an opcode with operands`,
      part.map((code) => frame([{ do: 'code', code: some + byte(code), gives: 0 }], 'return')),
    );
    yield callsOf(
      `bytes from ${byte(first)} as an opcode on an empty stack`,
      part.map((code) => frame([{ do: 'code', code: byte(code), gives: 0 }], 'return')),
    );
  }
  const full = push(1).repeat(1023);
  yield callsOf(
    'opcodes on a full stack',
    ['', '58', '5858', '80', '8080', '9f', '5890'].map((code) => frame([{ do: 'code', code: full + code, gives: 0 }])),
  );
}

const FRAMES = 16;

/** Makes a program that calls each of several frames of B. */
function callsOf(title: string, frames: Program['contracts']['B']): Program {
  const calls = frames.map((_, at): Action => ({ do: 'call', by: 'call', to: 'B', frame: at, gas: 100_000 }));
  return program(title, frame(calls), { contracts: { A: [], B: frames, C: [] } });
}
