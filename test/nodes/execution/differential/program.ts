import type { EvmLevel } from '../../../../src/protocol/rules/rules.ts';
import { atLevel as at } from './level.ts';
import type { Random } from './random.ts';

/** An opcode that only changes the stack: code, words taken, words pushed. */
type Simple = readonly [number, number, number];

const ARITHMETIC: readonly Simple[] = [
  ...[0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b].map((code): Simple => [code, 2, 1]),
  [0x08, 3, 1],
  [0x09, 3, 1],
  ...[0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x1d].map((code): Simple => [code, 2, 1]),
  [0x15, 1, 1],
  [0x19, 1, 1],
];
const ENVIRONMENT = [
  0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x58, 0x59, 0x5a,
];

/** Opcodes that a level brings. Before it they are invalid. */
const NEW: readonly (readonly [number, EvmLevel])[] = [
  [0x5f, 'shanghai'],
  ...[0x49, 0x4a, 0x5c, 0x5d, 0x5e].map((code) => [code, 'cancun'] as const),
  [0x1e, 'osaka'],
];

/** Limbs of words at which carries and the digits of quotients are at their edges. */
const LIMBS = [0n, 1n, 2n ** 32n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n];
const WORDS = [
  0n,
  1n,
  2n,
  3n,
  31n,
  32n,
  255n,
  256n,
  2n ** 64n,
  2n ** 128n - 1n,
  2n ** 255n,
  2n ** 256n - 1n,
  2n ** 256n - 2n,
];

/** Callable contracts, and known precompile inputs. */
export interface Surroundings {
  readonly level: EvmLevel;
  readonly targets: readonly Uint8Array[];
}

/** Generates random code with a known stack. Most of it succeeds, some fails on purpose. */
export class ProgramWriter {
  readonly #random: Random;
  readonly #around: Surroundings;
  readonly #bytes: number[] = [];
  #depth = 0;

  constructor(random: Random, around: Surroundings) {
    this.#random = random;
    this.#around = around;
  }

  /** Generates code of about `steps` pieces with an end. `keeps`: an error in stack or memory shows in the end. */
  static write(random: Random, around: Surroundings, steps: number, keeps = true): Uint8Array {
    const writer = new ProgramWriter(random, around);
    for (let step = 0; step < steps; step++) writer.#piece();
    if (keeps) writer.#keep();
    writer.#end();
    return Uint8Array.from(writer.#bytes);
  }

  #op(...codes: number[]): void {
    this.#bytes.push(...codes);
  }

  #push(value: bigint): void {
    const { level } = this.#around;
    this.#depth++;
    if (value === 0n && at(level, 'shanghai') && this.#random.chance(0.7)) {
      this.#op(0x5f);
      return;
    }
    const hex = value.toString(16);
    const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
    // Sometimes longer than needed, so that every PUSH occurs.
    const size = Math.min(32, bytes.length + (this.#random.chance(0.3) ? this.#random.below(33 - bytes.length) : 0));
    this.#op(0x5f + size, ...new Array(size - bytes.length).fill(0), ...bytes);
  }

  #word(): void {
    const random = this.#random;
    const roll = random.below(10);
    if (roll < 5) this.#push(random.pick(WORDS));
    else if (roll < 7) this.#push([0, 1, 2, 3].reduce((word) => (word << 64n) | random.pick(LIMBS), 0n));
    else this.#push(BigInt(`0x${Buffer.from(random.bytes(1 + random.below(32))).toString('hex')}`));
  }

