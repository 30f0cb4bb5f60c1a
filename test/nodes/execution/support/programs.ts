import fc from 'fast-check';
import type { Hex } from '../../../../src/protocol/types.ts';
import type { Alloc } from './genesis.ts';

const byte = (value: number) => value.toString(16).padStart(2, '0');
const push = (value: bigint | number) => {
  const text = value.toString(16);
  const hex = text.padStart(text.length + (text.length % 2), '0');
  return value === 0n || value === 0 ? '5f' : byte(0x5f + hex.length / 2) + hex;
};
const OPS = {
  sstore: '55',
  sload: '54',
  pop: '50',
  mstore: '52',
  log: 0xa0,
  keccak: '20',
  balance: '31',
  codesize: '3b',
  codehash: '3f',
  selfbalance: '47',
};

/** Addresses of the generated contracts. Each calls only higher numbers, so every program ends. */
export const address = (index: number): Hex => `0x${'c0de'.padStart(36, '0')}${index.toString(16).padStart(4, '0')}`;
export const CONTRACTS = 16;

const small = fc.nat(3);
const amount = fc.constantFrom(0n, 1n, 5n, 10n ** 24n);
const INIT = ['5f5ffd', '600a5f55', '60015f5360015ff3', '60ef5f5360015ff3', 'fe', '33ff', '6001600155602a5f5260205ff3'];

/** Generates code for one effect. It leaves the stack unchanged. */
function statement(index: number): fc.Arbitrary<string> {
  const later =
    index + 1 < CONTRACTS
      ? fc.integer({ min: index + 1, max: CONTRACTS - 1 }).map(address)
      : fc.constant<Hex>('0x0000000000000000000000000000000000000004');
  const target = fc.oneof(
    { weight: 5, arbitrary: later },
    fc.constantFrom<Hex>(
      '0x0000000000000000000000000000000000000002',
      '0x0000000000000000000000000000000000000004',
      '0x00000000000000000000000000000000000000fe',
    ),
  );
  const gas = fc.constantFrom(0, 300, 5000, 60_000, 0xffffff);
  const call = (op: string, hasValue: boolean) =>
    fc.tuple(target, gas, amount, small).map(([to, limit, value, size]) => {
      const memory = push(size * 8) + push(0) + push(size * 9) + push(0);
      return memory + (hasValue ? push(value) : '') + push(BigInt(to)) + push(limit) + op + OPS.pop;
    });
  const create = (op: string) =>
    fc.tuple(fc.constantFrom(...INIT), amount, small).map(([code, value, salt]) => {
      const size = code.length / 2;
      const place = size === 0 ? '' : push(BigInt(`0x${code}`)) + push(0) + OPS.mstore;
      return place + (op === 'f5' ? push(salt) : '') + push(size) + push(32 - size) + push(value) + op + OPS.pop;
    });
  return fc.oneof(
    fc.tuple(small, small).map(([slot, value]) => push(value) + push(slot) + OPS.sstore),
    small.map((slot) => push(slot) + OPS.sload + OPS.pop),
    fc
      .tuple(small, small, fc.nat(4))
      .map(([a, b, topics]) => push(a).repeat(topics) + push(b * 20) + push(a) + byte(OPS.log + topics)),
    fc.tuple(small, small).map(([a, b]) => push(a * 33) + push(b) + OPS.keccak + push(64) + OPS.mstore),
    fc
      .tuple(target, fc.constantFrom(OPS.balance, OPS.codesize, OPS.codehash))
      .map(([to, op]) => push(BigInt(to)) + op + OPS.pop),
    fc.tuple(small, small).map(([a, b]) => push(a) + push(b) + '5d' + push(b) + '5c' + OPS.pop),
    fc.constant('3d' + '5f' + '5f' + '3e'),
    call('f1', true),
    call('f1', true),
    call('f2', true),
    call('f4', false),
    call('fa', false),
    create('f0'),
    create('f5'),
  );
}

/** Code that reverts with Error("no"). */
const REASON =
  `${push(0x08c379a0n << 224n)}${push(0)}52${push(32)}${push(4)}52${push(2)}${push(36)}52` +
  `${push(0x6e6fn << 240n)}${push(68)}52${push(100)}${push(0)}fd`;

/** The end of a program. */
const ending = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', '00', '60205ff3', '366000600037365ff3') },
  fc.constantFrom(REASON, '60045ffd', '5f5ffd', 'fe', '0c', '01', '5f56', '33ff', '30ff', '5b5f56'),
);

const program = (index: number) =>
  fc
    .tuple(fc.array(statement(index), { minLength: 1, maxLength: 6 }), ending)
    .map(([parts, end]) => parts.join('') + end);

/** Generates contracts of random programs. A seed gives the same contracts. */
export function contracts(seed: number): Alloc {
  return Object.fromEntries(
    Array.from({ length: CONTRACTS }, (_, index) => {
      const [code] = fc.sample(program(index), { seed: seed * 1000 + index, numRuns: 1 });
      return [
        address(index),
        {
          code: `0x${code}`,
          nonce: '0x1',
          balance: '0x64',
          storage: { [`0x${'0'.repeat(63)}1`]: `0x${'0'.repeat(63)}7` },
        },
      ];
    }),
  );
}

/** The fields of a transaction without nonce and signature. */
export const transaction = fc.record({
  sender: fc.nat(2),
  to: fc.oneof(
    { weight: 8, arbitrary: fc.nat(CONTRACTS - 1).map(address) },
    fc.constantFrom<Hex | undefined>(
      undefined,
      '0x0000000000000000000000000000000000000004',
      '0x00000000000000000000000000000000000000aa',
    ),
  ),
  value: fc.constantFrom(0n, 0n, 1n, 1000n),
  gas: fc.constantFrom(60_000n, 150_000n, 1_000_000n),
  data: fc.oneof(
    fc.constantFrom<Hex>('0x', '0xabcdef01', '0x12345678aabb'),
    program(CONTRACTS - 1).map((code): Hex => `0x${code}`),
  ),
});
