import { depositHash } from '../../../protocol/codec/deposit.ts';
import { depositOfLog, TRANSACTION_DEPOSITED_TOPIC } from '../../../protocol/codec/deposit-log.ts';
import { PREDEPLOYS } from '../../../protocol/execution/predeploys.ts';
import type { Json, L2Layer } from '../../inspect/inspector.ts';
import { ask } from '../../inspect/layer.ts';
import type { Plan } from '../../plan/plan.ts';
import { logPlace, logsAt, logsOnL1, type PlacedLog, topicOf } from './bridge-logs.ts';
import { failedMessages, MESSAGE_EVENTS, UNRELAYED } from './failed-messages.ts';
import { receiptsOf } from './receipts.ts';

/** Rows that are shown: the newest. */
const MAX_SHOWN_ROWS = 50;

const PASSER = PREDEPLOYS.l2ToL1MessagePasser;
const PORTAL = 'OptimismPortal';
const MESSENGER = 'L1CrossDomainMessenger';
const PASSED = topicOf('MessagePassed(uint256,address,address,uint256,uint256,bytes,bytes32)');
const PROVEN = topicOf('WithdrawalProven(bytes32,address,address)');
const FINALIZED = topicOf('WithdrawalFinalized(bytes32,bool)');

/** What a withdrawal lacks whose finalization succeeded without its call. */
const UNPAID = 'its call failed: nothing arrived';

/** A deposit or a withdrawal as the page shows it. */
export interface BridgeRow {
  readonly kind: 'deposit' | 'withdrawal';
  /** What names it: the hash on L2 of a deposit, the hash of a withdrawal. */
  readonly id: string;
  /** Its transaction, on L1 for a deposit, on L2 for a withdrawal. */
  readonly transaction: string;
  readonly block: number;
  readonly from: string;
  readonly to: string;
  /** wei */
  readonly value: string;
  /** Gas limit of its call on the other layer, and the input of that call. */
  readonly gas: string;
  readonly data: string;
  readonly stage: string;
  /** What it lacks though its last transaction succeeded. */
  readonly failure: string | null;
  /** The rollup. */
  readonly chain: string;
  /** Of a deposit: its transaction on L2, and what it mints there (wei). */
  readonly onL2: string | null;
  readonly mint: string | null;
  /** Of a withdrawal. */
  readonly nonce: string | null;
  /** Of a withdrawal: the transactions on L1 that proved it last and finalized it. */
  readonly proof: string | null;
  readonly finalization: string | null;
}

/** Lists the newest deposits and withdrawals of a chain with their stage. */
export function bridgeOf(plan: Plan, layer: L2Layer): Promise<readonly BridgeRow[]> {
  return bothOf(plan, layer);
}

/** Finds the deposit and the withdrawal that a hash names among the newest 5,000 blocks. */
export function messagesNamed(plan: Plan, layer: L2Layer, id: string): Promise<readonly BridgeRow[]> {
  return bothOf(plan, layer, id);
}

/** Reads the logs of the portal once for both kinds. `id`: lists the messages of that id alone. */
async function bothOf(plan: Plan, layer: L2Layer, id?: string): Promise<readonly BridgeRow[]> {
  const onL1 = logsOnL1(plan, layer.chain, PORTAL, [TRANSACTION_DEPOSITED_TOPIC, PROVEN, FINALIZED]);
  const [deposits, withdrawals] = await Promise.all([
    depositsOf(layer, onL1, id),
    withdrawalsOf(plan, layer, onL1, id === undefined ? {} : { id }),
  ]);
  return [...deposits, ...withdrawals];
}

/** Finds a message by its id among the newest 5,000 blocks. */
export async function bridgeRow(
  plan: Plan,
  layer: L2Layer,
  kind: BridgeRow['kind'],
  id: string,
): Promise<BridgeRow | undefined> {
  const rows =
    kind === 'deposit'
      ? await depositsOf(layer, logsOnL1(plan, layer.chain, PORTAL, [TRANSACTION_DEPOSITED_TOPIC]), id)
      : await withdrawalsOf(plan, layer, logsOnL1(plan, layer.chain, PORTAL, [PROVEN, FINALIZED]), { id });
  return rows[0];
}

/** Lists the withdrawals of all these chains that a transaction of L1 or L2 initiated, proved or finalized. */
export async function withdrawalsIn(
  plan: Plan,
  layers: readonly L2Layer[],
  transaction: string,
): Promise<readonly BridgeRow[]> {
  const rows = await Promise.all(
    layers.map((layer) =>
      withdrawalsOf(plan, layer, logsOnL1(plan, layer.chain, PORTAL, [PROVEN, FINALIZED]), { transaction }),
    ),
  );
  return rows.flat();
}

