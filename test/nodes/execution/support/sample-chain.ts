import { keccak256 } from '../../../../src/protocol/hash.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from './accounts.ts';
import { Driver, deposit, l1Info, type Payload } from './driver.ts';
import { type Alloc, CHAIN_ID, GENESIS_TIME, genesisText, LOGGER, REVERTER, STORE, upTo } from './genesis.ts';
import { launch, type TestNode } from './nodes.ts';

export const schedule = upTo('jovian');
export const topic = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;

/**
 * Two nodes, one of each flavour, with the same four blocks.
 * The blocks hold deposits and transactions of every type, and calls that log, store, fail and create.
 */
export interface SampleChain extends AsyncDisposable {
  readonly go: TestNode;
  readonly rust: TestNode;
  readonly blocks: readonly Payload[];
  /** Hashes of the signed transactions by name. */
  readonly sent: Readonly<Record<string, Hex>>;
  /** Hash of a user's deposit. */
  readonly deposit: Hex;
  readonly extend: (transactions: readonly Hex[]) => Promise<Payload>;
}

type Shape = Parameters<(typeof ACCOUNTS)[0]['signTransaction']>[0];

/** Transactions of the blocks by name, in order of nonce. */
async function shapes(): Promise<[string, Partial<Shape>][]> {
  const authorization = await ACCOUNTS[1]!.signAuthorization({ chainId: CHAIN_ID, contractAddress: STORE, nonce: 0 });
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 7n };
  return [
    ['legacy', { type: 'legacy', gasPrice: 10n ** 10n, to: LOGGER, data: topic(1) }],
    [
      'listed',
      {
        type: 'eip2930',
        gasPrice: 10n ** 10n,
        to: STORE,
        data: `${topic(1)}${topic(9).slice(2)}`,
        accessList: [{ address: STORE, storageKeys: [topic(1)] }],
      },
    ],
    ['dynamic', { type: 'eip1559', ...fees, to: ACCOUNTS[2]!.address, value: 5n }],
    [
      'delegating',
      {
        type: 'eip7702',
        ...fees,
        to: ACCOUNTS[1]!.address,
        data: `${topic(2)}${topic(8).slice(2)}`,
        authorizationList: [authorization],
      },
    ],
    ['failing', { type: 'eip1559', ...fees, to: REVERTER, data: '0xabcd' }],
    ['creating', { type: 'eip1559', ...fees, data: '0x6001600c60003960016000f3fe' }],
  ] as [string, Partial<Shape>][];
}

export async function sampleChain(alloc: Alloc = {}): Promise<SampleChain> {
  const genesis = genesisText(schedule, alloc);
  const [go, rust] = await Promise.all([
    launch(genesis, { flavour: 'go', conditional: true }),
    launch(genesis, { flavour: 'rust', conditional: true }),
  ]);
  const [builder, follower] = [new Driver(go.engine, schedule), new Driver(rust.engine, schedule)];
  const first = await go.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
  const blocks: Payload[] = [];
  const extend = async (transactions: readonly Hex[]) => {
    const number = blocks.length + 1;
    const payload = await builder.build(
      blocks.at(-1)?.hash ?? first.hash,
      GENESIS_TIME + 2 * number,
      [l1Info(number), ...transactions],
      {
        fields: { noTxPool: true },
      },
    );
    blocks.push(payload);
    await follower.import(payload);
    await follower.makeCanonical(payload.hash, undefined, blocks[0]!.hash);
    await builder.makeCanonical(payload.hash, undefined, blocks[0]!.hash);
    return payload;
  };
  const userDeposit = deposit({ mint: 3n, value: 1n, to: LOGGER, data: topic(77) });
  await extend([userDeposit]);
  const sent: Record<string, Hex> = {};
  let nonce = 0;
  for (const pair of chunks(await shapes(), 2)) {
    const raws = await Promise.all(
      pair.map(async ([name, shape]) => {
        const raw = await ACCOUNTS[0]!.signTransaction({
          chainId: CHAIN_ID,
          gas: 200_000n,
          nonce: nonce++,
          ...shape,
        } as Shape);
        sent[name] = keccak256(raw);
        return raw;
      }),
    );
    await extend(raws);
  }
  return {
    go,
    rust,
    blocks,
    sent,
    deposit: keccak256(userDeposit),
    extend,
    async [Symbol.asyncDispose]() {
      await go[Symbol.asyncDispose]();
      await rust[Symbol.asyncDispose]();
    },
  };
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}
