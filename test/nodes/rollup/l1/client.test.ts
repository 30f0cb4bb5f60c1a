import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { L1Client } from '../../../../src/nodes/rollup/l1/client.ts';
import { headerHash } from '../../../../src/nodes/rollup/l1/header.ts';
import { RECEIPT_KINDS, type ReceiptKind } from '../../../../src/nodes/rollup/l1/receipts.ts';
import { limitedRequests } from '../../../../src/nodes/rollup/l1/requests.ts';
import { encodeReceipt } from '../../../../src/nodes/rpc-types/receipt.ts';
import { l1Genesis } from '../../../../src/protocol/genesis/index.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import type { Request, RpcClient } from '../../../../src/rpc/client/client.ts';
import { RPC_CODE, RpcError } from '../../../../src/rpc/error.ts';
import { Anvil } from '../../../protocol/genesis/anvil.ts';
import { chainInputs, contracts, GENESIS_TIME } from '../../../protocol/genesis/inputs.ts';
import { patientClient } from '../../../rpc/patient-client.ts';
import { fakeClient } from '../support/fake-client.ts';

type Json = Record<string, unknown>;
const nowhere = `0x${'99'.repeat(32)}` as Hex;

describe('the L1 client', () => {
  let anvil: Anvil;
  let rpc: RpcClient;
  let block: Json & { hash: Hex; transactions: Json[] };
  let receipts: Json[];

  beforeAll(async () => {
    const inputs = chainInputs();
    anvil = await Anvil.start(
      900,
      l1Genesis(
        { chainId: 900, hardfork: 'prague', genesisTime: GENESIS_TIME, accounts: inputs.accounts, chains: [inputs] },
        contracts,
      ),
    );
    rpc = patientClient({ url: anvil.url });
    const [from, to] = inputs.accounts as unknown as [{ address: Hex }, { address: Hex }];
    const common = { from: from.address, to: to.address, value: '0x1', gas: '0x10000' };
    await rpc.call('eth_sendTransaction', [{ ...common, type: '0x0', gasPrice: '0x77359400' }]);
    await rpc.call('eth_sendTransaction', [
      { ...common, type: '0x1', gasPrice: '0x77359400', accessList: [{ address: to.address, storageKeys: [nowhere] }] },
    ]);
    await rpc.call('eth_sendTransaction', [{ ...common, data: '0x1234' }]);
    await rpc.call('evm_mine', []);
    block = await rpc.call('eth_getBlockByNumber', ['latest', true]);
    receipts = await rpc.call('eth_getBlockReceipts', [block.hash]);
  });
  afterAll(async () => {
    rpc.close();
    await anvil[Symbol.asyncDispose]();
  });

  const over = (client: RpcClient, options: { trusted?: boolean; kind?: ReceiptKind; cacheSize?: number } = {}) =>
    new L1Client({
      request: limitedRequests(client, { maxBatch: 20, maxConcurrency: 10, ratePerSecond: 0 }),
      cacheSize: 10,
      trusted: false,
      kind: 'standard',
      ...options,
    });

  /** An endpoint that answers as anvil does, with changes. */
  const lying = (change: (request: Request) => unknown) =>
    fakeClient((request) => {
      const changed = change(request);
      if (changed !== undefined) return changed;
      if (request.method === 'eth_getBlockReceipts') return receipts;
      if (request.method === 'eth_getTransactionReceipt')
        return receipts.find((receipt) => receipt['transactionHash'] === request.params?.[0]);
      return request.params?.[0] === nowhere ? null : block;
    });

  it('reads header, transactions and receipts of a real L1 and finds them genuine', async () => {
    const client = over(rpc);
    const header = await client.headerByNumber(1);
    expect(header).toMatchObject({ number: 1, hash: block.hash, timestamp: Number(block['timestamp']) });
    expect((await client.transactions(block.hash))?.map(({ type, input }) => [type, input])).toEqual([
      [0, '0x'],
      [1, '0x'],
      [2, '0x1234'],
    ]);
    expect((await client.receipts(block.hash))?.map(({ status }) => status)).toEqual([true, true, true]);
    expect(await client.headerByLabel('latest')).toEqual(header);
    expect(await client.chainId()).toBe(900);
  });

  it('returns null for a block that L1 does not have', async () => {
    const client = over(rpc);
    expect(await client.headerByNumber(99)).toBeNull();
    expect(await client.headerByHash(nowhere)).toBeNull();
    expect(await client.transactions(nowhere)).toBeNull();
    expect(await client.receipts(nowhere)).toBeNull();
  });

  it('sends one request for a hash, also for concurrent reads', async () => {
    const endpoint = lying(() => undefined);
    const client = over(endpoint);
    await Promise.all([
      client.receipts(block.hash),
      client.receipts(block.hash),
      client.transactions(block.hash),
      client.headerByHash(block.hash),
    ]);
    await client.receipts(block.hash);
    expect(endpoint.messages.flat().map(({ method }) => method)).toEqual([
      'eth_getBlockByHash',
      'eth_getBlockReceipts',
    ]);
  });

  it('reads a block with its transactions by number in one request', async () => {
    const endpoint = lying(() => undefined);
    const client = over(endpoint);
    const header = await client.blockByNumber(1);
    expect(await client.headerByHash(block.hash)).toEqual(header);
    expect(await client.transactions(block.hash)).toHaveLength(3);
    expect(await client.receipts(block.hash)).toHaveLength(3);
    expect(endpoint.messages.flat().map(({ method }) => method)).toEqual([
      'eth_getBlockByNumber',
      'eth_getBlockReceipts',
    ]);
    const left = { ...block, transactions: block.transactions.slice(1) };
    await expect(over(lying(() => left)).blockByNumber(1)).rejects.toThrow('not those of its header');
    expect(await over(rpc).blockByNumber(99)).toBeNull();
  });

  it('requests a block and its receipts at once', async () => {
    const endpoint = lying(() => undefined);
    expect(await over(endpoint).receipts(block.hash)).toHaveLength(3);
    expect(endpoint.messages.map((message) => message.map(({ method }) => method))).toEqual([
      ['eth_getBlockByHash', 'eth_getBlockReceipts'],
    ]);
  });

  it('requests again after a failure', async () => {
    let isThere = false;
    const client = over(lying(({ method }) => (!isThere && method === 'eth_getBlockByHash' ? null : undefined)));
    expect(await client.headerByHash(block.hash)).toBeNull();
    isThere = true;
    expect((await client.headerByHash(block.hash))?.number).toBe(1);
  });

  it.each([
    ['a header field', (json: Json) => ({ ...json, gasUsed: '0x1' })],
    ['a transaction left out', (json: Json) => ({ ...json, transactions: (json['transactions'] as Json[]).slice(1) })],
    [
      "a transaction's data",
      (json: Json) => ({
        ...json,
        transactions: (json['transactions'] as Json[]).map((tx) => ({ ...tx, input: '0x99' })),
      }),
    ],
  ])('detects a changed %s, unless it trusts the endpoint', async (_, change) => {
    const changed = () => lying(({ method }) => (method === 'eth_getBlockByHash' ? change(block) : undefined));
    await expect(over(changed()).transactions(block.hash)).rejects.toMatchObject({ kind: 'mismatch' });
    await expect(over(changed(), { trusted: true }).transactions(block.hash)).resolves.toBeDefined();
  });

  it('detects receipts that were changed, left out or added', async () => {
    const logs = [
      {
        address: receipts[0]!['from'],
        topics: [],
        data: '0x',
        logIndex: '0x0',
        transactionHash: receipts[0]!['transactionHash'],
      },
    ];
    for (const list of [
      receipts.slice(1),
      [...receipts, receipts[0]],
      [{ ...receipts[0], logs }, ...receipts.slice(1)],
    ]) {
      const client = over(lying(({ method }) => (method === 'eth_getBlockReceipts' ? list : undefined)));
      await expect(client.receipts(block.hash)).rejects.toMatchObject({ kind: 'mismatch' });
    }
  });

  it('detects a block of another hash than the requested one', async () => {
    await expect(over(lying(() => undefined)).headerByHash(`0x${'12'.repeat(32)}`)).rejects.toThrow(
      'asked L1 for block 0x1212',
    );
  });

  it.each(Object.entries(RECEIPT_KINDS) as [ReceiptKind, readonly string[]][])(
    'reads the same receipts from an endpoint of kind %s, by %j in this order, then one by one',
    async (kind, methods) => {
      const raw = receipts.map((receipt) => bytesToHex(encodeReceipt(receipt)));
      for (let lacking = 0; lacking <= methods.length; lacking++) {
        const endpoint = lying(({ method, params }) => {
          if (method === 'eth_getBlockByHash' || method === 'eth_getTransactionReceipt') return undefined;
          if (methods.indexOf(method) < lacking) throw new RpcError(RPC_CODE.methodNotFound, 'unknown method');
          const isParity = method.startsWith('parity');
          expect(params).toEqual([
            method.startsWith('alchemy') ? { blockHash: block.hash } : isParity ? '0x1' : block.hash,
          ]);
          if (method === 'debug_getRawReceipts') return raw;
          return method.startsWith('alchemy') ? { receipts } : receipts;
        });
        const client = over(endpoint, { kind });
        expect(await client.receipts(block.hash)).toEqual(await over(rpc).receipts(block.hash));
        const calls = endpoint.messages.flat().map(({ method }) => method);
        const tried = methods.slice(0, lacking + 1);
        expect(calls.slice(1)).toEqual(
          lacking < methods.length ? tried : [...methods, ...Array(receipts.length).fill('eth_getTransactionReceipt')],
        );
      }
    },
  );

  it.each<[string, ReceiptKind, (request: Request) => undefined]>([
    ['of kind basic', 'basic', () => undefined],
    [
      'that lacks block receipts',
      'standard',
      ({ method }: Request) => {
        if (method === 'eth_getBlockReceipts') throw new RpcError(RPC_CODE.methodNotFound, 'unknown method');
        return undefined;
      },
    ],
  ])('batches requests for single receipts to an endpoint %s', async (_, kind, change) => {
    const endpoint = lying(change);
    expect(await over(endpoint, { kind }).receipts(block.hash)).toHaveLength(3);
    expect(endpoint.messages.at(-1)?.map(({ method }) => method)).toEqual(Array(3).fill('eth_getTransactionReceipt'));
  });

  it('caches as many blocks as the options allow', async () => {
    const endpoint = lying(() => undefined);
    const client = over(endpoint, { cacheSize: 1 });
    await client.headerByHash(block.hash);
    client.learn({ ...block, number: '0x5', hash: headerHash({ ...block, number: '0x5' }) });
    await client.transactions(block.hash);
    expect(endpoint.messages.length).toBeGreaterThan(0);
    expect((await client.headerByHash(block.hash))?.number).toBe(1);
  });
});
