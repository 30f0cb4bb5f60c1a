import { type JsonFields, jsonFields } from '../../protocol/codec/json.ts';
import { messageOf } from '../../system/failure.ts';
import type { Decoded } from './abi/abi.ts';
import type { Carrier } from './carrier.ts';
import { type DepositSource, depositSource, depositsMade } from './deposits.ts';
import { type InboxData, inboxData } from './inbox.ts';
import type { Inspector, Json } from './inspector.ts';
import { ask, type Layer } from './layer.ts';
import { type CallFrame, type Party, readTrace } from './trace.ts';

/** Names of transaction types (EIP-2718). */
const TYPE_NAMES: Readonly<Record<number, string>> = {
  0: 'legacy',
  1: 'access list',
  2: 'dynamic fee',
  3: 'blob',
  4: 'set code',
  126: 'deposit',
};

/** What was paid, in wei. */
export interface Fees {
  readonly execution: string;
  /** For the data on L1. */
  readonly l1: string | null;
  readonly operator: string | null;
  readonly blobs: string | null;
  readonly total: string;
}

/** A transaction in short, as a block lists it. */
export interface TransactionRow {
  readonly index: number;
  readonly hash: string;
  readonly kind: string;
  readonly from: Party;
  /** null: it creates a contract. */
  readonly to: Party | null;
  /** wei */
  readonly value: string;
  readonly call: Decoded | null;
  /** First four bytes of the input; null if it is shorter. */
  readonly selector: string | null;
  readonly inputBytes: number;
  readonly status: 'success' | 'reverted' | null;
  readonly gasUsed: number | null;
}

/** Output of `devnet tx --json`. Keys are only ever added. */
export interface TransactionView extends TransactionRow {
  /** `l1`, or `<chain>/<node>`. */
  readonly place: string;
  /** null: it is in no block yet. */
  readonly block: { readonly number: number; readonly hash: string; readonly time: number | null } | null;
  readonly nonce: number;
  readonly gasLimit: number;
  readonly creates: string | null;
  readonly fees: Fees | null;
  readonly logs: readonly {
    readonly index: number;
    readonly emitter: Party;
    readonly event: Decoded | null;
    readonly topics: readonly string[];
  }[];
  /** Where a deposit comes from. */
  readonly deposit: DepositSource | null;
  /** Transactions on L2 that this one on L1 deposits. */
  readonly deposits: readonly { readonly chain: string; readonly hash: string }[];
  /** What a transaction of a batcher holds. */
  readonly inbox: InboxData | null;
  /** What carried its block to L1; null on L1 and for a transaction in no block. */
  readonly carrier: Carrier | null;
  readonly trace: CallFrame | { readonly missing: string } | null;
}

/** Describes a transaction as a block lists it. */
export function transactionRow(
  inspector: Inspector,
  layer: Layer,
  transaction: Json,
  receipt: Json | null,
): TransactionRow {
  const fields = jsonFields(transaction, 'transaction');
  const party = partyOf(inspector, layer);
  const input = fields.data('input');
  const done = receipt === null ? null : jsonFields(receipt, 'receipt');
  const type = fields.has('type') ? fields.number('type') : 0;
  return {
    index: fields.has('transactionIndex') ? fields.number('transactionIndex') : 0,
    hash: fields.data('hash', 32),
    kind: TYPE_NAMES[type] ?? `type ${type}`,
    from: party(fields.data('from', 20)),
    to: fields.has('to') ? party(fields.data('to', 20)) : null,
    value: String(fields.bigint('value')),
    call: fields.has('to') ? inspector.abi.call(input) : null,
    selector: fields.has('to') && input.length >= 10 ? input.slice(0, 10) : null,
    inputBytes: input.length / 2 - 1,
    status: done === null ? null : done.number('status') === 1 ? 'success' : 'reverted',
    gasUsed: done === null ? null : done.number('gasUsed'),
  };
}

