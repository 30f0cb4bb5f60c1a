import { EMPTY_TRIE_ROOT } from '../../../protocol/execution/constants.ts';
import { PREDEPLOYS } from '../../../protocol/execution/predeploys.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import { httpClient } from '../../../rpc/client/http-client.ts';
import { isJsonObject, jsonField } from '../../../rpc/json-object.ts';
import { messageOf } from '../../../system/failure.ts';
import type { HeaderFields } from '../compare.ts';
import { type Difference, firstDifference } from './differences.ts';
import { rawBlock } from './raw-block.ts';

/** First differences of two blocks, from the transactions down to the state. */
export interface ExecutionDifferences {
  readonly transaction: Comparison<{ readonly index: number }>;
  readonly receipt: Comparison<{ readonly index: number }>;
  readonly step: Comparison<{ readonly index: number; readonly step: number }>;
  readonly state: Comparison<{ readonly index?: number }>;
}

/** same: both sides are equal. unknown: a side does not serve what it takes. */
type Comparison<Place> =
  | ({ readonly kind: 'differs'; readonly difference: Difference; readonly known: string } & Place)
  | { readonly kind: 'same'; readonly known: string }
  | { readonly kind: 'unknown'; readonly because: string };

/** One side: its client's URL, and the header of its block. */
export interface BlockOf {
  readonly url: string;
  readonly header: HeaderFields;
}

interface Side extends BlockOf {
  readonly client: RpcClient;
}

/** Limits of an answer: ms, bytes. */
const ANSWER_LIMITS = { timeoutMs: 20_000, maxAnswer: 128 * 1024 * 1024 };

/** Fields of receipts and steps that every client returns. Others depend on the client. */
const RECEIPT = ['transactionHash', 'type', 'status', 'gasUsed', 'cumulativeGasUsed', 'contractAddress', 'logs'];
const LOG = ['address', 'topics', 'data'];
const STEP = ['pc', 'op', 'gas', 'gasCost', 'depth', 'stack'];
const ACCOUNT = ['balance', 'nonce', 'codeHash', 'storageHash'];

/** Addresses whose state changes without a transaction: system contracts of Ethereum, and the message passer. */
const SYSTEM = [
  PREDEPLOYS.l2ToL1MessagePasser,
  PREDEPLOYS.l1Block,
  '0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02',
  '0x0000F90827F1C53a10cb7A02335B175320002935',
  '0x13b0D85CcB8bf860b6b79AF3029fCA081AE9beF2',
];

/** Compares what two blocks do. Each part is compared as far as both clients serve it. */
export async function executionDifferences(minority: BlockOf, majority: BlockOf): Promise<ExecutionDifferences> {
  const ours: Side = { ...minority, client: httpClient({ url: minority.url, ...ANSWER_LIMITS }) };
  const other: Side = { ...majority, client: httpClient({ url: majority.url, ...ANSWER_LIMITS }) };
  try {
    const transaction = await unless('transactionsRoot', ours, other, () => transactionDifference(ours, other));
    const receipt = await unless('receiptsRoot', ours, other, () => receiptDifference(ours, other));
    const step = await stepUnder(transaction, receipt, ours, other);
    return {
      transaction,
      receipt,
      step,
      state: await unless('stateRoot', ours, other, () => stateDifference(ours, other)),
    };
  } finally {
    for (const { client } of [ours, other]) client.close();
  }
}

/** Compares a root of both headers before `work` looks below it. */
async function unless<Place>(
  root: string,
  ours: Side,
  other: Side,
  work: () => Promise<Comparison<Place>>,
): Promise<Comparison<Place>> {
  if (ours.header[root] !== undefined && ours.header[root] === other.header[root])
    return { kind: 'same', known: `${root} of both headers` };
  try {
    return await work();
  } catch (error) {
    return { kind: 'unknown', because: messageOf(error) };
  }
}

async function transactionDifference(ours: Side, other: Side): Promise<Comparison<{ index: number }>> {
  const [a, b] = await Promise.all([ours, other].map(({ url, header: { hash } }) => rawBlock(url, hash)));
  return firstOf(a?.transactions ?? [], b?.transactions ?? [], 'debug_getRawBlock of both sides');
}

