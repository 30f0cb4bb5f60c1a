import { depositHash } from '../../../protocol/codec/deposit.ts';
import { depositOfLog, TRANSACTION_DEPOSITED_TOPIC } from '../../../protocol/codec/deposit-log.ts';
import { jsonFields } from '../../../protocol/codec/json.ts';
import { keccak256Text } from '../../../protocol/hash.ts';
import { bytesToHex, quantity } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import { l1ReceiptOf } from '../../divergence/explain/l1.ts';
import type { Json, L2Layer } from '../../inspect/inspector.ts';
import { ask } from '../../inspect/layer.ts';
import type { ChainView, Plan } from '../../plan/plan.ts';
import { receiptsOf } from './receipts.ts';

/** Blocks of each layer that are searched, and rows that are shown: the newest. */
const SEARCHED_BLOCKS = 5000;
const MAX_SHOWN_ROWS = 50;

const PASSER = '0x4200000000000000000000000000000000000016';
const topic = (event: string) => bytesToHex(keccak256Text(event));
const PASSED = topic('MessagePassed(uint256,address,address,uint256,uint256,bytes,bytes32)');
const PROVEN = topic('WithdrawalProven(bytes32,address,address)');
const FINALIZED = topic('WithdrawalFinalized(bytes32,bool)');

/** A deposit or a withdrawal as the page shows it. */
export interface BridgeRow {
  readonly kind: 'deposit' | 'withdrawal';
  /** Its transaction, on L1 for a deposit, on L2 for a withdrawal. */
  readonly transaction: string;
  readonly block: number;
  readonly from: string;
  readonly to: string;
  /** wei */
  readonly value: string;
  readonly stage: string;
  /** The rollup. */
  readonly chain: string;
  /** Of a deposit: its transaction on L2. */
  readonly onL2: string | null;
  /** Of a withdrawal: the transactions on L1 that proved it last and finalized it. */
  readonly proof: string | null;
  readonly finalization: string | null;
}

/** Lists the newest deposits and withdrawals of a chain with their stage. */
export async function bridgeOf(plan: Plan, layer: L2Layer): Promise<readonly BridgeRow[]> {
  const [deposits, withdrawals] = await Promise.all([depositsOf(plan, layer), withdrawalsOf(plan, layer)]);
  return [...deposits, ...withdrawals];
}

/** Lists the withdrawals of all these chains that a transaction of L1 or L2 initiated, proved or finalized. */
export async function withdrawalsIn(
  plan: Plan,
  layers: readonly L2Layer[],
  transaction: string,
): Promise<readonly BridgeRow[]> {
  const rows = await Promise.all(layers.map((layer) => withdrawalsOf(plan, layer, transaction)));
  return rows.flat();
}

async function depositsOf(plan: Plan, layer: L2Layer): Promise<readonly BridgeRow[]> {
  const logs = await portalLogs(plan, layer.chain, TRANSACTION_DEPOSITED_TOPIC);
  const deposits = logs
    .slice(-MAX_SHOWN_ROWS)
    .reverse()
    .map((raw) => {
      const { hash, transaction, block, log } = placed(raw);
      const deposit = depositOfLog(log, hash);
      return { transaction, block, deposit, onL2: depositHash(deposit) };
    });
  const receipts = await receiptsOf(
    layer.url,
    deposits.map(({ onL2 }) => onL2),
  );
  return deposits.map(({ transaction, block, deposit: { from, to, value }, onL2 }): BridgeRow => {
    const receipt = receipts.get(onL2);
    const failed = receipt?.['status'] === '0x0' ? ', reverted' : '';
    return {
      ...{ kind: 'deposit', transaction, block, from, to: to ?? 'a new contract', onL2, value: String(value) },
      ...{ chain: layer.chain.name, proof: null, finalization: null },
      stage: receipt === undefined ? 'on L1' : `on L2, block ${Number(receipt['blockNumber'])}${failed}`,
    };
  });
}

