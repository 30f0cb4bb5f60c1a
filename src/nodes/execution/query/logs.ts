import * as z from 'zod';
import { headerTime } from '../../../protocol/codec/header.ts';
import { hexToBytes, lowerHex } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { param } from '../../../rpc/method.ts';
import { type StoredLog, storedLogs } from '../block/stored-logs.ts';
import type { Block } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';
import type { ExecutionBudget } from '../evm/execution-budget.ts';
import { LazyList } from '../views/lazy-list.ts';
import { type LogPosition, logFields, logPositionOf, logView } from '../views/receipt.ts';
import { blockNumberParam, headerOf } from './block-tag.ts';
import type { QueryContext } from './context.ts';

const topic = param.hash.transform(lowerHex);
const address = param.address.transform(lowerHex);

/** Filter object of eth_getLogs, eth_newFilter and the logs subscription. */
export const logFilterParam = z.object({
  fromBlock: blockNumberParam.nullish(),
  toBlock: blockNumberParam.nullish(),
  blockHash: param.hash.transform(lowerHex).nullish(),
  address: z.union([address.transform((one) => [one]), z.array(address)]).nullish(),
  topics: z
    .array(z.union([z.null().transform(() => []), topic.transform((one) => [one]), z.array(topic.nullable())]))
    .max(4)
    .nullish(),
});

/** A decoded log filter (geth: `FilterCriteria`). */
export type LogFilter = z.output<typeof logFilterParam>;

/**
 * Criteria of a log filter: a range of blocks, addresses, and topics by position.
 * Any of the addresses and any of the topics of a position match. An empty list matches all.
 */
export interface LogCriteria {
  readonly from: number;
  readonly to: number;
  readonly addresses: readonly Hex[];
  readonly topics: readonly (readonly Hex[])[];
}

/** Returns the criteria of a log filter. */
export function criteriaOf(filter: LogFilter): LogCriteria {
  return {
    // Tags move with the chain.
    from: typeof filter.fromBlock === 'number' ? filter.fromBlock : 0,
    to: typeof filter.toBlock === 'number' ? filter.toBlock : Number.POSITIVE_INFINITY,
    addresses: filter.address ?? [],
    topics: (filter.topics ?? []).map((any) =>
      any.some((one) => one === null) ? [] : any.flatMap((one) => one ?? []),
    ),
  };
}

/** Blocks of one query of the log index: rows that take a millisecond to read. */
const INDEX_QUERY_BLOCKS = 1024;

type LogViews = readonly Readonly<Record<string, unknown>>[];

/** Returns the views of a block's logs that match the criteria (geth: `filterLogs`). */
export function logsOf(context: QueryContext, block: Block, criteria: LogCriteria, removed = false): LogViews {
  const views: Readonly<Record<string, unknown>>[] = [];
  if (block.header.number < criteria.from || block.header.number > criteria.to) return views;
  let logIndex = 0;
  block.receipts.receipts.forEach(({ logs }, position) => {
    for (const log of logs) {
      if (meets(log, criteria, context.flavour.emptyTopicsMatch))
        views.push(logView(logPositionOf(block, position, logIndex), log, removed, context.flavour.views));
      logIndex++;
    }
  });
  return views;
}

/** Checks the size of a log filter. @throws RpcError if it exceeds the limits */
export function checkFilter({ limits }: QueryContext, filter: LogFilter): void {
  if ((filter.address?.length ?? 0) > limits.logAddresses)
    throw new RpcError(RPC_CODE.invalidParams, `exceed max addresses: ${limits.logAddresses}`);
  if ((filter.topics ?? []).some((any) => any.length > limits.logTopics))
    throw new RpcError(RPC_CODE.invalidParams, `exceed max topics: ${limits.logTopics} in one position`);
}

/**
 * Applies {@link checkFilter}, and checks that a new block can match the filter.
 * @throws RpcError if the range is empty, or begins at the newest block and ends at a number (geth: `SubscribeLogs`)
 */
export function checkLiveFilter(context: QueryContext, filter: LogFilter): void {
  checkFilter(context, filter);
  const { fromBlock, toBlock } = filter;
  if (typeof toBlock !== 'number') return;
  if (fromBlock == null || fromBlock === 'latest' || (typeof fromBlock === 'number' && fromBlock > toBlock))
    throw new RpcError(RPC_CODE.server, 'invalid block range params');
}

