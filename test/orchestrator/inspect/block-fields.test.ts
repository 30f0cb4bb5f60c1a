import { afterEach, describe, expect, it } from 'vitest';
import { readBlock } from '../../../src/orchestrator/inspect/block.ts';
import type { Attributes, Inspector } from '../../../src/orchestrator/inspect/inspector.ts';
import type { Layer } from '../../../src/orchestrator/inspect/layer.ts';
import { type AnsweringNode, answeringNode } from '../dashboard/rpc-answers.ts';
import { address, l1Layer, l2Layer, stubInspector, word } from './inspected.ts';

let node: AnsweringNode | undefined;
afterEach(() => node?.close());

const sent = (digit: string, more: object = {}) => ({
  ...{ hash: word(digit), type: '0x2', from: address('a'), to: address('b'), value: '0x0', input: '0x' },
  ...more,
});
const BLOCK = {
  ...{ number: '0x7', hash: word('7'), parentHash: word('6'), timestamp: '0x64', gasUsed: '0x1', gasLimit: '0x2' },
  ...{ baseFeePerGas: '0x9', extraData: '0x0102', transactions: [sent('1'), sent('2', { to: null })] },
};
const RECEIPTS = [{ transactionHash: word('2'), status: '0x0', gasUsed: '0x3' }];

interface Served {
  readonly block?: object | null;
  readonly receipts?: unknown;
  readonly safe?: string | null;
  readonly finalized?: string | null;
  readonly id?: string;
  readonly layer?: (url: string) => Layer;
  readonly inspector?: Partial<Inspector>;
}

/** Reads a block of a client. */
async function read({ block = BLOCK, receipts = RECEIPTS, id = '0x7', ...served }: Served) {
  const requests: unknown[] = [];
  const { safe = null, finalized = null, layer = l1Layer } = served;
  node = await answeringNode((method, params) => {
    requests.push([method, ...params]);
    if (method === 'eth_getBlockReceipts') return receipts;
    if (params[0] !== 'safe' && params[0] !== 'finalized') return block;
    const head = params[0] === 'safe' ? safe : finalized;
    if (head === 'error') throw new Error('safe block not found');
    return head === null ? null : { number: head };
  });
  const inspector = stubInspector(served.inspector);
  return { view: await readBlock(inspector, layer(node.url), id), requests, inspector };
}

describe('a block', () => {
  it('has its fields, and its transactions with their receipts', async () => {
    const { view, requests, inspector } = await read({});
    expect(view).toEqual({
      ...{ place: 'l1', number: 7, hash: word('7'), parentHash: word('6'), time: 100, at: '1970-01-01T00:01:40Z' },
      ...{ state: 'unsafe', gasUsed: 1, gasLimit: 2, baseFee: '9', extraData: '0x0102', origin: null, activates: [] },
      ...{ transactionCount: 2, carrier: null },
      transactions: [
        expect.objectContaining({ hash: word('1'), to: { address: address('b'), name: 'weth' }, status: null }),
        expect.objectContaining({ hash: word('2'), to: null, status: 'reverted', gasUsed: 3 }),
      ],
    });
    expect(inspector.identified).toEqual([[address('b')]]);
    expect(requests.toSorted()).toEqual([
      ['eth_getBlockByNumber', '0x7', true],
      ['eth_getBlockByNumber', 'finalized', false],
      ['eth_getBlockByNumber', 'safe', false],
      ['eth_getBlockReceipts', '0x7'],
    ]);
  });

  it('is found by its hash', async () => {
    expect((await read({ id: word('7') })).requests[0]).toEqual(['eth_getBlockByHash', word('7'), true]);
  });

  it('is undefined when the layer has none', async () => {
    expect((await read({ block: null })).view).toBeUndefined();
  });

  it('has neither a base fee nor receipts when the client has none', async () => {
    const { view } = await read({ block: { ...BLOCK, baseFeePerGas: undefined }, receipts: null });
    expect(view?.baseFee).toBeNull();
    expect(view?.transactions.map(({ status }) => status)).toEqual([null, null]);
  });

  it.each([
    ['0x7', '0x7', 'finalized'],
    ['0x8', '0x6', 'safe'],
    ['0x7', null, 'safe'],
    ['0x6', '0x6', 'unsafe'],
    [null, null, 'unsafe'],
    ['error', 'error', 'unsafe'],
    ['error', '0x9', 'finalized'],
  ])('below the safe block %s and the finalized block %s is %s', async (safe, finalized, state) => {
    expect((await read({ safe, finalized })).view?.state).toBe(state);
  });

  it('is unsafe at genesis while there is no safe block', async () => {
    expect((await read({ block: { ...BLOCK, number: '0x0' } })).view?.state).toBe('unsafe');
    expect((await read({ block: { ...BLOCK, number: '0x0' }, finalized: '0x0' })).view?.state).toBe('finalized');
  });

  it.each([
    ['transactions', { transactions: [5] }],
    ['block.timestamp', { timestamp: null }],
  ])('is refused when its %s are malformed', async (what, more) => {
    await expect(read({ block: { ...BLOCK, ...more } })).rejects.toThrow(what);
  });
});

describe('a block of L2', () => {
  const attributes = () =>
    ({ info: { sequenceNumber: 3 }, carried: { origin: { number: 5, hash: word('5') } } }) as unknown as Attributes;
  const onFork = (url: string) => l2Layer(url, { isthmus: 100, jovian: 101, karst: 98 }, { jovian: 99 });

  it('has its L1 origin, the forks that it activates and what carried it', async () => {
    const asked: unknown[] = [];
    const carrier: Inspector['carrier'] = async (layer, block) => {
      asked.push(layer.label, block);
      return { kind: 'none', because: 'no batch yet' };
    };
    const { view } = await read({ layer: onFork, inspector: { attributes, carrier } });
    expect(view).toMatchObject({
      ...{ place: 'main/s', origin: { number: 5, hash: word('5'), sequenceNumber: 3 } },
      ...{ activates: ['isthmus', 'jovian'], carrier: { kind: 'none', because: 'no batch yet' } },
    });
    expect(asked).toEqual(['main/s', BLOCK]);
  });

  it('has no origin without attributes, and the reason why its batch cannot be read', async () => {
    const carrier = () => Promise.reject(new Error('L1 does not answer'));
    const { view } = await read({ layer: l2Layer, inspector: { carrier } });
    expect(view).toMatchObject({ origin: null, activates: [] });
    expect(view?.carrier).toEqual({ kind: 'none', because: 'L1 does not answer' });
  });
});