/** `transaction`: lists those alone that it initiated, proved or finalized. */
async function withdrawalsOf(plan: Plan, layer: L2Layer, transaction?: string): Promise<readonly BridgeRow[]> {
  const [messages, proven, finalized, safe] = await Promise.all([
    logsAt(layer, PASSER, PASSED),
    portalLogs(plan, layer.chain, PROVEN),
    portalLogs(plan, layer.chain, FINALIZED),
    ask<Json | null>(layer, 'eth_getBlockByNumber', 'safe', false).catch(() => null),
  ]);
  // A withdrawal may be proven more than once: the last proof counts.
  const proofs = byWithdrawal(proven);
  const finalizations = byWithdrawal(finalized);
  return messages
    .map((raw) => {
      const message = placed(raw);
      // value, gasLimit, offset of data, withdrawalHash
      const words = message.log.data.slice(2).match(/.{64}/g) ?? [];
      const hash = `0x${words[3] ?? ''}`;
      return { ...message, words, proof: proofs.get(hash), finalization: finalizations.get(hash) };
    })
    .filter(
      ({ transaction: initiation, proof, finalization }) =>
        transaction === undefined ||
        [initiation, proof?.transaction, finalization?.transaction].some((each) => each === transaction),
    )
    .slice(-MAX_SHOWN_ROWS)
    .reverse()
    .map(({ transaction: initiation, block, log, words, proof, finalization }): BridgeRow => {
      const address = (word: string | undefined) => `0x${(word ?? '').slice(-40)}`;
      const isSafe = Number(safe?.['number'] ?? -1) >= block;
      const waiting = isSafe ? 'on L2, waits for a proposal and its proof' : 'on L2, not safe yet';
      return {
        ...{
          kind: 'withdrawal',
          transaction: initiation,
          block,
          from: address(log.topics[2]),
          to: address(log.topics[3]),
        },
        value: String(BigInt(`0x${words[0] ?? '0'}`)),
        stage: finalStage(finalization?.log.data) ?? (proof === undefined ? waiting : 'proven on L1'),
        ...{ chain: layer.chain.name, onL2: null },
        ...{ proof: proof?.transaction ?? null, finalization: finalization?.transaction ?? null },
      };
    });
}

/** Returns the last log of each withdrawal by its hash, the first topic of both events. */
function byWithdrawal(logs: readonly Json[]): ReadonlyMap<string, ReturnType<typeof placed>> {
  return new Map(
    logs.map((raw) => {
      const log = placed(raw);
      return [log.log.topics[1] ?? '', log];
    }),
  );
}

/** Returns the stage after a finalization, which succeeds even if its call fails. Undefined before one. */
function finalStage(success: Hex | undefined): string | undefined {
  if (success === undefined) return undefined;
  return BigInt(success) === 1n ? 'finalized on L1' : 'finalized on L1, but its call failed: nothing arrived';
}

function portalLogs(plan: Plan, { contracts }: ChainView, event: string): Promise<readonly Json[]> {
  const portal = contracts.l1['OptimismPortal'];
  return portal === undefined ? Promise.resolve([]) : logsAt({ url: plan.network.l1.direct.rpc }, portal, event);
}

async function logsAt(place: { readonly url: string }, address: string, event: string): Promise<readonly Json[]> {
  const head = Number(await ask<string>(place, 'eth_blockNumber'));
  const fromBlock = quantity(Math.max(0, head - SEARCHED_BLOCKS));
  return ask<readonly Json[]>(place, 'eth_getLogs', { address, topics: [event], fromBlock, toBlock: 'latest' });
}

/** Reads a log with its place. */
function placed(raw: Json) {
  const fields = jsonFields(raw, 'log');
  const transaction = fields.data('transactionHash', 32);
  const { logs } = l1ReceiptOf({ transactionHash: transaction, status: '0x1', logs: [raw] });
  return {
    ...{ hash: fields.data('blockHash', 32), transaction, block: fields.number('blockNumber') },
    log: present(logs[0], 'log'),
  };
}
