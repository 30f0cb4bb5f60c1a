const BITS = 256;
const SIZE = 1n << 256n;

const wrap = (value: bigint) => BigInt.asUintN(BITS, value);
const signed = (value: bigint) => BigInt.asIntN(BITS, value);
const truth = (value: boolean) => (value ? 1n : 0n);

/** What the specification says of opcodes that compute one word: the operands come from the top of the stack. */
export const MODEL: Readonly<Record<string, (...operands: bigint[]) => bigint>> = {
  ADD: (a = 0n, b = 0n) => wrap(a + b),
  MUL: (a = 0n, b = 0n) => wrap(a * b),
  SUB: (a = 0n, b = 0n) => wrap(a - b),
  DIV: (a = 0n, b = 0n) => (b === 0n ? 0n : a / b),
  SDIV: (a = 0n, b = 0n) => (b === 0n ? 0n : wrap(signed(a) / signed(b))),
  MOD: (a = 0n, b = 0n) => (b === 0n ? 0n : a % b),
  SMOD: (a = 0n, b = 0n) => (b === 0n ? 0n : wrap(signed(a) % signed(b))),
  ADDMOD: (a = 0n, b = 0n, n = 0n) => (n === 0n ? 0n : (a + b) % n),
  MULMOD: (a = 0n, b = 0n, n = 0n) => (n === 0n ? 0n : (a * b) % n),
  EXP: (a = 0n, b = 0n) => power(a, b),
  SIGNEXTEND: (a = 0n, b = 0n) => (a > 30n ? b : wrap(BigInt.asIntN(8 * (Number(a) + 1), b))),
  LT: (a = 0n, b = 0n) => truth(a < b),
  GT: (a = 0n, b = 0n) => truth(a > b),
  SLT: (a = 0n, b = 0n) => truth(signed(a) < signed(b)),
  SGT: (a = 0n, b = 0n) => truth(signed(a) > signed(b)),
  EQ: (a = 0n, b = 0n) => truth(a === b),
  ISZERO: (a = 0n) => truth(a === 0n),
  AND: (a = 0n, b = 0n) => a & b,
  OR: (a = 0n, b = 0n) => a | b,
  XOR: (a = 0n, b = 0n) => a ^ b,
  NOT: (a = 0n) => SIZE - 1n - a,
  BYTE: (a = 0n, b = 0n) => (a > 31n ? 0n : (b >> (8n * (31n - a))) & 0xffn),
  SHL: (a = 0n, b = 0n) => (a > 255n ? 0n : wrap(b << a)),
  SHR: (a = 0n, b = 0n) => (a > 255n ? 0n : b >> a),
  SAR: (a = 0n, b = 0n) => wrap(signed(b) >> (a > 255n ? 255n : a)),
  CLZ: (a = 0n) => BigInt(a === 0n ? BITS : BITS - a.toString(2).length),
};

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) result = wrap(result * result * (bit === '1' ? base : 1n));
  return result;
}
