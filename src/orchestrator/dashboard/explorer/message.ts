import { jsonFields } from '../../../protocol/codec/json.ts';
import type { Decoded } from '../../inspect/abi/abi.ts';
import type { Inspector, Json, L2Layer } from '../../inspect/inspector.ts';
import { blocksAt, type Layer } from '../../inspect/layer.ts';
import type { Party } from '../../inspect/trace.ts';
import { partyOf } from '../../inspect/transaction.ts';
import { isoTime } from '../../status/forks.ts';
import { type BridgeRow, bridgeRow } from './bridge.ts';
import { maturityOf, proposalOf } from './proposals.ts';
import { receiptsOf } from './receipts.ts';

/** Characters of the input that a page receives. */
const MAX_DATA_CHARS = 20_000;

/** A step of a message. */
export interface MessageStep {
  readonly name: string;
  /** `l1`, or the rollup. */
  readonly chain: string;
  readonly transaction: string | null;
  readonly block: number | null;
  /** Unix seconds. */
  readonly time: number | null;
  /** done, waiting, or failed: the step was made and its call failed. */
  readonly state: 'done' | 'waiting' | 'failed';
  readonly note: string;
}

/** A deposit or a withdrawal with both its ends and all its steps. */
export interface MessageView extends Omit<BridgeRow, 'from' | 'to'> {
  readonly from: Party;
  readonly to: Party;
  readonly call: Decoded | null;
  readonly dataBytes: number;
  readonly steps: readonly MessageStep[];
}

/** Reads a message by its id. Undefined: it is not among those of the newest 5,000 blocks. */
export async function readMessage(
  inspector: Inspector,
  layer: L2Layer,
  kind: BridgeRow['kind'],
  id: string,
): Promise<MessageView | undefined> {
  const row = await bridgeRow(inspector.plan, layer, kind, id);
  if (row === undefined) return undefined;
  const l1: Layer = { kind: 'l1', label: 'l1', url: inspector.plan.network.l1.rpc };
  const [from, to] = kind === 'deposit' ? [l1, layer] : [layer, l1];
  await inspector.identify(to, /^0x[0-9a-fA-F]{40}$/.test(row.to) ? [row.to] : []);
  const steps = kind === 'deposit' ? await depositSteps(l1, layer, row) : await withdrawalSteps(inspector, layer, row);
  return {
    ...row,
    from: partyOf(inspector, from)(row.from),
    to: partyOf(inspector, to)(row.to),
    data: row.data.slice(0, MAX_DATA_CHARS),
    dataBytes: row.data.length / 2 - 1,
    call: row.data.length >= 10 ? inspector.abi.call(row.data) : null,
    steps,
  };
}

async function depositSteps(l1: Layer, layer: L2Layer, row: BridgeRow): Promise<readonly MessageStep[]> {
  const receipts = row.onL2 === null ? new Map<string, Json>() : await receiptsOf(layer.url, [row.onL2]);
  const receipt = row.onL2 === null ? undefined : receipts.get(row.onL2);
  const arrived = receipt === undefined ? undefined : jsonFields(receipt, 'receipt');
  const chain = layer.chain.name;
  const block = arrived?.number('blockNumber') ?? null;
  const isReverted = arrived !== undefined && arrived.number('status') === 0;
  const failure = isReverted ? 'reverted' : row.failure;
  const [[start], [end]] = await Promise.all([timesOf(l1, [row.block]), timesOf(layer, [block])]);
  return [
    ...[stepOf('deposited', 'l1', { transaction: row.transaction, block: row.block, time: start ?? null })],
    {
      ...stepOf('executed', chain, { transaction: row.onL2, block, time: end ?? null }),
      state: arrived === undefined ? 'waiting' : failure === null ? 'done' : 'failed',
      note: arrived === undefined ? 'waits for an L2 block whose origin is its L1 block' : (failure ?? ''),
    },
  ];
}

async function withdrawalSteps({ plan }: Inspector, layer: L2Layer, row: BridgeRow): Promise<readonly MessageStep[]> {
  const l1 = { url: plan.network.l1.rpc };
  const [proposal, maturity, placesOnL1] = await Promise.all([
    proposalOf(plan, layer.chain, row.block),
    maturityOf(plan, layer.chain),
    receiptsOf(
      l1.url,
      [row.proof, row.finalization].flatMap((hash) => hash ?? []),
    ),
  ]);
  const blockOf = (hash: string | null): number | null => {
    const receipt = hash === null ? undefined : placesOnL1.get(hash);
    return receipt === undefined ? null : Number(receipt['blockNumber']);
  };
  const blocks = [proposal?.block ?? null, blockOf(row.proof), blockOf(row.finalization)] as const;
  const [[start], [proposed, proven, finalized]] = await Promise.all([
    timesOf(layer, [row.block]),
    timesOf(l1, blocks),
  ]);
  const ready = proven == null || maturity === undefined ? null : proven + maturity;
  return [
    stepOf('initiated', layer.chain.name, { transaction: row.transaction, block: row.block, time: start ?? null }),
    {
      ...stepOf('proposed', 'l1', {
        transaction: proposal?.transaction ?? null,
        block: blocks[0],
        time: proposed ?? null,
      }),
      note: proposal === undefined ? 'waits for an output that covers its block' : `output of block ${proposal.covers}`,
    },
    {
      ...stepOf('proven', 'l1', { transaction: row.proof, block: blocks[1], time: proven ?? null }),
      note: row.proof !== null ? '' : proposal === undefined ? '' : 'waits for its proof',
    },
    {
      ...stepOf('finalized', 'l1', { transaction: row.finalization, block: blocks[2], time: finalized ?? null }),
      state: row.finalization === null ? 'waiting' : row.failure === null ? 'done' : 'failed',
      note: row.failure ?? (row.finalization !== null || ready === null ? '' : `not before ${isoTime(ready)}`),
    },
  ];
}

function stepOf(name: string, chain: string, place: Pick<MessageStep, 'transaction' | 'block' | 'time'>): MessageStep {
  return { name, chain, ...place, state: place.block === null ? 'waiting' : 'done', note: '' };
}

/** Reads the times (Unix s) of blocks by one request; null if there is none. */
async function timesOf(
  layer: Pick<Layer, 'url'>,
  blocks: readonly (number | null)[],
): Promise<readonly (number | null)[]> {
  const numbers = blocks.flatMap((block) => block ?? []);
  const objects = await blocksAt(layer, numbers, false);
  const times = new Map(objects.map(({ number, timestamp }) => [Number(number), Number(timestamp)]));
  return blocks.map((block) => (block === null ? null : (times.get(block) ?? null)));
}
