import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExecutionBudget } from '../../../../src/nodes/execution/evm/execution-budget.ts';
import { FLAVOURS } from '../../../../src/nodes/execution/flavours/index.ts';
import type { QueryLimits } from '../../../../src/nodes/execution/query/context.ts';
import {
  checkLiveFilter,
  criteriaOf,
  logFilterParam,
  logsOf,
  queryLogs,
} from '../../../../src/nodes/execution/query/logs.ts';
import { u256be } from '../../../../src/protocol/bytes.ts';
import { bytesToHex, hexToBytes, quantity } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { GENESIS_TIME } from '../support/genesis.ts';
import { StoredChain } from '../support/stored-chain.ts';
import { addressOf, hashOf } from '../views/sample-block.ts';

const [A, B] = [addressOf(0xa1), addressOf(0xb2)];
const [ONE, TWO, THREE] = [hashOf(1), hashOf(2), hashOf(3)];
const log = (address: Hex, ...topics: readonly Hex[]) => ({ address, topics, data: '0x05' as Hex });

/** Blocks 1 and 3 have logs, block 2 has a transaction without. A block beside it has a log of A. */
let sample: StoredChain;
let hashes: Record<'one' | 'two' | 'three' | 'side', Hex>;
beforeAll(async () => {
  sample = new StoredChain();
  const { chain } = sample;
  const one = await sample.child(chain.genesisHash, 1, [[log(A, ONE, TWO), log(B)], [log(A, THREE)]]);
  const two = await sample.child(one, 2, [[]]);
  const three = await sample.child(two, 3, [[log(B, ONE), log(A, TWO, ONE)]]);
  const side = await sample.child(one, 22, [[log(A, ONE)]]);
  hashes = { one, two, three, side };
  chain.makeCanonical(three);
});
afterAll(() => sample[Symbol.dispose]());

type Filter = Parameters<typeof logFilterParam.parse>[0];
const contextOf = (flavour: 'go' | 'rust', limits: Partial<QueryLimits> = {}) => ({
  chain: sample.chain,
  flavour: FLAVOURS[flavour],
  limits: { ...FLAVOURS[flavour].limits, ...limits },
  newBudget: () => new ExecutionBudget(),
});
async function viewsOf(filter: Filter, flavour: 'go' | 'rust' = 'go', limits: Partial<QueryLimits> = {}) {
  const logs = await queryLogs(contextOf(flavour, limits), logFilterParam.parse(filter));
  return JSON.parse(JSON.stringify(logs)) as Record<string, unknown>[];
}
/** The logs that a filter matches: numbers of block, transaction and log. */
const placesOf = async (...query: Parameters<typeof viewsOf>) =>
  (await viewsOf(...query)).map(({ blockNumber, transactionIndex, logIndex }) =>
    [blockNumber, transactionIndex, logIndex].map(Number).join(':'),
  );
const ALL = ['1:0:0', '1:0:1', '1:1:2', '3:0:0', '3:0:1'];
const since = (filter: object) => ({ fromBlock: 'earliest', ...filter });

