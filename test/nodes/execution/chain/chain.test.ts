import { describe, expect, it } from 'vitest';
import { Chain, type HeadChange, type Label } from '../../../../src/nodes/execution/chain/chain.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { GENESIS_TIME } from '../support/genesis.ts';
import { L1_GENESIS } from '../support/l1-genesis.ts';
import { StoredChain } from '../support/stored-chain.ts';
import { hashOf } from '../views/sample-block.ts';

const labelsOf = (chain: Chain) =>
  (['head', 'safe', 'finalized'] as const).map((label: Label) => chain.labelled(label));
const pathsOf = ({ removed, added }: HeadChange) => ({ removed: removed.hashes, added: added.hashes });
/** Numbers of the canonical blocks with a log of these seeds, and positions of their transactions. */
const indexed = (chain: Chain, ...seeds: readonly number[]) =>
  seeds.map((seed) => chain.store.logBlocks(hashOf(seed), 0, 100));
const transactionsOf = (chain: Chain, block: Hex) =>
  [...chain.store.transactionPositions(chain.knownBlock(block).receipts.receipts[0]!.transactionHash)].map(
    ({ number }) => number,
  );

describe('a new chain', () => {
  it('has its genesis block as head, and no labels but that', () => {
    using sample = new StoredChain();
    const { chain } = sample;
    expect([chain.chainId, chain.head.hash, chain.head.header.number]).toEqual([901, chain.genesisHash, 0]);
    expect(labelsOf(chain)).toEqual([chain.genesisHash, undefined, undefined]);
    expect([chain.isCanonical(chain.genesisHash), chain.isCanonical(hashOf(9))]).toEqual([true, false]);
  });

  it('has a checkpoint of the labels that it has', () => {
    using sample = new StoredChain();
    const { chain } = sample;
    expect(chain.checkpoint().labels).toEqual(new Map([['head', chain.genesisHash]]));
  });

  it('names what it lacks', () => {
    using sample = new StoredChain();
    const { chain } = sample;
    expect([chain.header(hashOf(9)), chain.block(hashOf(9)), chain.canonicalHash(1)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(() => chain.knownHeader(hashOf(9))).toThrow(`block ${hashOf(9)}`);
    expect(() => chain.knownBlock(hashOf(9))).toThrow(`block ${hashOf(9)}`);
    expect(() => chain.canonicalBlock(1)).toThrow('canonical block 1');
    expect(() => chain.canonicalHeader(1)).toThrow('canonical block 1');
  });
});

describe('a head that moves', () => {
  it('along its branch adds blocks, oldest first, and a stored block is none before', async () => {
    using sample = new StoredChain();
    const { chain } = sample;
    const [one, two] = await sample.line(chain.genesisHash, 1, 2);
    expect([chain.isCanonical(two!), chain.header(two!)?.number, chain.block(two!)?.hash]).toEqual([false, 2, two]);
    const heard: unknown[] = [];
    const stop = chain.onHead((change) => heard.push(pathsOf(change)));
    const change = { removed: [], added: [one, two] };
    expect(pathsOf(chain.makeCanonical(two!))).toEqual(change);
    expect(heard).toEqual([change]);
    expect([chain.head.hash, chain.canonicalBlock(1).hash, chain.canonicalHeader(2).number]).toEqual([two, one, 2]);
    expect(indexed(chain, 1, 2)).toEqual([[1], [2]]);
    expect(pathsOf(chain.makeCanonical(two!))).toEqual({ removed: [], added: [] });
    expect(heard).toHaveLength(1);
    stop();
    chain.makeCanonical(one!);
    expect(heard).toHaveLength(1);
  });

  it('to another branch removes blocks, newest first, with their index rows', async () => {
    using sample = new StoredChain();
    const { chain } = sample;
    const [one, two, three] = await sample.line(chain.genesisHash, 1, 2, 3);
    const [other, last] = await sample.line(one!, 12, 13);
    chain.makeCanonical(three!);
    const heard: unknown[] = [];
    chain.onHead((change) => heard.push(pathsOf(change)));
    chain.makeCanonical(last!);
    expect(heard).toEqual([{ removed: [three, two], added: [other, last] }]);
    expect([1, 2, 3].map((number) => chain.canonicalHash(number))).toEqual([one, other, last]);
    expect(indexed(chain, 1, 2, 3, 12, 13)).toEqual([[1], [], [], [2], [3]]);
    expect([one!, two!, last!].map((hash) => transactionsOf(chain, hash))).toEqual([[1], [], [3]]);
    expect([chain.isCanonical(two!), chain.block(two!)?.hash]).toEqual([false, two]);
  });

  it('takes along the labels that it leaves behind, to the fork point', async () => {
    using sample = new StoredChain();
    const { chain } = sample;
    const [one, two, three] = await sample.line(chain.genesisHash, 1, 2, 3);
    const [other, last] = await sample.line(one!, 12, 13);
    chain.makeCanonical(three!, { safe: two!, finalized: one! });
    expect(labelsOf(chain)).toEqual([three, two, one]);
    chain.makeCanonical(other!);
    expect(labelsOf(chain)).toEqual([other, one, one]);
    chain.makeCanonical(last!, { safe: other! });
    expect(labelsOf(chain)).toEqual([last, other, one]);
    expect(labelsOf(new Chain(chain.store, chain.definition, chain.schedule))).toEqual([last, other, one]);
  });

  it('is not told when a label alone moves, though the label does', async () => {
    using sample = new StoredChain();
    const { chain } = sample;
    const [one, two] = await sample.line(chain.genesisHash, 1, 2);
    chain.makeCanonical(two!);
    const heard: unknown[] = [];
    chain.onHead((change) => heard.push(change));
    chain.makeCanonical(two!, { safe: one! });
    expect([labelsOf(chain), heard]).toEqual([[two, one, undefined], []]);
    expect(chain.store.fact('safe')).toBe(one);
  });
});

describe('blocks that are indexed ahead', () => {
  it('have their index rows before they are canonical, and after', async () => {
    using sample = new StoredChain();
    const { chain } = sample;
    const [one, two] = await sample.line(chain.genesisHash, 1, 2);
    await chain.prepare(two!);
    expect([chain.head.hash, chain.canonicalHash(1)]).toEqual([chain.genesisHash, undefined]);
    expect([one!, two!].map((hash) => transactionsOf(chain, hash))).toEqual([[1], [2]]);
    chain.makeCanonical(two!);
    expect(indexed(chain, 1, 2)).toEqual([[1], [2]]);
    expect(chain.canonicalHash(2)).toBe(two);
  });

  it('are indexed again when another head came between', async () => {
    using sample = new StoredChain();
    const { chain } = sample;
    const [one, two] = await sample.line(chain.genesisHash, 1, 2);
    const [other] = await sample.line(chain.genesisHash, 11);
    await chain.prepare(two!);
    chain.makeCanonical(one!);
    chain.makeCanonical(other!);
    chain.makeCanonical(two!);
    expect(indexed(chain, 1, 2, 11)).toEqual([[1], [2], []]);
    expect([one!, two!].map((hash) => transactionsOf(chain, hash))).toEqual([[1], [2]]);
  });

  it('are none of another branch, whose transactions may be the same', async () => {
    using sample = new StoredChain();
    const { chain } = sample;
    const [one] = await sample.line(chain.genesisHash, 1);
    const [other] = await sample.line(chain.genesisHash, 11);
    chain.makeCanonical(one!);
    await chain.prepare(other!);
    expect(transactionsOf(chain, other!)).toEqual([]);
    chain.makeCanonical(other!);
    expect(transactionsOf(chain, other!)).toEqual([1]);
  });
});

describe('the states of a chain', () => {
  const missing = (root: Hex) => new Error(`pruned ${root}`);

  it('are those of the newest blocks and of genesis where old ones are pruned', async () => {
    using sample = new StoredChain({ stateRetention: { blocks: 2, missing } });
    const { chain } = sample;
    const hashes = [chain.genesisHash, ...(await sample.line(chain.genesisHash, 1, 2, 3))];
    chain.makeCanonical(hashes[3]!);
    const headers = hashes.map((hash) => chain.knownHeader(hash));
    expect(headers.map((header) => chain.hasState(header))).toEqual([true, false, true, true]);
    expect(() => chain.stateOf(headers[1]!)).toThrow(`pruned ${headers[1]!.stateRoot}`);
    expect(bytesToHex(chain.stateOf(headers[2]!).root)).toBe(headers[2]!.stateRoot);
    // A block on a pruned state is still executed.
    expect(bytesToHex(chain.parentContextOf(hashes[1]!, headers[1]!, 1n).parentState.root)).toBe(headers[1]!.stateRoot);
  });

  it('are all kept otherwise', async () => {
    using sample = new StoredChain();
    const { chain } = sample;
    const [one, , three] = await sample.line(chain.genesisHash, 1, 2, 3);
    chain.makeCanonical(three!);
    expect(chain.hasState(chain.knownHeader(one!))).toBe(true);
  });
});

it('the base fee after a block follows the rules of the next one (canyon: denominator 250)', () => {
  using sample = new StoredChain({ overrides: { canyon: GENESIS_TIME + 4 } });
  const { chain } = sample;
  const { header } = chain.head;
  const { baseFeePerGas: fee = 0n } = header;
  const feeAt = (seconds: number) => chain.baseFeeAfter(header, BigInt(GENESIS_TIME + seconds));
  // The genesis block is empty, so the fee falls by one part of the denominator.
  expect([2, 4].map(feeAt)).toEqual([fee - fee / 50n, fee - fee / 250n]);
});

describe('the context of a block', () => {
  it('has the rules of its time, the code that its fork sets, and the hashes of its own ancestors', async () => {
    using sample = new StoredChain({ overrides: { canyon: GENESIS_TIME + 4 } });
    const { chain } = sample;
    const [one, two] = await sample.line(chain.genesisHash, 1, 2);
    const [other] = await sample.line(chain.genesisHash, 11);
    chain.makeCanonical(two!);
    const contextAt = (seconds: number) =>
      chain.parentContextOf(other!, chain.knownHeader(other!), BigInt(GENESIS_TIME + seconds));
    expect([2, 4, 6].map((seconds) => contextAt(seconds).forcedCode.length)).toEqual([0, 1, 0]);
    expect([2, 4].map((seconds) => contextAt(seconds).rules.evm)).toEqual(['paris', 'shanghai']);
    expect([0, 1].map((number) => contextAt(4).blockHash(number)).map((hash) => hash && bytesToHex(hash))).toEqual([
      chain.genesisHash,
      other,
    ]);
    expect(contextAt(4)).toMatchObject({ chainId: 901 });
    expect(Object.hasOwn(contextAt(4), 'depositContract')).toBe(false);
    expect(one).not.toBe(other);
  });

  it('has the deposit contract of plain Ethereum', () => {
    const genesis = JSON.parse(L1_GENESIS) as { readonly config: object };
    const contract: Hex = `0x${'de'.repeat(20)}`;
    const config = { ...genesis.config, depositContractAddress: contract };
    using sample = new StoredChain({}, JSON.stringify({ ...genesis, config }));
    const { chain } = sample;
    const { hash, header } = chain.head;
    expect(chain.parentContextOf(hash, header, header.timestamp + 12n).depositContract).toBe(contract);
  });
});

describe('a checkpoint', () => {
  it('puts head and labels back, and removes what was stored after it', async () => {
    using sample = new StoredChain();
    const { chain } = sample;
    const [one, two] = await sample.line(chain.genesisHash, 1, 2);
    chain.makeCanonical(two!, { safe: one! });
    const checkpoint = chain.checkpoint();
    const [other, last] = await sample.line(one!, 12, 13);
    chain.makeCanonical(last!, { safe: other!, finalized: other! });
    const heard: unknown[] = [];
    chain.onHead((change) => heard.push(change));
    chain.restore(checkpoint);
    expect(labelsOf(chain)).toEqual([two, one, undefined]);
    expect(labelsOf(new Chain(chain.store, chain.definition, chain.schedule))).toEqual([two, one, undefined]);
    expect([other!, last!].map((hash) => [chain.header(hash), chain.block(hash)])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect([1, 2, 3].map((number) => chain.canonicalHash(number))).toEqual([one, two, undefined]);
    expect(indexed(chain, 1, 2, 12, 13)).toEqual([[1], [2], [], []]);
    expect(heard).toEqual([]);
  });

  it('leads back to the genesis block when the chain is new', async () => {
    using sample = new StoredChain();
    const { chain } = sample;
    const checkpoint = chain.checkpoint();
    const [one] = await sample.line(chain.genesisHash, 1);
    await chain.prepare(one!);
    chain.restore(checkpoint);
    expect([chain.head.hash, chain.header(one!)]).toEqual([chain.genesisHash, undefined]);
    const [again] = await sample.line(chain.genesisHash, 1);
    chain.makeCanonical(again!);
    expect([again, indexed(chain, 1), transactionsOf(chain, again!)]).toEqual([one, [[1]], [1]]);
  });
});
