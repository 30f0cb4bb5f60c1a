import { hexToBytes } from '../../../src/protocol/hex.ts';
import type { EvmLevel } from '../../../src/protocol/rules/evm-level.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { ProgramWriter } from '../../nodes/execution/differential/program.ts';
import type { Random } from '../../nodes/execution/differential/random.ts';
import { SENDER } from '../support/context.ts';
import type { PlainAccount } from '../support/memory-state.ts';
import { type Case, CONTRACTS, EMPTY, PRECOMPILES } from './case.ts';

const plain = (balance: bigint, code: Uint8Array = new Uint8Array()): PlainAccount => ({
  ...{ balance, code, nonce: code.length > 0 ? 1n : 0n },
  storage: code.length > 0 ? new Map([0, 1, 2].map((slot) => [slotKey(slot), BigInt(slot * 7)])) : new Map(),
});

const slotKey = (slot: number): Hex => `0x${slot.toString(16).padStart(64, '0')}`;

/** Generates a message to contracts that call each other. Half of the programs are well formed. */
export function generateCase(random: Random, level: EvmLevel): Case {
  const targets = [...CONTRACTS, EMPTY, SENDER, ...PRECOMPILES.keys()].map(hexToBytes);
  // Opcodes of later levels are invalid.
  const around = { level: random.chance(0.1) ? 'osaka' : level, targets } as const;
  const write = () =>
    random.chance(0.6) ? ProgramWriter.write(random, around, 4 + random.below(24)) : noise(random, targets);
  const codes = CONTRACTS.map(() => write());
  // Short programs, which often write and then revert, find what a revert or a static call leaves.
  if (random.chance(0.5)) codes[1] = ProgramWriter.write(random, around, 1 + random.below(4), random.chance(0.4));
  if (level === 'prague' || level === 'osaka')
    if (random.chance(0.2)) codes[2] = Uint8Array.from([0xef, 1, 0, ...hexToBytes(random.pick(CONTRACTS.slice(0, 2)))]);
  const accounts = new Map<Hex, PlainAccount>([
    [SENDER, plain(10n ** 18n)],
    ...CONTRACTS.map((at, index): [Hex, PlainAccount] => [at, plain(random.chance(0.5) ? 100n : 0n, codes[index]!)]),
  ]);
  // Storage of zeros is none.
  for (const { storage } of accounts.values()) (storage as Map<Hex, bigint>).delete(slotKey(0));
  return {
    level,
    accounts,
    data: random.bytes(random.below(100)),
    value: random.chance(0.3) ? BigInt(random.below(5)) : 0n,
    gas: BigInt(random.chance(0.8) ? 2_000_000 : random.below(60_000)),
  };
}

/** Generates code of arbitrary opcodes over pushes of small numbers, addresses and edges. */
function noise(random: Random, targets: readonly Uint8Array[]): Uint8Array {
  const bytes: number[] = [];
  const steps = 5 + random.below(60);
  for (let step = 0; step < steps; step++) {
    const roll = random.below(10);
    if (roll < 5) bytes.push(0x60, random.below(random.chance(0.5) ? 256 : 8));
    else if (roll < 6) bytes.push(0x73, ...random.pick(targets));
    else if (roll < 7) bytes.push(0x7f, ...edge(random));
    else bytes.push(random.below(256));
  }
  // Stores a hash of the top words and of memory: sstore(16, keccak256(0, 96)).
  bytes.push(0x60, 0x20, 0x52, 0x60, 0x40, 0x52, 0x60, 0x60, 0x60, 0, 0x20, 0x60, 0x10, 0x55);
  return Uint8Array.from(bytes);
}

/** 32 bytes whose bits are alike in long runs. */
function edge(random: Random): Uint8Array {
  const fill = random.pick([0x00, 0xff, 0x7f, 0x80, 0x01]);
  const from = random.below(33);
  return Uint8Array.from({ length: 32 }, (_, at) => (at < from ? 0 : at === from ? random.below(256) : fill));
}
