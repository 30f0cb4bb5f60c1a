import { DEPOSIT_TYPE } from '../../../protocol/codec/deposit.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { Block } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';
import { responseSizeLimit } from '../tracing/response-size-limit.ts';
import { traceBlock } from '../tracing/trace.ts';
import { ParityTracer } from '../tracing/tracers/parity-trace.ts';
import { decodeTransaction } from '../transaction/transaction.ts';
import type { QueryContext } from './context.ts';

/** A transaction and its index in the block. */
interface TransactionLocation {
  readonly block: Block;
  readonly position: number;
}

/** A page of a search, and whether it holds the newest (`firstPage`) or the oldest match (`lastPage`). */
interface TransactionPage {
  readonly matches: readonly TransactionLocation[];
  readonly firstPage: boolean;
  readonly lastPage: boolean;
}

/** The parts of a node in which transactions are searched. */
interface SearchContext extends Pick<QueryContext, 'newBudget'> {
  readonly chain: Pick<Chain, 'head' | 'canonicalBlock' | 'canonicalHeader' | 'stateOf'>;
}

/**
 * Returns the first block from 1 on whose state satisfies a condition that later states keep satisfying.
 * Counterpart in reth: `binary_search`.
 * Returns undefined if the newest state does not.
 */
function firstWith({ chain }: Pick<SearchContext, 'chain'>, has: (number: number) => boolean): Block | undefined {
  let [low, high] = [0, chain.head.header.number];
  if (!has(high)) return undefined;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (has(middle)) high = middle;
    else low = middle + 1;
  }
  return chain.canonicalBlock(low);
}

/**
 * Returns the hash of the canonical transaction that an account sent with a nonce
 * (reth: `get_transaction_by_sender_and_nonce`).
 */
export function sentWithNonce(context: Pick<SearchContext, 'chain'>, sender: Hex, nonce: number): Hex | null {
  const { chain } = context;
  const key = hexToBytes(sender);
  const nonceAt = (number: number) => chain.stateOf(chain.canonicalHeader(number)).account(key)?.nonce ?? 0n;
  const block = firstWith(context, (number) => nonceAt(number) > BigInt(nonce));
  const position = block?.receipts.receipts.findIndex(({ from, type, depositNonce }, at) => {
    if (from !== sender) return false;
    if (type === DEPOSIT_TYPE) return depositNonce === BigInt(nonce);
    return decodeTransaction(present(block.transactions[at], `transaction ${at}`)).nonce === BigInt(nonce);
  });
  return block === undefined || position === undefined || position < 0
    ? null
    : present(block.receipts.receipts[position], `receipt ${position}`).transactionHash;
}

/**
 * Returns the transaction that created a contract, and its creator (reth: `get_contract_creator`).
 * Returns null if the account has no code or is in the genesis.
 */
export async function createdIn(context: QueryContext, contract: Hex): Promise<{ hash: Hex; creator: string } | null> {
  const { chain, limits } = context;
  const key = hexToBytes(contract);
  const hasCode = (number: number) => {
    const state = chain.stateOf(chain.canonicalHeader(number));
    return state.code(state.account(key)).length > 0;
  };
  const block = firstWith(context, hasCode);
  if (block === undefined || block.header.number === 0) return null;
  const all = block.transactions.map((_, position) => position);
  const sizeLimit = responseSizeLimit(context);
  for (const { hash, result } of await traceBlock(
    context,
    block,
    all,
    () => new ParityTracer(context.flavour.tracing, sizeLimit),
    limits.callTime,
  )) {
    const creation = result.find(
      ({ type, result, error }) => type === 'create' && error === undefined && result?.['address'] === contract,
    );
    if (creation !== undefined) return { hash, creator: present(creation.action['from'], 'sender of a creation') };
  }
  return null;
}

/**
 * Finds transactions in which an address is sender, recipient, created contract or log emitter, newest first.
 * Whole blocks are added until a page is full. `number` 0 starts at the newest block (`before`) or the oldest
 * (`after`).
 */
export async function searchTransactions(
  { chain, newBudget }: SearchContext,
  direction: 'before' | 'after',
  address: Hex,
  number: number,
  size: number,
): Promise<TransactionPage> {
  const budget = newBudget();
  const head = chain.head.header.number;
  const step = direction === 'before' ? -1 : 1;
  let at = direction === 'after' ? number + 1 : number === 0 ? head : Math.min(number - 1, head);
  const matches: TransactionLocation[] = [];
  for (; at >= 0 && at <= chain.head.header.number && matches.length < size; at += step) {
    await budget.check();
    const block = chain.canonicalBlock(at);
    const positions = block.receipts.receipts.flatMap((receipt, position) =>
      names(receipt, address) ? [position] : [],
    );
    const here = positions.reverse().map((position) => ({ block, position }));
    if (direction === 'before') matches.push(...here);
    else matches.unshift(...here);
  }
  const isEnd = direction === 'before' ? at < 0 : at > head;
  const isStart = number === 0;
  return direction === 'before'
    ? { matches, firstPage: isStart, lastPage: isEnd }
    : { matches, firstPage: isEnd, lastPage: isStart };
}

function names({ from, to, contractAddress, logs }: Block['receipts']['receipts'][number], address: Hex): boolean {
  return (
    from === address || to === address || contractAddress === address || logs.some((log) => log.address === address)
  );
}
