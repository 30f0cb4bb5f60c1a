import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../../../src/nodes/execution/block/receipt.ts';
import { ExecutionBudget } from '../../../../src/nodes/execution/evm/execution-budget.ts';
import { searchTransactions, sentWithNonce } from '../../../../src/nodes/execution/query/otterscan.ts';
import type { BlockHeader } from '../../../../src/protocol/codec/header.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { stateOf } from '../support/memory-state.ts';
import { signTransaction } from '../support/sign-transaction.ts';
import { addressOf, blockOf, hashOf, PARIS_HEADER, receiptOf } from '../views/sample-block.ts';

const SENDER = ACCOUNTS[0]!.address.toLowerCase() as Hex;
const signed = await Promise.all([0, 1, 2, 3].map((nonce) => signTransaction(ACCOUNTS[0]!, { nonce })));

interface Content {
  readonly transactions?: readonly Hex[];
  readonly receipts: readonly Partial<Receipt>[];
  /** Nonce of the sender after the block. */
  readonly nonce?: number;
}

/** A chain of these blocks, the first of which is the genesis. */
function chainOf(contents: readonly Content[]) {
  const blocks = contents.map(({ transactions = [], receipts }, number) =>
    blockOf(transactions, receipts.map(receiptOf), { header: { ...PARIS_HEADER, number } }),
  );
  const stateAt = ({ number }: BlockHeader) => {
    const { nonce } = contents[number]!;
    return stateOf(nonce === undefined ? {} : { [SENDER]: { nonce: `0x${nonce.toString(16)}` } }).reader;
  };
  return {
    head: blocks.at(-1)!,
    canonicalBlock: (number: number) => blocks[number]!,
    canonicalHeader: (number: number) => blocks[number]!.header,
    stateOf: stateAt,
  };
}

describe('the transaction that an account sent with a nonce', () => {
  const of = (transactionHash: Hex, fields: Partial<Receipt> = {}) => ({ from: SENDER, transactionHash, ...fields });
  const chain = chainOf([
    { receipts: [] },
    {
      transactions: [signed[3]!, signed[0]!, signed[1]!],
      receipts: [of(hashOf(3), { from: addressOf(9) }), of(hashOf(10)), of(hashOf(11))],
      nonce: 2,
    },
    { receipts: [], nonce: 2 },
    { transactions: ['0x7e'], receipts: [of(hashOf(12), { type: 0x7e, depositNonce: 2n })], nonce: 3 },
    { transactions: [signed[3]!], receipts: [of(hashOf(13))], nonce: 4 },
    { receipts: [], nonce: 4 },
  ]);

  it.each([
    [0, hashOf(10)],
    [1, hashOf(11)],
    [2, hashOf(12)],
    [3, hashOf(13)],
    [4, null],
  ])('%i is that of the block after which the nonce is higher', (nonce, hash) => {
    expect(sentWithNonce({ chain }, SENDER, nonce)).toBe(hash);
  });

  it('is none of an account that sent nothing, or that had its nonce in the genesis', () => {
    expect(sentWithNonce({ chain }, addressOf(7), 0)).toBeNull();
    const rich = chainOf([
      { receipts: [], nonce: 5 },
      { receipts: [], nonce: 5 },
    ]);
    expect(sentWithNonce({ chain: rich }, SENDER, 4)).toBeNull();
    const deposit = chainOf([
      { receipts: [] },
      { transactions: ['0x7e'], receipts: [of(hashOf(1), { type: 0x7e })], nonce: 1 },
    ]);
    expect(sentWithNonce({ chain: deposit }, SENDER, 0)).toBeNull();
  });
});

describe('a search for the transactions of an address', () => {
  const ADDRESS = addressOf(1);
  const log = { address: ADDRESS, topics: [], data: '0x' } as const;
  const other = { from: addressOf(2), to: addressOf(3) };
  const chain = chainOf([
    { receipts: [{ ...other, to: ADDRESS }] },
    { receipts: [other, { ...other, from: ADDRESS }] },
    { receipts: [{ ...other, contractAddress: ADDRESS, to: null }, other, { ...other, to: ADDRESS }] },
    { receipts: [other] },
    { receipts: [{ ...other, logs: [{ ...log, address: addressOf(4) }, log] }] },
  ]);
  const search = async (direction: 'before' | 'after', number: number, size: number) => {
    const context = { chain, newBudget: () => new ExecutionBudget() };
    const { matches, firstPage, lastPage } = await searchTransactions(context, direction, ADDRESS, number, size);
    return [matches.map(({ block, position }) => `${block.header.number}:${position}`), firstPage, lastPage];
  };
  const [FOUR, TWO_B, TWO_A, ONE, ZERO] = ['4:0', '2:2', '2:0', '1:1', '0:0'];

  it.each<[string, 'before' | 'after', number, number, unknown]>([
    ['from the newest block on, all', 'before', 0, 9, [[FOUR, TWO_B, TWO_A, ONE, ZERO], true, true]],
    ['from the newest block on, a page', 'before', 0, 1, [[FOUR], true, false]],
    ['a page of whole blocks', 'before', 0, 2, [[FOUR, TWO_B, TWO_A], true, false]],
    ['before a block', 'before', 4, 2, [[TWO_B, TWO_A], false, false]],
    ['before a block, to the oldest', 'before', 2, 2, [[ONE, ZERO], false, true]],
    ['before a block beyond the head', 'before', 9, 1, [[FOUR], false, false]],
    ['before the second block', 'before', 1, 9, [[ZERO], false, true]],
    ['after the genesis', 'after', 0, 1, [[ONE], false, true]],
    ['after a block', 'after', 1, 2, [[TWO_B, TWO_A], false, false]],
    ['after a block, more than there are', 'after', 1, 3, [[FOUR, TWO_B, TWO_A], true, false]],
    ['after the head', 'after', 4, 3, [[], true, false]],
  ])('%s, is newest first', async (_, direction, number, size, page) => {
    expect(await search(direction, number, size)).toEqual(page);
  });
});
