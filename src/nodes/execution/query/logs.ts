import * as z from 'zod';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RpcError } from '../../../rpc/error.ts';
import { param } from '../../../rpc/method.ts';
import type { Block, Chain } from '../chain/chain.ts';
import type { NodeContext } from '../context.ts';
import { logView } from '../views/receipt.ts';
import { blockNumberParam, hashOf, headerOf } from './block-tag.ts';

/** Logs in one answer, and blocks that a query without address and topics may span. */
const MAX_LOGS = 20_000;
const MAX_OPEN_RANGE = 10_000;

const lower = (value: string): Hex => value.toLowerCase() as Hex;
const topic = param.hash.transform(lower);
const address = param.address.transform(lower);

/** Filter object of eth_getLogs, eth_newFilter and the logs subscription. */
export const logFilterParam = z.object({
  fromBlock: blockNumberParam.nullish(),
  toBlock: blockNumberParam.nullish(),
  blockHash: param.hash.transform(lower).nullish(),
  address: z.union([address.transform((one) => [one]), z.array(address)]).nullish(),
  topics: z
    .array(z.union([z.null().transform(() => []), topic.transform((one) => [one]), z.array(topic.nullable())]))
    .max(4)
    .nullish(),
});

export type LogFilter = z.output<typeof logFilterParam>;

/** Which logs a filter wants: any of the addresses, and at each position any of the topics; an empty list wants all. */
export interface LogCriteria {
  readonly addresses: readonly Hex[];
  readonly topics: readonly (readonly Hex[])[];
}

export function criteriaOf(filter: LogFilter): LogCriteria {
  return {
    addresses: filter.address ?? [],
    topics: (filter.topics ?? []).map((any) => (any.includes(null as never) ? [] : (any as Hex[]))),
  };
}

/** Views of a block's logs that meet the criteria. */
export function logsOf(
  context: NodeContext,
  block: Block,
  criteria: LogCriteria,
  removed = false,
): Readonly<Record<string, unknown>>[] {
  const found: Readonly<Record<string, unknown>>[] = [];
  let logIndex = 0;
  block.receipts.receipts.forEach(({ logs }, position) => {
    for (const log of logs) {
      if (meets(log, criteria)) found.push(logView(block, position, log, logIndex, removed, context.flavour));
      logIndex++;
    }
  });
  return found;
}

/** Logs that a filter names. @throws RpcError on a bad range, or where there are too many */
export function queryLogs(context: NodeContext, filter: LogFilter): Readonly<Record<string, unknown>>[] {
  const criteria = criteriaOf(filter);
  const { chain } = context;
  if (filter.blockHash != null) {
    if (filter.fromBlock != null || filter.toBlock != null)
      throw new RpcError(-32602, 'cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other');
    const { hash } = headerOf(context, { blockHash: filter.blockHash });
    return logsOf(context, chain.block(hash)!, criteria);
  }
  const head = chain.head.header.number;
  const from = numberOf(context, filter.fromBlock ?? 'latest');
  const to = Math.min(numberOf(context, filter.toBlock ?? 'latest'), head);
  if (filter.fromBlock != null && filter.toBlock != null && from > numberOf(context, filter.toBlock))
    throw new RpcError(-32602, 'invalid block range params');
  const found: Readonly<Record<string, unknown>>[] = [];
  for (const number of candidates(chain, criteria, from, to)) {
    found.push(...logsOf(context, chain.block(chain.canonicalHash(number)!)!, criteria));
    if (found.length > MAX_LOGS)
      throw new RpcError(
        -32602,
        `query exceeds max results ${MAX_LOGS}, retry with the range ${from}-${Math.max(from, number - 1)}`,
      );
  }
  return found;
}

function numberOf(context: NodeContext, tag: NonNullable<LogFilter['fromBlock']>): number {
  if (typeof tag === 'number') return tag;
  const hash = hashOf(context, tag);
  return context.chain.header(hash!)!.number;
}

/** Numbers of blocks that may hold such logs, ascending: by the index, or by the header blooms where nothing is named. */
function candidates(chain: Chain, criteria: LogCriteria, from: number, to: number): number[] {
  const named = [criteria.addresses, ...criteria.topics].filter((any) => any.length > 0);
  if (named.length > 0) {
    const sets = named.map((any) => new Set(any.flatMap((value) => chain.store.logBlocks(value, from, to))));
    const [smallest, ...others] = sets.sort((left, right) => left.size - right.size);
    return [...smallest!]
      .filter((number) => others.every((set) => set.has(number)))
      .sort((left, right) => left - right);
  }
  if (to - from >= MAX_OPEN_RANGE)
    throw new RpcError(
      -32602,
      `query exceeds max block range ${MAX_OPEN_RANGE} of a filter without address and topics`,
    );
  const numbers: number[] = [];
  for (let number = Math.max(from, 0); number <= to; number++) {
    const header = chain.header(chain.canonicalHash(number)!)!;
    if (hexToBytes(header.logsBloom).some((byte) => byte !== 0)) numbers.push(number);
  }
  return numbers;
}

function meets(
  log: { readonly address: Hex; readonly topics: readonly Hex[] },
  { addresses, topics }: LogCriteria,
): boolean {
  if (addresses.length > 0 && !addresses.includes(log.address)) return false;
  if (topics.length > log.topics.length) return false;
  return topics.every((any, at) => any.length === 0 || any.includes(log.topics[at]!));
}