/** Returns the logs that a filter matches (geth: `rangeLogs`). @throws RpcError on a bad range or too many results */
export async function queryLogs(context: QueryContext, filter: LogFilter): Promise<LogViews | LazyList> {
  checkFilter(context, filter);
  const criteria = criteriaOf(filter);
  const { chain, flavour, limits } = context;
  if (filter.blockHash != null) {
    if (filter.fromBlock != null || filter.toBlock != null)
      throw new RpcError(
        RPC_CODE.invalidParams,
        'cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other',
      );
    const { hash } = headerOf(context, { blockHash: filter.blockHash });
    return logsOf(context, chain.knownBlock(hash), criteria);
  }
  const head = chain.head.header.number;
  const from = numberOf(context, filter.fromBlock ?? 'latest');
  const toBlock = filter.toBlock ?? 'latest';
  const end = numberOf(context, toBlock);
  if (end > head && flavour.errors.logsBeyondHead) throw flavour.errors.logsBeyondHead();
  const to = Math.min(end, head);
  // A range that is open at its end has no blocks yet if it begins beyond the head.
  if (filter.fromBlock != null && toBlock !== 'latest' && from > end)
    throw new RpcError(RPC_CODE.invalidParams, 'invalid block range params');
  if (to - from > limits.logRange)
    throw new RpcError(RPC_CODE.invalidParams, `query exceeds max block range ${limits.logRange}`);
  const budget = context.newBudget();
  const logs: FoundLog[] = [];
  for await (const number of candidates(chain, criteria, from, to, budget)) {
    for (const log of storedLogsOf(context, number, criteria)) logs.push(log);
    if (logs.length > limits.logs)
      throw new RpcError(
        RPC_CODE.invalidParams,
        `query exceeds max results ${limits.logs}, retry with the range ${from}-${Math.max(from, number - 1)}`,
      );
  }
  return new LazyList(logs.length, (at, fields) => {
    const { log, index, block } = present(logs[at], 'log that was found');
    const place = { ...block, transaction: log.transactionHash, position: log.position, index };
    logFields(fields, place, log.encoded, false, flavour.views);
  });
}

/** A stored log that a filter matches, with its index in the block. */
interface FoundLog {
  readonly log: StoredLog;
  readonly index: number;
  readonly block: Pick<LogPosition, 'block' | 'number' | 'time'>;
}

function numberOf(context: QueryContext, tag: NonNullable<LogFilter['fromBlock']>): number {
  if (typeof tag === 'number') return tag;
  return headerOf(context, tag).header.number;
}

/** Yields the logs of a canonical block that match the criteria, without decoding all of it. */
function* storedLogsOf({ chain, flavour }: QueryContext, number: number, criteria: LogCriteria): Iterable<FoundLog> {
  const { hash, header, receipts } = present(chain.store.loggedBlock(number), `canonical block ${number}`);
  const block = { block: hash, number, time: flavour.views.blockTimestamp ? headerTime(header) : 0n };
  let index = 0;
  for (const log of storedLogs(receipts)) {
    if (meets(log, criteria, flavour.emptyTopicsMatch)) yield { log, index, block };
    index++;
  }
}

/**
 * Yields the numbers of blocks that may hold matching logs, ascending (geth: `FilterMaps`).
 * They come from the index, or from the header blooms if the filter names nothing.
 */
async function* candidates(
  chain: Chain,
  criteria: LogCriteria,
  from: number,
  to: number,
  budget: ExecutionBudget,
): AsyncGenerator<number> {
  const constraints = [criteria.addresses, ...criteria.topics].filter((any) => any.length > 0);
  if (constraints.length === 0) {
    for (let number = Math.max(from, 0); number <= to && number <= chain.head.header.number; number++) {
      await budget.check();
      const header = chain.canonicalHeader(number);
      if (hexToBytes(header.logsBloom).some((byte) => byte !== 0)) yield number;
    }
    return;
  }
  // A value that every block logs has a million rows in a long chain, so they are read in parts.
  for (let first = Math.max(from, 0); first <= to; first += INDEX_QUERY_BLOCKS) {
    const last = Math.min(to, first + INDEX_QUERY_BLOCKS - 1);
    const sets: Set<number>[] = [];
    for (const any of constraints) {
      await budget.check();
      sets.push(new Set(any.flatMap((value) => chain.store.logBlocks(value, first, last))));
    }
    const [smallest, ...others] = sets.sort((left, right) => left.size - right.size);
    for (const number of [...(smallest ?? [])].sort((left, right) => left - right)) {
      await budget.check();
      if (number <= chain.head.header.number && others.every((set) => set.has(number))) yield number;
    }
  }
}

function meets(
  log: { readonly address: Hex; readonly topics: readonly Hex[] },
  { addresses, topics }: LogCriteria,
  emptyTopicsMatch: boolean,
): boolean {
  if (addresses.length > 0 && !addresses.includes(log.address)) return false;
  if (topics.length === 0) return true;
  if (topics.length > log.topics.length && !emptyTopicsMatch) return false;
  return topics.every((any, at) => any.length === 0 || any.some((topic) => topic === log.topics[at]));
}
