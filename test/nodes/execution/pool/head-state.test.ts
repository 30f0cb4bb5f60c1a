import { describe, expect, it, vi } from 'vitest';
import { defineChain } from '../../../../src/nodes/execution/chain/genesis.ts';
import { headStateOf } from '../../../../src/nodes/execution/pool/head-state.ts';
import { u256be } from '../../../../src/protocol/bytes.ts';
import { PREDEPLOYS } from '../../../../src/protocol/execution/predeploys.ts';
import { ethereumRulesAt } from '../../../../src/protocol/forks/ethereum.ts';
import { rulesAt } from '../../../../src/protocol/forks/index.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Rules } from '../../../../src/protocol/rules/rules.ts';
import { genesisText, l1BlockStorage, upTo } from '../support/genesis.ts';
import { L1_GENESIS } from '../support/l1-genesis.ts';
import { stateOf } from '../support/memory-state.ts';
import { transfer } from '../support/pool.ts';
import { addressOf, hashOf, PARIS_HEADER } from '../views/sample-block.ts';

const RICH = addressOf(1);
const ALLOC = {
  [RICH]: { nonce: '0x5', balance: '0x9', code: '0x6001' },
  [PREDEPLOYS.l1Block]: { nonce: '0x1', storage: l1BlockStorage(true) },
};
const ROLLUP = defineChain(genesisText(upTo('isthmus')), 'genesis.json');
const L1 = defineChain(L1_GENESIS, 'genesis.json');

/** The state of a head with this gas limit, and the times and accounts that were read for it. */
function headState({
  gasLimit = 30_000_000n,
  definition = ROLLUP,
  rules = (time: bigint | number): Rules => rulesAt(upTo('isthmus'), time),
} = {}) {
  const { reader } = stateOf(ALLOC);
  const reads = vi.spyOn(reader, 'account');
  const times: bigint[] = [];
  const chain = {
    head: { header: { ...PARIS_HEADER, gasLimit }, hash: hashOf(1) } as never,
    chainId: 901,
    definition,
    stateOf: () => reader,
    rulesAt(time: bigint | number) {
      times.push(BigInt(time));
      return rules(time);
    },
    baseFeeAfter: (_: unknown, time: bigint) => time + 100n,
  };
  return { state: headStateOf(chain), times, reads };
}

describe('the head state of a pool', () => {
  const next = PARIS_HEADER.timestamp + 1n;

  it('has the rules and the base fee of a block one second later', () => {
    const { state, times } = headState();
    expect([state.chainId, state.baseFee, times]).toEqual([901, next + 100n, [next]]);
    expect(state.rules.evm).toBe(rulesAt(upTo('isthmus'), next).evm);
  });

  it.each([
    [30_000_000n, ROLLUP, 29_930_000n],
    [70_001n, ROLLUP, 1n],
    [70_000n, ROLLUP, 0n],
    [69_999n, ROLLUP, 0n],
    [30_000_000n, L1, 30_000_000n],
  ])('of a block of %s gas leaves a rollup the gas of the L1 attributes', (gasLimit, definition, left) => {
    expect(headState({ gasLimit, definition }).state.gasLimit).toBe(left);
  });

  it('has the accounts of the head, and zeros for others', () => {
    const { state } = headState();
    const read = (address: `0x${string}`) => {
      const key = hexToBytes(address);
      return [state.nonce(key), state.balance(key), bytesToHex(state.code(key))];
    };
    for (let again = 0; again < 2; again++) {
      expect(read(RICH)).toEqual([5n, 9n, '0x6001']);
      expect(read(addressOf(7))).toEqual([0n, 0n, '0x']);
    }
  });

  it('reads each account once', () => {
    const { state, reads } = headState();
    const before = reads.mock.calls.length;
    for (const address of [RICH, addressOf(7)].map(hexToBytes))
      for (let again = 0; again < 3; again++) state.nonce(address);
    expect(reads.mock.calls.length - before).toBe(2);
  });

  it('has no fee of an operator before isthmus, and none at all on plain Ethereum', () => {
    const transaction = transfer(1, 0, { gasLimit: 1_000_000n });
    const granite = headState({ rules: (time) => rulesAt(upTo('granite'), time) }).state;
    const word = (slot: number) => BigInt(l1BlockStorage(true)[bytesToHex(u256be(slot))] ?? 0);
    expect(granite.extraFee(transaction)).toBe(granite.rules.l1Fee.read(word)!.cost(transaction.raw).fee);
    const ethereum = headState({ definition: L1, rules: (time) => ethereumRulesAt({ shanghai: 0, cancun: 0 }, time) });
    expect(ethereum.state.extraFee(transaction)).toBe(0n);
  });

  it('adds the fees of L1 and of the operator', () => {
    const { state } = headState();
    const transaction = transfer(1, 0, { gasLimit: 1_000_000n });
    const fees = state.rules;
    const word = (slot: number) => BigInt(l1BlockStorage(true)[bytesToHex(u256be(slot))] ?? 0);
    const l1 = fees.l1Fee.read(word)!.cost(transaction.raw).fee;
    const operator = fees.operatorFee.read(word)!.cost(1_000_000n);
    expect([l1 > 0n, operator > 0n]).toEqual([true, true]);
    expect(state.extraFee(transaction)).toBe(l1 + operator);
  });
});
