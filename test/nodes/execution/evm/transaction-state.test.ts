import { describe, expect, it } from 'vitest';
import { TransactionState } from '../../../../src/nodes/execution/evm/transaction-state.ts';
import { EMPTY_ACCOUNT } from '../../../../src/nodes/execution/state/account.ts';
import { StateJournal } from '../../../../src/nodes/execution/state/state-journal.ts';
import { u256be } from '../../../../src/protocol/bytes.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { stateOf } from '../support/memory-state.ts';

const EMPTY: Hex = '0x00000000000000000000000000000000000000e0';
const RICH: Hex = '0x00000000000000000000000000000000000000f1';
const CONTRACT: Hex = '0x00000000000000000000000000000000000000c0';
const ABSENT: Hex = '0x00000000000000000000000000000000000000ab';
const RIPEMD: Hex = '0x0000000000000000000000000000000000000003';

async function opened() {
  const { reader } = stateOf({
    [EMPTY]: { balance: '0x0' },
    [RIPEMD]: { balance: '0x0' },
    [RICH]: { balance: '0x9', nonce: '0x2' },
    [CONTRACT]: { code: '0x6001', storage: { [`0x${'00'.repeat(31)}01`]: `0x${'00'.repeat(31)}05` } },
  });
  const journal = new StateJournal(reader);
  await journal.checkpoint();
  const exists = (address: Hex) => journal.account(hexToBytes(address)) !== undefined;
  return { journal, state: new TransactionState(journal), exists };
}

describe('the end of a transaction', () => {
  it('removes an empty account that the transaction touched, and no other one (EIP-161)', async () => {
    const { state, exists } = await opened();
    state.touch(RICH);
    state.end();
    expect([exists(EMPTY), exists(RICH)]).toEqual([true, true]);
    state.touch(EMPTY);
    state.touch(ABSENT);
    state.end();
    expect([exists(EMPTY), exists(ABSENT)]).toEqual([false, false]);
  });

  it('keeps an empty account whose touch a revert took back, but for the precompile RIPEMD-160', async () => {
    const { state, exists } = await opened();
    const checkpoint = state.checkpoint();
    state.touch(EMPTY);
    state.touch(RIPEMD);
    state.revertTo(checkpoint);
    state.end();
    expect([exists(EMPTY), exists(RIPEMD)]).toEqual([true, false]);
  });

  it('removes an account that each kind of change made empty', async () => {
    const changes: ((state: TransactionState) => void)[] = [
      (state) => state.setBalance(ABSENT, 0n),
      (state) => state.setNonce(ABSENT, 0n),
      (state) => state.setCode(ABSENT, new Uint8Array()),
      (state) => state.setAccount(hexToBytes(ABSENT), EMPTY_ACCOUNT),
    ];
    for (const change of changes) {
      const { state, exists } = await opened();
      change(state);
      expect(exists(ABSENT)).toBe(true);
      state.end();
      expect(exists(ABSENT)).toBe(false);
    }
  });

  it('removes a destroyed account with its storage, if no revert took the end of it back', async () => {
    const { state, journal, exists } = await opened();
    const checkpoint = state.checkpoint();
    state.destroy(RICH);
    state.revertTo(checkpoint);
    state.destroy(CONTRACT);
    state.setStorage(CONTRACT, u256be(2), u256be(7));
    state.end();
    expect([exists(RICH), exists(CONTRACT)]).toEqual([true, false]);
    for (const slot of [1, 2]) expect(journal.word(hexToBytes(CONTRACT), u256be(slot)).length).toBe(0);
  });
});

describe('a revert', () => {
  it('takes back balance, nonce and code', async () => {
    const { state } = await opened();
    const checkpoint = state.checkpoint();
    state.setBalance(RICH, 1n);
    state.setNonce(RICH, 3n);
    state.setCode(RICH, Uint8Array.of(1));
    expect([state.balance(RICH), state.nonce(RICH), state.code(RICH).length]).toEqual([1n, 3n, 1]);
    state.revertTo(checkpoint);
    expect([state.balance(RICH), state.nonce(RICH), state.code(RICH).length]).toEqual([9n, 2n, 0]);
  });
});

describe('an account', () => {
  it.each([
    [EMPTY, true],
    [ABSENT, true],
    [RICH, false],
    [CONTRACT, false],
  ] as const)('%s is empty: %s', async (address, isEmpty) => {
    expect((await opened()).state.isEmpty(address)).toBe(isEmpty);
  });

  it('has storage when a word of it is not zero, in the state below or of this block', async () => {
    const { state } = await opened();
    expect([CONTRACT, RICH, ABSENT].map((address) => state.hasStorage(address))).toEqual([true, false, false]);
    state.setStorage(RICH, u256be(1), u256be(0));
    expect(state.hasStorage(RICH)).toBe(false);
    state.setStorage(RICH, u256be(1), u256be(4));
    expect(state.hasStorage(RICH)).toBe(true);
  });
});
