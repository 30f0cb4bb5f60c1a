import { describe, expect, it } from 'vitest';
import { defineChain } from '../../../../src/nodes/execution/chain/genesis.ts';
import { headStateOf } from '../../../../src/nodes/execution/pool/head-state.ts';
import { u256be } from '../../../../src/protocol/bytes.ts';
import { PREDEPLOYS } from '../../../../src/protocol/execution/predeploys.ts';
import { rulesAt } from '../../../../src/protocol/forks/index.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
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
function headState({ gasLimit = 30_000_000n, definition = ROLLUP, fork = 'isthmus' as const } = {}) {
  const { reader } = stateOf(ALLOC);
  const times: bigint[] = [];
  const chain = {
    head: { header: { ...PARIS_HEADER, gasLimit }, hash: hashOf(1) } as never,
    chainId: 901,
    definition,
    stateOf: () => reader,
    rulesAt(time: bigint | number) {
      times.push(BigInt(time));
      return rulesAt(upTo(fork), time);
    },
    baseFeeAfter: (_: unknown, time: bigint) => time + 100n,
  };
  return { state: headStateOf(chain), times };
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