describe('a log filter', () => {
  it.each<[string, object, readonly string[]]>([
    ['nothing', {}, ALL],
    ['an address', { address: A }, ['1:0:0', '1:1:2', '3:0:1']],
    ['an address in capitals', { address: `0x${A.slice(2).toUpperCase()}` }, ['1:0:0', '1:1:2', '3:0:1']],
    ['two addresses', { address: [A, B] }, ALL],
    ['no address of a list', { address: [] }, ALL],
    ['an address without logs', { address: addressOf(9) }, []],
    ['a topic', { topics: [ONE] }, ['1:0:0', '3:0:0']],
    ['a topic and no second one', { topics: [THREE, null] }, []],
    ['any of two topics', { topics: [[ONE, THREE]] }, ['1:0:0', '1:1:2', '3:0:0']],
    ['a second topic', { topics: [null, TWO] }, ['1:0:0']],
    ['any second topic', { topics: [null, null] }, ['1:0:0', '3:0:1']],
    ['two topics', { topics: [ONE, TWO] }, ['1:0:0']],
    ['two topics in the other order', { topics: [TWO, ONE] }, ['3:0:1']],
    ['topics of which one never is', { topics: [ONE, hashOf(9)] }, []],
    ['an empty list at a position', { topics: [[], ONE] }, ['3:0:1']],
    ['a list with null, which is any topic', { topics: [[THREE, null]] }, ['1:0:0', '1:1:2', '3:0:0', '3:0:1']],
    ['no topic of a list', { topics: [] }, ALL],
    ['an address and a topic', { address: B, topics: [ONE] }, ['3:0:0']],
    ['blocks from a number on', { fromBlock: '0x2' }, ['3:0:0', '3:0:1']],
    ['blocks up to a number', { toBlock: '0x2' }, ['1:0:0', '1:0:1', '1:1:2']],
    ['one block', { fromBlock: '0x1', toBlock: '0x1', address: A }, ['1:0:0', '1:1:2']],
    ['a block without logs', { fromBlock: '0x2', toBlock: '0x2' }, []],
    ['blocks up to one beyond the head', { toBlock: '0x9' }, ALL],
    ['blocks up to one beyond the head of an address', { toBlock: '0x9', address: B }, ['1:0:1', '3:0:0']],
    ['blocks beyond the head', { fromBlock: '0x4' }, []],
    ['blocks beyond the head up to the newest', { fromBlock: '0x4', toBlock: 'latest', address: A }, []],
  ])('that names %s matches in order', async (_, filter, expected) => {
    expect(await placesOf(since(filter))).toEqual(expected);
  });

  it('without a first block is about the newest one', async () => {
    expect(await placesOf({})).toEqual(['3:0:0', '3:0:1']);
    expect(await placesOf({ toBlock: '0x2' })).toEqual([]);
    expect(await placesOf({ fromBlock: null, toBlock: null, address: null, topics: null })).toEqual(['3:0:0', '3:0:1']);
  });

  it('whose positions are empty matches logs with fewer topics in the rust client', async () => {
    expect(await placesOf(since({ topics: [null] }), 'rust')).toEqual(ALL);
    expect(await placesOf(since({ topics: [null, null, null, null] }), 'rust')).toEqual(ALL);
    expect(await placesOf(since({ topics: [null] }), 'go')).toEqual(ALL.filter((place) => place !== '1:0:1'));
  });

  it.each(['go', 'rust'] as const)(
    'of a block matches in that block, on any branch, in the %s client',
    async (client) => {
      const { one, two, side } = hashes;
      expect(await placesOf({ blockHash: one }, client)).toEqual(['1:0:0', '1:0:1', '1:1:2']);
      expect(await placesOf({ blockHash: `0x${one.slice(2).toUpperCase()}`, topics: [THREE] }, client)).toEqual([
        '1:1:2',
      ]);
      expect(await placesOf({ blockHash: two }, client)).toEqual([]);
      expect(await placesOf({ blockHash: side, address: A }, client)).toEqual(['2:0:0']);
      await expect(placesOf({ blockHash: hashOf(9) }, client)).rejects.toThrow();
    },
  );

  it('has all fields of a log, with the time of its block in the rust client', async () => {
    const [go, rust] = await Promise.all([
      viewsOf(since({ topics: [THREE] })),
      viewsOf(since({ topics: [THREE] }), 'rust'),
    ]);
    const { receipts } = sample.chain.knownBlock(hashes.one).receipts;
    const view = {
      ...{ address: A, topics: [THREE], data: '0x05', blockNumber: '0x1', blockHash: hashes.one },
      ...{ transactionHash: receipts[1]!.transactionHash, transactionIndex: '0x1', logIndex: '0x2', removed: false },
    };
    expect(go).toStrictEqual([view]);
    expect(rust).toStrictEqual([{ ...view, blockTimestamp: quantity(GENESIS_TIME + 2) }]);
  });
});

