import { describe, expect, it } from 'vitest';
import { BlockExecutor } from '../../../../src/nodes/execution/block/executor.ts';
import type { Receipt } from '../../../../src/nodes/execution/block/receipt.ts';
import type { Chain } from '../../../../src/nodes/execution/chain/chain.ts';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import { ExecutionBudget } from '../../../../src/nodes/execution/evm/execution-budget.ts';
import { FLAVOURS } from '../../../../src/nodes/execution/flavours/index.ts';
import { createdIn, searchTransactions, sentWithNonce } from '../../../../src/nodes/execution/query/otterscan.ts';
import { contractAddress } from '../../../../src/protocol/accounts/contract-address.ts';
import type { BlockHeader } from '../../../../src/protocol/codec/header.ts';
import { CREATE2_DEPLOYER } from '../../../../src/protocol/execution/create2-deployer.ts';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { GENESIS_TIME, genesisText, STORE, upTo } from '../support/genesis.ts';
import { stateOf } from '../support/memory-state.ts';
import { signTransaction } from '../support/sign-transaction.ts';
import { StoredChain } from '../support/stored-chain.ts';
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

describe('the creation of a contract', () => {
  /** Creates a contract of its calldata. */
  const FACTORY: Hex = `0x${'fa'.repeat(20)}`;
  const ONE_BYTE: Hex = '0x6001600c60003960016000f3fe';
  const creation = { to: null, data: ONE_BYTE } as const;

  /** Executes transactions as the next block of a chain. Returns their hashes. */
  async function mine(chain: Chain, ...raws: readonly Hex[]): Promise<Hex[]> {
    const { hash, header } = chain.head;
    const timestamp = header.timestamp + 2n;
    const block = await BlockExecutor.open(chain.parentContextOf(hash, header, timestamp), {
      ...{ parentHash: hash, number: header.number + 1, timestamp, feeRecipient: header.beneficiary },
      ...{ prevRandao: hashOf(0), gasLimit: header.gasLimit, extraData: '0x' as Hex },
      baseFee: chain.baseFeeAfter(header, timestamp),
    });
    for (const raw of raws) await block.run(hexToBytes(raw));
    const sealed = await block.seal();
    await chain.insert(sealed);
    chain.makeCanonical(sealed.hash);
    return raws.map(keccak256);
  }

  it('is that of the first block with its code, in a transaction or a call, and none without', async () => {
    await prepareCrypto();
    const text = genesisText(upTo('regolith'), { [FACTORY]: { code: '0x3660006000373660006000f000' } });
    using sample = new StoredChain({ overrides: { canyon: GENESIS_TIME + 6 } }, text);
    const { chain } = sample;
    const send = (nonce: number, fields: object = {}) => signTransaction(ACCOUNTS[0]!, { nonce, ...fields });
    const first = await mine(chain, await send(0), await send(1, creation), await send(2, creation));
    const second = await mine(chain, await send(3), await send(4, { to: FACTORY, data: ONE_BYTE }), await send(5));
    await mine(chain, await send(6, creation));
    const { flavour, limits } = { flavour: FLAVOURS.rust, limits: FLAVOURS.rust.limits };
    const context = { chain, flavour, limits, newBudget: (limitMs?: number) => new ExecutionBudget(limitMs) };
    const created = (contract: Hex) => createdIn(context, contract);
    expect(await created(contractAddress(SENDER, 1n))).toEqual({ hash: first[1], creator: SENDER });
    expect(await created(contractAddress(SENDER, 2n))).toEqual({ hash: first[2], creator: SENDER });
    expect(await created(contractAddress(FACTORY, 0n))).toEqual({ hash: second[1], creator: FACTORY });
    expect(await created(STORE)).toBeNull();
    expect(await created(SENDER)).toBeNull();
    expect(await created(addressOf(9))).toBeNull();
    // Its code is set by a fork.
    expect(chain.stateOf(chain.head.header).account(hexToBytes(CREATE2_DEPLOYER.address))).toBeDefined();
    expect(await created(CREATE2_DEPLOYER.address)).toBeNull();
  });
});