  /** Pushes a memory offset, nearly always a low one. */
  #offset(): void {
    this.#push(BigInt(this.#random.chance(0.01) ? 2 ** 20 + this.#random.below(2 ** 33) : this.#random.below(200)));
  }

  #slot(): void {
    this.#push(BigInt(this.#random.below(4)));
  }

  #address(): void {
    this.#push(BigInt(`0x${Buffer.from(this.#random.pick(this.#around.targets)).toString('hex')}`));
  }

  #ensure(words: number): void {
    while (this.#depth < words) this.#word();
  }

  #simple([code, takes, gives]: Simple): void {
    if (this.#random.chance(0.5)) for (let word = 0; word < takes; word++) this.#word();
    this.#ensure(takes);
    this.#op(code);
    this.#depth += gives - takes;
  }

  /** Pushes the operands. `give` words remain. */
  #with(code: number, operands: readonly (() => void)[], gives: number): void {
    for (const operand of operands.toReversed()) operand();
    this.#op(code);
    this.#depth += gives - operands.length;
  }

  #piece(): void {
    const random = this.#random;
    const { level } = this.#around;
    const [word, offset, slot, address] = [
      () => this.#word(),
      () => this.#offset(),
      () => this.#slot(),
      () => this.#address(),
    ];
    const pieces: (() => void)[] = [
      () => this.#simple(random.pick(ARITHMETIC)),
      () => this.#simple(random.pick(ARITHMETIC)),
      () => this.#simple([random.pick(ENVIRONMENT), 0, 1]),
      () => this.#with(0x20, [offset, offset], 1),
      () => this.#with(random.pick([0x31, 0x3b, 0x3f]), [address], 1),
      () => this.#with(0x35, [offset], 1),
      () => this.#with(random.pick([0x37, 0x39]), [offset, offset, offset], 0),
      () => this.#with(0x3c, [address, offset, offset, offset], 0),
      () => this.#with(0x3e, [offset, () => this.#push(0n), random.chance(0.1) ? offset : () => this.#push(0n)], 0),
      () => this.#with(0x40, [random.chance(0.5) ? word : () => this.#push(BigInt(random.below(8)))], 1),
      () => this.#simple([0x50, 1, 0]),
      () => this.#with(0x51, [offset], 1),
      () => this.#with(random.pick([0x52, 0x53]), [offset, word], 0),
      () => this.#with(0x54, [slot], 1),
      () => this.#with(0x55, [slot, random.chance(0.4) ? () => this.#push(0n) : word], 0),
      () => this.#with(0x55, [slot, word], 0),
      () => this.#jump(),
      () => this.#duplicate(),
      () => this.#swap(),
      () => this.#log(random.below(5)),
      () => this.#call(),
      () => this.#call(),
      () => this.#create(),
    ];
    if (at(level, 'cancun')) {
      pieces.push(
        () => this.#with(0x49, [slot], 1),
        () => this.#simple([0x4a, 0, 1]),
        () => this.#with(0x5c, [slot], 1),
        () => this.#with(0x5d, [slot, word], 0),
        () => this.#with(0x5e, [offset, offset, offset], 0),
      );
    }
    if (at(level, 'osaka')) pieces.push(() => this.#simple([0x1e, 1, 1]));
    random.pick(pieces)();
  }

  #log(topics: number): void {
    for (let topic = 0; topic < topics; topic++) this.#word();
    this.#offset();
    this.#offset();
    this.#op(0xa0 + topics);
    this.#depth -= topics + 2;
  }

  #duplicate(): void {
    const back = 1 + this.#random.below(16);
    this.#ensure(back);
    this.#op(0x7f + back);
    this.#depth++;
  }

  #swap(): void {
    const back = 1 + this.#random.below(16);
    this.#ensure(back + 1);
    this.#op(0x8f + back);
  }

  /** Jumps over an invalid byte, by JUMP or by JUMPI with a condition that may be false. */
  #jump(): void {
    const conditional = this.#random.chance(0.5);
    if (conditional) this.#word();
    const target = this.#bytes.length + (conditional ? 6 : 5);
    this.#op(0x61, target >> 8, target & 0xff);
    this.#op(conditional ? 0x57 : 0x56);
    if (conditional) this.#op(0x5b, 0x5b);
    else this.#op(0xfe, 0x5b);
    if (conditional) this.#depth--;
  }

  #call(): void {
    const random = this.#random;
    const code = random.pick([0xf1, 0xf2, 0xf4, 0xfa]);
    const withValue = code === 0xf1 || code === 0xf2;
    for (let word = 0; word < 4; word++) this.#push(BigInt(random.below(200)));
    if (withValue) this.#push(BigInt(random.chance(0.6) ? 0 : random.below(3)));
    this.#address();
    if (random.chance(0.7)) {
      this.#op(0x5a);
      this.#depth++;
    } else this.#push(BigInt(random.below(60_000)));
    this.#op(code);
    this.#depth -= withValue ? 6 : 5;
    // returndatacopy(0, 0, returndatasize)
    if (random.chance(0.5)) this.#op(0x3d, 0x60, 0, 0x60, 0, 0x3e);
  }

  /** CREATE or CREATE2 with init code from memory: its content or a short program. */
  #create(): void {
    const random = this.#random;
    const init = random.pick([
      '6001600055',
      '60006000fd',
      'fe',
      '600a600c600039600a6000f3600160005500',
      '33ff',
      '60ef60005360016000f3',
      '7f' + '5b'.repeat(31),
    ]);
    const word = init.padEnd(64, '0').slice(0, 64);
    this.#push(BigInt(`0x${word}`));
    this.#push(0n);
    this.#op(0x52);
    this.#depth -= 2;
    const second = random.chance(0.5);
    if (second) this.#slot();
    this.#push(BigInt(init.length / 2));
    this.#push(0n);
    this.#push(BigInt(random.chance(0.7) ? 0 : random.below(3)));
    this.#op(second ? 0xf5 : 0xf0);
    this.#depth -= second ? 3 : 2;
  }

  /** Makes one word of the whole stack and memory, and often stores it. */
  #keep(): void {
    // mstore(0, keccak256(0, msize))
    this.#op(0x59, 0x60, 0, 0x20, 0x60, 0, 0x52);
    // mstore(32, top); mstore(0, keccak256(0, 64))
    for (; this.#depth > 0; this.#depth--) this.#op(0x60, 0x20, 0x52, 0x60, 0x40, 0x60, 0, 0x20, 0x60, 0, 0x52);
    // sstore(16, mload(0))
    if (this.#random.chance(0.7)) this.#op(0x60, 0, 0x51, 0x60, 0x10, 0x55);
  }

  #end(): void {
    const random = this.#random;
    const later = NEW.filter(([, level]) => !at(this.#around.level, level)).map(([code]) => code);
    const roll = random.below(24);
    if (roll < 8) this.#op(0x00);
    else if (roll < 13) this.#op(0x60, random.below(96), 0x60, 0x00, 0xf3);
    // The library takes all gas of a creation that reverts with data which begins with 0xef: mstore8(0, 0).
    else if (roll < 16) this.#op(0x60, 0, 0x60, 0, 0x53, 0x60, random.below(96), 0x60, 0x00, 0xfd);
    else if (roll < 17) this.#op(0xfe);
    else if (roll < 18) this.#op(random.pick([0x0c, 0x1f, 0x21, 0x4b, 0xa5, 0xef, 0xf6, 0xfb]));
    else if (roll < 21 && later.length > 0) this.#op(0x60, 0, 0x60, 0, 0x60, 0, random.pick(later));
    else if (roll < 22) {
      this.#address();
      this.#op(0xff);
    }
    // Otherwise the code runs off its end, which is a STOP.
  }
}