describe('a log filter is refused', () => {
  const INVALID = -32602;
  it.each<[string, object, Partial<QueryLimits>, string | undefined]>([
    ['as many addresses as the limit', { address: [A, B] }, { logAddresses: 2 }, undefined],
    ['an address more', { address: [A, B] }, { logAddresses: 1 }, 'exceed max addresses: 1'],
    ['as many topics of a position as the limit', { topics: [null, [ONE, TWO]] }, { logTopics: 2 }, undefined],
    ['a topic more', { topics: [null, [ONE, TWO]] }, { logTopics: 1 }, 'exceed max topics: 1 in one position'],
    ['no topics', since({}), { logTopics: 0 }, undefined],
    ['as many blocks as the limit', since({}), { logRange: 3 }, undefined],
    ['as many blocks as the limit after the first one', { fromBlock: '0x1' }, { logRange: 2 }, undefined],
    ['a block more', since({}), { logRange: 2 }, 'query exceeds max block range 2'],
    ['as many logs as the limit', since({}), { logs: 5 }, undefined],
    ['a log more', since({}), { logs: 4 }, 'query exceeds max results 4, retry with the range 0-2'],
    ['too many logs of its first block', { fromBlock: '0x1', toBlock: '0x1' }, { logs: 2 }, 'retry with the range 1-1'],
    ['a last block before the first', { fromBlock: '0x3', toBlock: '0x2' }, {}, 'invalid block range params'],
    ['a range that ends before it begins, beyond the head', { fromBlock: '0x9', toBlock: '0x8' }, {}, 'invalid block'],
  ])('by its limits with %s', async (_, filter, limits, message) => {
    if (message === undefined) expect(await placesOf(filter, 'go', limits)).toBeDefined();
    else
      await expect(placesOf(filter, 'go', limits)).rejects.toMatchObject({
        code: INVALID,
        message: expect.stringContaining(message),
      });
  });

  it('with a hash and a range', async () => {
    const problem = { code: INVALID, message: expect.stringContaining('cannot specify both BlockHash and') };
    for (const range of [{ fromBlock: '0x1' }, { toBlock: '0x1' }])
      await expect(placesOf({ blockHash: hashes.one, ...range })).rejects.toMatchObject(problem);
    expect(await placesOf({ blockHash: hashes.two, fromBlock: null, toBlock: null })).toEqual([]);
  });

  it('with an end beyond the head in the rust client', async () => {
    await expect(placesOf(since({ toBlock: '0x4' }), 'rust')).rejects.toThrow('extends beyond current head block');
    expect(await placesOf(since({ toBlock: '0x3' }), 'rust')).toEqual(ALL);
  });

  it('with five topics', () => {
    expect(logFilterParam.safeParse({ topics: [null, null, null, null] }).success).toBe(true);
    expect(logFilterParam.safeParse({ topics: [null, null, null, null, null] }).success).toBe(false);
  });
});

describe('a live filter', () => {
  it.each<[object, boolean]>([
    [{}, true],
    [{ fromBlock: '0x5' }, true],
    [{ fromBlock: 'latest', toBlock: 'latest' }, true],
    [{ fromBlock: '0x5', toBlock: '0x5' }, true],
    [{ fromBlock: '0x5', toBlock: '0x6' }, true],
    [{ fromBlock: '0x6', toBlock: '0x5' }, false],
    [{ fromBlock: 'latest', toBlock: '0x5' }, false],
    [{ fromBlock: 'earliest', toBlock: '0x5' }, true],
    [{ toBlock: '0x5' }, false],
  ])('of %o can match a new block: %s', (filter, isPossible) => {
    const check = () => checkLiveFilter(contextOf('go'), logFilterParam.parse(filter));
    if (isPossible) check();
    else expect(check).toThrow(expect.objectContaining({ code: -32000, message: 'invalid block range params' }));
  });

  it('has the limits of a query', () => {
    const filter = logFilterParam.parse({ address: [A, B] });
    expect(() => checkLiveFilter(contextOf('go', { logAddresses: 1 }), filter)).toThrow('exceed max addresses: 1');
  });
});