/** `onL1`: logs of the portal, of other events too. `id`: lists that deposit alone. */
async function depositsOf(layer: L2Layer, onL1: Promise<readonly Json[]>, id?: string): Promise<readonly BridgeRow[]> {
  const logs = ofEvent(await onL1, TRANSACTION_DEPOSITED_TOPIC);
  const deposits = (id === undefined ? logs.slice(-MAX_SHOWN_ROWS) : logs)
    .toReversed()
    .map((raw) => {
      const { hash, transaction, block, log } = logPlace(raw);
      const deposit = depositOfLog(log, hash);
      return { transaction, block, deposit, onL2: depositHash(deposit) };
    })
    .filter(({ onL2 }) => id === undefined || onL2 === id);
  const [receipts, messages] = await Promise.all([
    receiptsOf(
      layer.url,
      deposits.map(({ onL2 }) => onL2),
    ),
    logsAt(layer, { address: PREDEPLOYS.l2CrossDomainMessenger, events: MESSAGE_EVENTS }),
  ]);
  const failed = failedMessages(messages);
  return deposits.map(({ transaction, block, deposit, onL2 }): BridgeRow => {
    const { from, to, value, gas, data, mint } = deposit;
    const receipt = receipts.get(onL2);
    const failure = failed.has(onL2) ? UNRELAYED : null;
    const end = receipt?.['status'] === '0x0' ? ', reverted' : butText(failure);
    return {
      ...{ kind: 'deposit', id: onL2, transaction, block, from, to: to ?? 'a new contract', onL2 },
      ...{ value: String(value), mint: String(mint), gas: String(gas), data, nonce: null },
      ...{ chain: layer.chain.name, proof: null, finalization: null },
      stage: receipt === undefined ? 'on L1' : `on L2, block ${Number(receipt['blockNumber'])}${end}`,
      failure,
    };
  });
}

/**
 * `onL1`: logs of the portal, of other events too. `only`: lists those alone that a transaction initiated, proved or
 * finalized, or that one of this hash.
 */
async function withdrawalsOf(
  plan: Plan,
  layer: L2Layer,
  onL1: Promise<readonly Json[]>,
  only: { readonly transaction?: string; readonly id?: string } = {},
): Promise<readonly BridgeRow[]> {
  const [messages, portal, relays, safe] = await Promise.all([
    logsAt(layer, { address: PASSER, events: [PASSED] }),
    onL1,
    logsOnL1(plan, layer.chain, MESSENGER, MESSAGE_EVENTS),
    ask<Json | null>(layer, 'eth_getBlockByNumber', 'safe', false).catch(() => null),
  ]);
  // A withdrawal may be proven more than once: the last proof counts.
  const proofs = byWithdrawal(ofEvent(portal, PROVEN));
  const finalizations = byWithdrawal(ofEvent(portal, FINALIZED));
  const failed = failedMessages(relays);
  return messages
    .map((raw) => {
      const message = logPlace(raw);
      // value, gasLimit, offset of data, withdrawalHash
      const words = message.log.data.slice(2).match(/.{64}/g) ?? [];
      const id = `0x${words[3] ?? ''}`;
      return { ...message, words, id, proof: proofs.get(id), finalization: finalizations.get(id) };
    })
    .filter(
      ({ transaction, id, proof, finalization }) =>
        (only.id === undefined || only.id === id) &&
        (only.transaction === undefined ||
          [transaction, proof?.transaction, finalization?.transaction].some((each) => each === only.transaction)),
    )
    .slice(-MAX_SHOWN_ROWS)
    .reverse()
    .map(({ transaction, block, log, words, id, proof, finalization }): BridgeRow => {
      const address = (word: string | undefined) => `0x${(word ?? '').slice(-40)}`;
      const number = (word: string | undefined) => String(BigInt(`0x${word ?? '0'}`));
      const isSafe = Number(safe?.['number'] ?? -1) >= block;
      const failure = failureOf(finalization, failed);
      const finalized = finalization === undefined ? undefined : `finalized on L1${butText(failure)}`;
      const waiting = isSafe ? 'on L2, waits for a proposal and its proof' : 'on L2, not safe yet';
      return {
        ...{ kind: 'withdrawal', id, transaction, block, from: address(log.topics[2]), to: address(log.topics[3]) },
        ...{ value: number(words[0]), gas: number(words[1]), nonce: String(BigInt(log.topics[1] ?? '0x0')) },
        data: inputOf(words),
        ...{ failure, stage: finalized ?? (proof === undefined ? waiting : 'proven on L1') },
        ...{ chain: layer.chain.name, onL2: null, mint: null },
        ...{ proof: proof?.transaction ?? null, finalization: finalization?.transaction ?? null },
      };
    });
}

/** Returns the input of a withdrawal's call: its length is the fifth word, and the bytes follow. */
function inputOf(words: readonly string[]): string {
  const length = Number(BigInt(`0x${words[4] ?? '0'}`));
  return `0x${words
    .slice(5)
    .join('')
    .slice(0, 2 * length)}`;
}

const ofEvent = (logs: readonly Json[], event: string): readonly Json[] =>
  logs.filter(({ topics }) => Array.isArray(topics) && topics[0] === event);

/** Returns the last log of each withdrawal by its hash, the first topic of both events. */
function byWithdrawal(logs: readonly Json[]): ReadonlyMap<string, PlacedLog> {
  return new Map(
    logs.map((raw) => {
      const log = logPlace(raw);
      return [log.log.topics[1] ?? '', log];
    }),
  );
}

/** Returns what a finalization left undone. It succeeds if its call fails, as that call does if its message fails. */
function failureOf(finalization: PlacedLog | undefined, failed: ReadonlySet<string>): string | null {
  if (finalization === undefined) return null;
  if (BigInt(finalization.log.data) !== 1n) return UNPAID;
  return failed.has(finalization.transaction) ? UNRELAYED : null;
}

const butText = (failure: string | null): string => (failure === null ? '' : `, but ${failure}`);
