import { describe, expect, it } from 'vitest';
import { Evm } from '../../../src/evm/machine/evm.ts';
import { EvmInstance, EvmInstanceFull } from '../../../src/evm/machine/instance.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { bytesOf } from '../support/code.ts';
import { address, CONTEXT, SENDER } from '../support/context.ts';
import { MemoryState } from '../support/memory-state.ts';
import { evmInstance, evmModule } from '../support/module.ts';
import { changedBy } from '../support/slots.ts';

const CONTRACT = address('c0de');
const SLOT = `0x${'00'.repeat(32)}` as Hex;

/** Runs code that finds a value in slot 0. */
function run(code: string, original: number, gas = 1_000_000n, instance = evmInstance()) {
  const account = {
    ...{ balance: 0n, nonce: 1n, code: bytesOf(code) },
    storage: original === 0 ? new Map() : new Map([[SLOT, BigInt(original)]]),
  };
  const state = new MemoryState(new Map([[CONTRACT, account]]));
  const evm = new Evm({ instance, level: 'osaka', state, context: CONTEXT, precompiles: new Map() });
  evm.begin({ caller: SENDER, to: CONTRACT, value: 0n, data: new Uint8Array(), gas });
  const result = evm.step();
  return { result, used: gas - (result?.gasLeft ?? 0n), slots: changedBy(evm) };
}

describe('SSTORE', () => {
  // The table of EIP-3529, whose slot is cold in the beginning.
  it.each([
    ['60006000556000600055', 0, 2312n, 0n],
    ['60006000556001600055', 0, 22_212n, 0n],
    ['60016000556000600055', 0, 22_212n, 19_900n],
    ['60016000556002600055', 0, 22_212n, 0n],
    ['60016000556001600055', 0, 22_212n, 0n],
    ['60006000556000600055', 1, 5112n, 4800n],
    ['60006000556001600055', 1, 5112n, 2800n],
    ['60006000556002600055', 1, 5112n, 0n],
    ['60026000556000600055', 1, 5112n, 4800n],
    ['60026000556003600055', 1, 5112n, 0n],
    ['60026000556001600055', 1, 5112n, 2800n],
    ['60026000556002600055', 1, 5112n, 0n],
    ['60016000556000600055', 1, 5112n, 4800n],
    ['60016000556002600055', 1, 5112n, 0n],
    ['60016000556001600055', 1, 2312n, 0n],
    ['600160005560006000556001600055', 0, 42_218n, 19_900n],
    ['600060005560016000556000600055', 1, 8018n, 7600n],
  ])('code %s over %d uses %d gas and leaves a refund of %d', (code, original, used, refund) => {
    const { result, used: all } = run(code, original);
    expect([result?.outcome, all, result?.refund]).toEqual(['success', used, refund]);
  });

  it('names the slots whose value is another one at the end', () => {
    expect(run('60056000556007600155600960015560016002556000600255', 5).slots).toEqual([
      { address: CONTRACT, slot: 1n, value: 9n },
    ]);
  });
});

/** For i from 0 up: tstore(i, 1). */
const ENDLESS = `5f5b${'6001815d600101'.repeat(16)}600156`;

describe('tables of slots', () => {
  it('keep thousands of slots and transient slots apart, while their index grows', () => {
    // i from 3,000 down to 1: sstore(i, i), tstore(i, 2 * i)
    const write = '610bb85b808055808001815d6001900380600357';
    // i from 3,000 down to 1: invalid if 2 * sload(i) != tload(i)
    const read = '50610bb85b80548001815c1415602d576001900380601857005bfe';
    const { result, slots } = run(`${write}${read}`, 0, 100_000_000n);
    expect(result?.outcome).toBe('success');
    expect(slots).toHaveLength(3000);
    expect(slots.every(({ slot, value }) => slot === value)).toBe(true);
  });

  it('hold what 120 Mgas of TSTORE write', () => {
    expect(run(ENDLESS, 0, 120_000_000n, new EvmInstance(evmModule())).result?.outcome).toBe('out of gas');
  });

  it('end a run that fills them, and hold the next transaction', () => {
    const instance = new EvmInstance(evmModule());
    expect(() => run(ENDLESS, 0, 1_000_000_000n, instance)).toThrow(EvmInstanceFull);
    expect(run('60016000556000600055', 1, 100_000n, instance).result?.outcome).toBe('success');
  });
});
