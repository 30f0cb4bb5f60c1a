import type { RpcClient } from '../../rpc/client/client.ts';
import { httpClient } from '../../rpc/client/http-client.ts';
import { type WebSocketRpcClient, webSocketClient } from '../../rpc/client/websocket-client.ts';
import { isJsonObject, jsonField } from '../../rpc/json-object.ts';
import { backoff } from '../../system/time/backoff.ts';
import { pause } from '../../system/time/pause.ts';
import type { Plan } from '../plan/plan.ts';
import { type MovableClock, type PacedChain, pacing } from './pacing.ts';

/** A chain whose transactions call for a block at once. */
interface Watched {
  /** URLs of the execution client that makes its blocks. */
  readonly http: string;
  readonly ws: string;
  /** Seconds. */
  readonly blockTime: number;
  /** Senders whose transactions call for none: batcher and proposer post with each block, which would never end. */
  readonly ignored: ReadonlySet<string>;
}

/** Blocks after which a waiting transaction calls for no further one. It may not fit. */
const MAX_WAIT_BLOCKS = 3;
/** Hashes of waiting transactions. */
const MAX_WAITING = 10_000;

/**
 * Moves the clock to the next block as soon as a transaction waits for it, until aborted.
 * Blocks that are due come first, within `patience` (wall ms).
 */
export function followTransactions(plan: Plan, clock: MovableClock, signal: AbortSignal, patience?: number): void {
  const { l1, chains } = plan.network;
  const posters = chains.flatMap(({ accounts }) =>
    accounts
      .filter(({ role }) => role === 'batcher' || role === 'proposer' || role === 'challenger')
      .map(({ address }) => address.toLowerCase()),
  );
  const watched: readonly Watched[] = [
    { http: l1.direct.rpc, ws: l1.direct.ws, blockTime: l1.blockTime, ignored: new Set(posters) },
    ...chains.flatMap(({ nodes, blockTime }) =>
      nodes
        .filter(({ role }) => role === 'sequencer')
        .map(({ el }) => ({ http: el.http, ws: el.ws, blockTime, ignored: new Set<string>() })),
    ),
  ];
  const addChain = pacing(clock, patience);
  for (const each of watched) void follow(each, addChain(each.blockTime), signal);
}

async function follow(watched: Watched, chain: PacedChain, signal: AbortSignal): Promise<void> {
  const pauses = backoff(50, 1000);
  const http = httpClient({ url: watched.http });
  while (!signal.aborted) {
    const client = webSocketClient({ url: watched.ws });
    try {
      await subscribed(client, http, watched, chain, signal);
    } catch {
      // The client restarts or is stopped: the subscription is made again.
    } finally {
      client.close();
    }
    await pause(pauses.next(), signal);
  }
  http.close();
}

/** Follows one connection to its end. */
async function subscribed(
  client: WebSocketRpcClient,
  http: RpcClient,
  { ignored }: Watched,
  chain: PacedChain,
  signal: AbortSignal,
): Promise<void> {
  /** Blocks since a transaction arrived, by its hash. */
  const waiting = new Map<string, number>();
  const { promise, reject, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });

  function note(header: unknown): void {
    const time = Number(jsonField(header, 'timestamp'));
    if (Number.isSafeInteger(time)) chain.made(time);
  }

  async function arrived(hash: unknown): Promise<void> {
    if (typeof hash !== 'string' || waiting.size >= MAX_WAITING || waiting.has(hash) || (await isIgnored(hash))) return;
    waiting.set(hash, 0);
    chain.call();
  }

  async function isIgnored(hash: string): Promise<boolean> {
    if (ignored.size === 0) return false;
    const sender = jsonField(await client.call('eth_getTransactionByHash', [hash]), 'from');
    return ignored.has(String(sender).toLowerCase());
  }

  async function onBlock(header: unknown): Promise<void> {
    note(header);
    if (waiting.size === 0) return;
    const block = await client.call('eth_getBlockByHash', [jsonField(header, 'hash'), false]);
    const included = jsonField(block, 'transactions');
    for (const hash of Array.isArray(included) ? included : []) waiting.delete(String(hash));
    for (const [hash, blocks] of waiting)
      if (blocks + 1 < MAX_WAIT_BLOCKS) waiting.set(hash, blocks + 1);
      else waiting.delete(hash);
    if (waiting.size > 0) chain.call();
  }

  // Without a head no block is due, and each transaction would move the clock.
  await client.subscribe(['newHeads'], (header) => void onBlock(header).catch(reject), reject);
  note(await client.call('eth_getBlockByNumber', ['latest', false]));
  await client.subscribe(['newPendingTransactions'], (hash) => void arrived(hash).catch(reject), reject);
  for (const hash of await pending(http)) void arrived(hash).catch(reject);
  await promise;
}

/** Returns the hashes of transactions that came before the subscription. None if the client does not tell. */
async function pending(http: RpcClient): Promise<readonly unknown[]> {
  const content = await http.call('txpool_content').catch(() => undefined);
  return members(jsonField(content, 'pending'))
    .flatMap(members)
    .map((transaction) => jsonField(transaction, 'hash'));
}

const members = (value: unknown): readonly unknown[] => (isJsonObject(value) ? Object.values(value) : []);
