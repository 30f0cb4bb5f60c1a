/** Rotations of the lanes of keccak-f[1600], by x then y (FIPS 202, section 3.2.2). */
const ROTATIONS = [
  [0, 36, 3, 41, 18],
  [1, 44, 10, 45, 2],
  [62, 6, 43, 15, 61],
  [28, 55, 25, 21, 56],
  [27, 20, 39, 8, 14],
] as const;
const ROUNDS = 24;
/** Rounds in the body of the loop. One of 24 rounds is slower, because the compiler of the engine keeps fewer lanes. */
const UNROLLED = 2;
const FIVE = [0, 1, 2, 3, 4] as const;

/** Renders keccak-f[1600] over the lanes in linear memory, with every lane in a local. */
export function renderPermutation(): string {
  const lanes = Array.from({ length: 25 }, (_, at) => at);
  const declared = [
    ...FIVE.flatMap((x) => [`c${x}: u64 = 0`, `d${x}: u64 = 0`]),
    ...lanes.map((at) => `b${at}: u64 = 0`),
  ];
  const constants = roundConstants().map((value) => `0x${value.toString(16)}`);
  const rounds = Array.from({ length: UNROLLED }, (_, at) => round(`load<u64>(CONSTANTS + at, ${8 * at})`));
  return `import { LANES } from '../layout';

const CONSTANTS = memory.data<u64>([${constants.join(', ')}]);

export function permute(): void {
  ${lanes.map((at) => `let a${at} = load<u64>(LANES, ${8 * at});`).join('\n  ')}
  let ${declared.join(', ')};
  for (let at: usize = 0; at < ${8 * ROUNDS}; at += ${8 * UNROLLED}) {
${rounds.join('\n')}
  }
  ${lanes.map((at) => `store<u64>(LANES, a${at}, ${8 * at});`).join('\n  ')}
}
`;
}

/** Renders one round: the steps theta, rho and pi, chi, iota. */
function round(constant: string): string {
  const theta = FIVE.map((x) => `c${x} = ${FIVE.map((y) => `a${x + 5 * y}`).join(' ^ ')};`);
  const difference = FIVE.map((x) => `d${x} = c${(x + 4) % 5} ^ rotl<u64>(c${(x + 1) % 5}, 1);`);
  const rhoPi = FIVE.flatMap((x) =>
    FIVE.map((y) => {
      const to = y + 5 * ((2 * x + 3 * y) % 5);
      return `b${to} = rotl<u64>(a${x + 5 * y} ^ d${x}, ${ROTATIONS[x][y]});`;
    }),
  );
  const chi = FIVE.flatMap((y) =>
    FIVE.map((x) => {
      const [here, next, second] = [x, (x + 1) % 5, (x + 2) % 5].map((column) => `b${column + 5 * y}`);
      return `a${x + 5 * y} = ${here} ^ (~${next} & ${second})${x + y === 0 ? ` ^ ${constant}` : ''};`;
    }),
  );
  return [...theta, ...difference, ...rhoPi, ...chi].map((line) => `    ${line}`).join('\n');
}

/** Computes the round constants with the linear feedback shift register (FIPS 202, section 3.2.5). */
function roundConstants(): readonly bigint[] {
  let register = 1;
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let bit = 0; bit < 7; bit++) {
      if (register & 1) constant |= 1n << BigInt(2 ** bit - 1);
      register <<= 1;
      if (register & 0x100) register ^= 0x171;
    }
    return constant;
  });
}