/** Reads everything that is known of a transaction; undefined if the layer has none of this hash. */
export async function readTransaction(
  inspector: Inspector,
  layer: Layer,
  hash: string,
  traced: boolean,
): Promise<TransactionView | undefined> {
  const [transaction, receipt] = await Promise.all([
    ask<Json | null>(layer, 'eth_getTransactionByHash', hash),
    ask<Json | null>(layer, 'eth_getTransactionReceipt', hash),
  ]);
  if (transaction === null) return undefined;
  const fields = jsonFields(transaction, 'transaction');
  const done = receipt === null ? null : jsonFields(receipt, 'receipt');
  const block = fields.has('blockHash')
    ? await ask<Json>(layer, 'eth_getBlockByHash', fields.data('blockHash', 32), true)
    : null;
  const onL2 = layer.kind === 'l2' && block !== null;
  const addresses = ['to', 'contractAddress'].flatMap((key) => (done?.has(key) === true ? [done.data(key, 20)] : []));
  const emitters = (done?.array('logs') ?? []).map((log) => jsonFields(log, 'log').data('address', 20));
  await inspector.identify(layer, [...addresses, ...emitters]);
  const party = partyOf(inspector, layer);
  const logs = (done?.array('logs') ?? []).map((log) => {
    const logFields = jsonFields(log, 'log');
    const topics = logFields.array('topics').map(String);
    const event = inspector.abi.event({ topics, data: logFields.data('data') });
    return { index: logFields.number('logIndex'), emitter: party(logFields.data('address', 20)), event, topics };
  });
  const isOnL1 = layer.kind === 'l1';
  const unreadable = (error: unknown) => ({ kind: 'none' as const, because: messageOf(error) });
  return {
    ...transactionRow(inspector, layer, transaction, receipt),
    place: layer.label,
    block:
      block === null
        ? null
        : {
            number: fields.number('blockNumber'),
            hash: fields.data('blockHash', 32),
            time: Number(block['timestamp']),
          },
    nonce: fields.has('nonce') ? fields.number('nonce') : 0,
    gasLimit: fields.number('gas'),
    creates: done?.has('contractAddress') === true ? done.data('contractAddress', 20) : null,
    fees: done === null ? null : feesOf(inspector, layer, done, fields.has('sourceHash'), Number(block?.['timestamp'])),
    logs,
    deposit: onL2 && fields.has('sourceHash') ? await depositSource(inspector, layer, transaction, block) : null,
    deposits: isOnL1 && receipt !== null ? depositsMade(inspector, receipt) : [],
    inbox: isOnL1 && block !== null ? await inboxData(inspector, transaction, block) : null,
    carrier: onL2 ? await inspector.carrier(layer, block).catch(unreadable) : null,
    trace: traced && block !== null ? await readTrace(inspector, layer, hash) : null,
  };
}

/** Returns the function that names addresses of a layer. */
export function partyOf(inspector: Inspector, layer: Layer): (address: string) => Party {
  const names = inspector.names(layer);
  return (address) => ({ address, name: names.get(address.toLowerCase()) ?? null });
}

function feesOf(inspector: Inspector, layer: Layer, receipt: JsonFields, isDeposit: boolean, time: number): Fees {
  const amount = (field: string) => (receipt.has(field) ? receipt.bigint(field) : undefined);
  const gasUsed = receipt.bigint('gasUsed');
  const execution = isDeposit ? 0n : gasUsed * (amount('effectiveGasPrice') ?? 0n);
  const l1 = isDeposit ? undefined : amount('l1Fee');
  const scalar = amount('operatorFeeScalar');
  // The parameters as the storage word from which the rules read them.
  const word = scalar === undefined ? undefined : (scalar << 64n) | (amount('operatorFeeConstant') ?? 0n);
  const operator =
    isDeposit || word === undefined || layer.kind === 'l1'
      ? undefined
      : inspector
          .rollup(layer)
          .rulesAt(time)
          .operatorFee.read(() => word)
          ?.cost(gasUsed);
  const blobGas = amount('blobGasUsed');
  const blobPrice = amount('blobGasPrice');
  const blobs = blobGas === undefined || blobPrice === undefined ? undefined : blobGas * blobPrice;
  const text = (wei: bigint | undefined) => (wei === undefined ? null : String(wei));
  const total = String(execution + (l1 ?? 0n) + (operator ?? 0n) + (blobs ?? 0n));
  return { execution: String(execution), l1: text(l1), operator: text(operator), blobs: text(blobs), total };
}