describe('the logs of one block', () => {
  const logsIn = (filter: object, removed?: boolean) =>
    logsOf(contextOf('go'), sample.chain.knownBlock(hashes.one), criteriaOf(logFilterParam.parse(filter)), removed);

  it('are those of the criteria, by their index among all of the block', () => {
    expect(logsIn({}).map(({ logIndex }) => logIndex)).toEqual(['0x0', '0x1', '0x2']);
    expect(logsIn({ topics: [THREE] })).toMatchObject([{ logIndex: '0x2', transactionIndex: '0x1', removed: false }]);
    expect(logsIn({ topics: [THREE] }, true)).toMatchObject([{ removed: true }]);
  });

  it.each<[object, number]>([
    [{ fromBlock: '0x1', toBlock: '0x1' }, 3],
    [{ fromBlock: '0x2' }, 0],
    [{ toBlock: '0x0' }, 0],
    [{ fromBlock: 'latest', toBlock: 'latest' }, 3],
    [{ fromBlock: null, toBlock: null }, 3],
  ])('in the range %o are %i', (range, count) => {
    expect(logsIn(range)).toHaveLength(count);
  });
});

it('the log index is read in parts of 1,024 blocks, and a block above the head is passed over', async () => {
  const ranges: (readonly [number, number])[] = [];
  const store = {
    logBlocks: (_: Hex, first: number, last: number) => {
      ranges.push([first, last]);
      return [first, last + 5000];
    },
    loggedBlock: () => sample.chain.store.loggedBlock(1),
  };
  const chain = { head: { header: { number: 2500 } }, store } as never;
  const filter = logFilterParam.parse({ fromBlock: '0x3', topics: [THREE] });
  const head = { ...contextOf('go'), chain };
  const logs = await queryLogs(head, { ...filter, toBlock: 2500 });
  expect(ranges).toEqual([
    [3, 1026],
    [1027, 2050],
    [2051, 2500],
  ]);
  expect(logs.length).toBe(3);
});

it('logs are in the order of their blocks, whichever of the values in the filter a block has', async () => {
  const store = {
    logBlocks: (value: Hex) => (value === ONE ? [3] : [1]),
    loggedBlock: (number: number) => sample.chain.store.loggedBlock(number),
  };
  const chain = { head: sample.chain.head, store } as never;
  const filter = { ...logFilterParam.parse({ topics: [[ONE, THREE]] }), fromBlock: 1, toBlock: 3 };
  const logs = JSON.parse(JSON.stringify(await queryLogs({ ...contextOf('go'), chain }, filter)));
  expect(logs).toMatchObject([{ blockNumber: '0x1' }, { blockNumber: '0x1' }, { blockNumber: '0x3' }]);
});

it('a search for all logs ends at a head that falls meanwhile', async () => {
  const heads = [3, 3, 1];
  const asked: number[] = [];
  const chain = {
    ...{ chainId: 901, store: sample.chain.store },
    get head() {
      return { header: { number: heads.length > 1 ? heads.shift() : heads[0] } };
    },
    canonicalHeader(number: number) {
      asked.push(number);
      return sample.chain.canonicalHeader(number);
    },
  } as never;
  const filter = { ...logFilterParam.parse({}), fromBlock: 1, toBlock: 3 };
  expect((await queryLogs({ ...contextOf('go'), chain }, filter)).length).toBe(3);
  expect(asked).toEqual([1]);
});

it('logs of a block whose bloom has a bit in each byte are returned', async () => {
  using full = new StoredChain();
  const topics = (at: number) => [1, 2, 3, 4].map((one) => bytesToHex(u256be(4 * at + one)));
  const logs = Array.from({ length: 300 }, (_, at) => log(A, ...topics(at)));
  full.chain.makeCanonical(await full.child(full.chain.genesisHash, 1, [logs]));
  expect(hexToBytes(full.chain.head.header.logsBloom).includes(0)).toBe(false);
  const matches = await queryLogs({ ...contextOf('go'), chain: full.chain }, logFilterParam.parse({}));
  expect(matches.length).toBe(300);
});
