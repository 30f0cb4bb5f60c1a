import { PREDEPLOYS } from '../../execution/predeploys.ts';
import type { BlockId, Hex, L1Header, L2BlockRef, PayloadAttributes, SystemConfig } from '../../types.ts';
import { DerivationError } from '../error.ts';
import type { L1Chain, L2Chain, Rollup } from '../ports.ts';
import { applyConfigUpdates } from './config-updates.ts';
import { userDeposits } from './deposits.ts';
import { l1InfoDeposit } from './l1-info.ts';
import { systemConfigOfBlock } from './system-config.ts';

const NO_BEACON_ROOT: Hex = `0x${'00'.repeat(32)}`;

type OriginReader = Pick<L1Chain, 'headerByHash' | 'receipts'>;
type ParentReader = Pick<L2Chain, 'payloadByHash'>;

/** Inputs of a block that come from its epoch. */
interface EpochInputs {
  readonly origin: L1Header;
  readonly systemConfig: SystemConfig;
  readonly deposits: readonly Hex[];
  readonly sequenceNumber: number;
}

/**
 * Prepares the payload attributes of the child of `parent` in the epoch of `origin`.
 * Counterparts: `FetchingAttributesBuilder.PreparePayloadAttributes` (op-node), `StatefulAttributesBuilder` (kona).
 * They hold only what derivation forces into the block: L1 attributes, user deposits of a new epoch, upgrade
 * transactions. `noTxPool` is true (specification: Deriving Payload Attributes). Rejects if a port does.
 * @throws DerivationError (reset) if origin does not follow the parent's or is newer than the block, (retry) if a
 * block is missing
 */
export async function prepareAttributes(
  rollup: Rollup,
  l1: OriginReader,
  l2: ParentReader,
  parent: L2BlockRef,
  origin: BlockId,
): Promise<PayloadAttributes> {
  return fill(rollup, parent, await epochInputs(rollup, l1, l2, parent, origin));
}

/**
 * Prepares attributes for the sequencer, as {@link prepareAttributes} does for derivation.
 * Pool transactions are allowed, except past the sequencer drift and in activation blocks that must be empty.
 * Counterpart in op-node: `startBuildingBlock`.
 */
export async function prepareSequencerAttributes(
  rollup: Rollup,
  l1: OriginReader,
  l2: ParentReader,
  parent: L2BlockRef,
  origin: BlockId,
): Promise<PayloadAttributes> {
  const inputs = await epochInputs(rollup, l1, l2, parent, origin);
  const attributes = fill(rollup, parent, inputs);
  const { timestamp: originTime } = inputs.origin;
  const drift = rollup.rulesAt(originTime).batches.maxSequencerDrift(rollup.config);
  const noTxPool =
    attributes.timestamp > originTime + drift || (rollup.activationAt(attributes.timestamp)?.noTxPool ?? false);
  return { ...attributes, noTxPool };
}

async function epochInputs(
  rollup: Rollup,
  l1: OriginReader,
  l2: ParentReader,
  parent: L2BlockRef,
  epoch: BlockId,
): Promise<EpochInputs> {
  const [payload, origin] = await Promise.all([l2.payloadByHash(parent.hash), l1.headerByHash(epoch.hash)]);
  if (payload === null) throw new DerivationError('retry', `the engine does not have L2 block ${parent.hash}`);
  if (origin === null)
    throw new DerivationError('reset', `L1 does not have the origin ${epoch.number} (${epoch.hash})`);
  const systemConfig = systemConfigOfBlock(rollup, payload.executionPayload);

  if (parent.l1origin.number === epoch.number) {
    if (parent.l1origin.hash !== epoch.hash) throw conflict(parent, epoch);
    return { origin, systemConfig, deposits: [], sequenceNumber: parent.sequenceNumber + 1 };
  }
  if (parent.l1origin.hash !== origin.parentHash) throw conflict(parent, epoch);
  const receipts = await l1.receipts(epoch.hash);
  if (receipts === null) throw new DerivationError('retry', `L1 does not have the receipts of block ${epoch.hash}`);
  return {
    origin,
    systemConfig: applyConfigUpdates(rollup, systemConfig, receipts, origin),
    deposits: userDeposits(receipts, rollup.config.deposit_contract_address, epoch.hash),
    sequenceNumber: 0,
  };
}

function fill(rollup: Rollup, parent: L2BlockRef, inputs: EpochInputs): PayloadAttributes {
  const { origin, systemConfig, deposits, sequenceNumber } = inputs;
  const timestamp = parent.timestamp + rollup.config.block_time;
  if (timestamp < origin.timestamp) {
    throw new DerivationError(
      'reset',
      `an L2 block at ${timestamp} on ${parent.number} cannot have L1 origin ${origin.number}, ` +
        `whose time ${origin.timestamp} is later`,
    );
  }
  const { attributes: rules } = rollup.rulesAt(timestamp);
  const activation = rollup.activationAt(timestamp);
  const l1Info = l1InfoDeposit(rollup, systemConfig, origin, sequenceNumber, timestamp);
  return {
    timestamp: BigInt(timestamp),
    prevRandao: origin.mixHash,
    suggestedFeeRecipient: PREDEPLOYS.sequencerFeeVault,
    transactions: [l1Info, ...deposits, ...(activation?.transactions ?? [])],
    noTxPool: true,
    gasLimit: BigInt(systemConfig.gasLimit + (activation?.gas ?? 0)),
    ...(rules.withdrawals && { withdrawals: [] as const }),
    ...(rules.parentBeaconBlockRoot && { parentBeaconBlockRoot: origin.parentBeaconBlockRoot ?? NO_BEACON_ROOT }),
    ...(rules.eip1559Params && { eip1559Params: systemConfig.eip1559Params }),
    ...(rules.minBaseFee && { minBaseFee: systemConfig.minBaseFee }),
  };
}

function conflict(parent: L2BlockRef, epoch: BlockId): DerivationError {
  return new DerivationError(
    'reset',
    `L1 origin ${epoch.number} (${epoch.hash}) does not follow ${parent.l1origin.number} (${parent.l1origin.hash}), ` +
      `the origin of L2 block ${parent.number}`,
  );
}
