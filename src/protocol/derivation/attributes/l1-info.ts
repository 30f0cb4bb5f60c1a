import { decodeDeposit, encodeDeposit } from '../../codec/deposit.ts';
import { l1AttributesSourceHash } from '../../codec/source-hash.ts';
import { DEFAULT_DA_FOOTPRINT_GAS_SCALAR } from '../../execution/constants.ts';
import { L1_ATTRIBUTES_DEPOSITOR, PREDEPLOYS } from '../../execution/predeploys.ts';
import { bytesToHex, hexToBytes } from '../../hex.ts';
import type { L1BlockInfo } from '../../rules/rules.ts';
import type { ExecutionPayload, Hex, L1Header, SystemConfig } from '../../types.ts';
import { DerivationError } from '../error.ts';
import type { Rollup } from '../ports.ts';
import { decodeOperatorFee, decodeScalars } from './fee-parameters.ts';

/**
 * Makes the L1-attributes deposit of the L2 block at `time` (op-node: `L1InfoDeposit`).
 * Counterpart in kona: `L1BlockInfoTx::try_new_with_deposit_tx`. It is the block's first transaction. The block is the
 * `sequenceNumber`th of the epoch of `origin` (specification: L1 Attributes Deposited Transaction).
 */
export function l1InfoDeposit(
  rollup: Rollup,
  systemConfig: SystemConfig,
  origin: L1Header,
  sequenceNumber: number,
  time: number,
): Hex {
  const codec = rollup.l1AttributesAt(time);
  const data = codec.encode(l1BlockInfo(rollup, systemConfig, origin, sequenceNumber, time));
  const deposit = {
    sourceHash: l1AttributesSourceHash(origin.hash, sequenceNumber),
    from: L1_ATTRIBUTES_DEPOSITOR,
    to: PREDEPLOYS.l1Block,
    mint: 0n,
    value: 0n,
    gas: codec.gas,
    isSystemTransaction: codec.isSystemTransaction,
    data: bytesToHex(data),
  };
  return bytesToHex(encodeDeposit(deposit));
}

/**
 * Reads the L1 attributes of a block (op-node: `L1BlockInfoFromBytes`).
 * @throws DerivationError (fatal) if its first transaction is no L1-attributes deposit of its version
 */
export function l1InfoOf(rollup: Rollup, payload: ExecutionPayload): L1BlockInfo {
  const [first] = payload.transactions;
  const block = `L2 block ${payload.blockNumber} (${payload.blockHash})`;
  if (first === undefined) throw new DerivationError('fatal', `${block} has no transactions, expected L1 attributes`);
  try {
    const deposit = decodeDeposit(hexToBytes(first));
    return rollup.l1AttributesAt(payload.timestamp).decode(hexToBytes(deposit.data));
  } catch (error) {
    throw new DerivationError(
      'fatal',
      `${block} does not begin with L1 attributes: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function l1BlockInfo(
  rollup: Rollup,
  config: SystemConfig,
  origin: L1Header,
  sequenceNumber: number,
  time: number,
): L1BlockInfo {
  const packed = rollup.rulesAt(time).attributes.scalarEncoding === 'packed';
  const scalars = packed ? decodeScalars(config.scalar) : { baseFeeScalar: 0, blobBaseFeeScalar: 0 };
  return {
    number: origin.number,
    timestamp: origin.timestamp,
    baseFee: origin.baseFeePerGas,
    hash: origin.hash,
    sequenceNumber,
    batcherAddr: config.batcherAddr,
    l1FeeOverhead: config.overhead,
    l1FeeScalar: config.scalar,
    ...scalars,
    blobBaseFee: rollup.rulesAt(origin.timestamp).l1BlobFee.blobBaseFee(origin, rollup.l1BlobSchedule),
    ...decodeOperatorFee(config.operatorFeeParams),
    daFootprintGasScalar: config.daFootprintGasScalar || DEFAULT_DA_FOOTPRINT_GAS_SCALAR,
  };
}