async function receiptDifference(ours: Side, other: Side): Promise<Comparison<{ index: number }>> {
  const [a = [], b = []] = await Promise.all(
    [ours, other].map(async ({ client, header: { hash } }) => {
      const receipts = listOf(await client.call('eth_getBlockReceipts', [hash]), 'eth_getBlockReceipts');
      return receipts.map((receipt) => {
        const { logs, ...fields } = picked(receipt, RECEIPT);
        return { ...fields, logs: Array.isArray(logs) ? logs.map((log) => picked(log, LOG)) : logs };
      });
    }),
  );
  return firstOf(a, b, 'eth_getBlockReceipts of both sides');
}

/** Compares the steps of the first transaction whose receipt differs, if both sides have that transaction. */
async function stepUnder(
  transaction: ExecutionDifferences['transaction'],
  receipt: ExecutionDifferences['receipt'],
  ours: Side,
  other: Side,
): Promise<ExecutionDifferences['step']> {
  if (receipt.kind !== 'differs') return { kind: 'unknown', because: 'no receipt is known to differ' };
  const { index } = receipt;
  if (transaction.kind !== 'same' && !(transaction.kind === 'differs' && transaction.index > index))
    return { kind: 'unknown', because: 'the sides do not have that transaction in common' };
  return unless('', ours, other, async () => {
    const [a, b] = await Promise.all(
      [ours, other].map(async (side) => listOf(jsonField(await traced(side, index, {}), 'structLogs'), 'the trace')),
    );
    const comparison = firstOf(
      (a ?? []).map((step) => picked(step, STEP)),
      (b ?? []).map((step) => picked(step, STEP)),
      'debug_traceBlockByHash of both sides',
    );
    return comparison.kind === 'differs' ? { ...comparison, index, step: comparison.index } : comparison;
  });
}

/** Finds the first account or slot that differs, by transactions, then in the accounts that change without one. */
async function stateDifference(ours: Side, other: Side): Promise<Comparison<{ index?: number }>> {
  const tracer = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };
  const traces = await Promise.all([ours, other].map((side) => tracedAll(side, tracer).catch(() => [])));
  const [a = [], b = []] = traces.map((list) => list.map((each) => jsonField(jsonField(each, 'result'), 'post')));
  const length = Math.min(a.length, b.length);
  const comparison = firstOf(a.slice(0, length), b.slice(0, length), 'prestateTracer of both sides');
  if (comparison.kind === 'differs') return comparison;
  for (const address of SYSTEM) {
    const [mine, theirs] = await Promise.all([ours, other].map((side) => accountOf(side, address)));
    const difference = firstDifference(mine, theirs, address);
    if (difference !== undefined) return { kind: 'differs', difference, known: 'eth_getProof of both sides' };
  }
  return { kind: 'unknown', because: 'neither the traces nor the system contracts show the account' };
}

/** Empty hashes of an account that does not exist differ by client. */
async function accountOf({ client, header: { hash } }: Side, address: string): Promise<unknown> {
  const account = picked(await client.call('eth_getProof', [address, [], { blockHash: hash }]), ACCOUNT);
  return Number(account['nonce']) === 0 && Number(account['balance']) === 0 && isEmpty(account['codeHash'])
    ? { ...account, codeHash: 'none', storageHash: isEmpty(account['storageHash']) ? 'none' : account['storageHash'] }
    : account;
}

const EMPTY_CODE = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
const isEmpty = (hash: unknown) => hash === EMPTY_CODE || hash === EMPTY_TRIE_ROOT || /^0x0*$/.test(String(hash));

async function traced(side: Side, index: number, config: object): Promise<unknown> {
  return jsonField((await tracedAll(side, config))[index], 'result');
}

async function tracedAll({ client, header: { hash } }: Side, config: object): Promise<readonly unknown[]> {
  return listOf(await client.call('debug_traceBlockByHash', [hash, { disableStorage: true, ...config }]), 'the trace');
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${what} is not a list`);
  return value;
}

function picked(value: unknown, keys: readonly string[]): Readonly<Record<string, unknown>> {
  const fields = isJsonObject(value) ? value : {};
  return Object.fromEntries(keys.map((key) => [key, fields[key]]));
}

/** Finds the first item in which two lists differ. */
function firstOf(ours: readonly unknown[], other: readonly unknown[], source: string): Comparison<{ index: number }> {
  for (let index = 0; index < Math.max(ours.length, other.length); index++) {
    const difference = firstDifference(ours[index], other[index]);
    if (difference !== undefined) return { kind: 'differs', index, difference, known: source };
  }
  return { kind: 'same', known: source };
}
