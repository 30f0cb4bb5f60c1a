import { concat, u32be } from '../../bytes.ts';
import { bytesToHex, sameHex } from '../../hex.ts';
import type { ExecutionPayload, SystemConfig } from '../../types.ts';
import { DerivationError } from '../error.ts';
import type { Rollup } from '../ports.ts';
import { encodeOperatorFee, encodeScalars } from './fee-parameters.ts';
import { l1InfoOf } from './l1-info.ts';

/** `eip1559Params` that select the chain's constants. */
export const NO_EIP1559_PARAMS = '0x0000000000000000';

/**
 * Reads the system config in force at an L2 block back from the block.
 * Counterparts: `PayloadToSystemConfig` (op-node), `to_system_config` (kona).
 * Batcher, scalars, operator fee and footprint come from its L1 attributes, EIP-1559 parameters from its extraData, the
 * gas limit from its header. That of genesis comes from the configuration.
 * @throws DerivationError (fatal) if it is no block of this rollup
 */
export function systemConfigOfBlock(rollup: Rollup, payload: ExecutionPayload): SystemConfig {
  if (isGenesis(rollup, payload)) return rollup.config.genesis.system_config;
  const info = l1InfoOf(rollup, payload);
  const calledWithPacked =
    rollup.rulesAt(payload.timestamp - BigInt(rollup.config.block_time)).attributes.scalarEncoding === 'packed';
  return {
    batcherAddr: info.batcherAddr,
    overhead: info.l1FeeOverhead,
    scalar: calledWithPacked ? encodeScalars(info) : info.l1FeeScalar,
    gasLimit: Number(payload.gasLimit) - (rollup.activationAt(payload.timestamp)?.gasToStrip ?? 0),
    ...eip1559Of(rollup, payload),
    operatorFeeParams: encodeOperatorFee(info),
    daFootprintGasScalar: info.daFootprintGasScalar,
  };
}

/**
 * Tells whether a payload is the rollup's genesis block.
 * @throws DerivationError (fatal) on its number with another hash
 */
export function isGenesis(rollup: Rollup, payload: ExecutionPayload): boolean {
  const { l2 } = rollup.config.genesis;
  if (payload.blockNumber !== l2.number) return false;
  if (sameHex(payload.blockHash, l2.hash)) return true;
  throw new DerivationError(
    'fatal',
    `the engine's genesis block is ${payload.blockHash}, expected ${l2.hash}: ` +
      'engine and rollup configuration are of different chains',
  );
}

function eip1559Of(rollup: Rollup, payload: ExecutionPayload): Pick<SystemConfig, 'eip1559Params' | 'minBaseFee'> {
  const params = rollup.rulesAt(payload.timestamp).extraData.decode(payload.extraData);
  if (params === null) return { eip1559Params: NO_EIP1559_PARAMS, minBaseFee: 0 };
  return {
    eip1559Params: bytesToHex(concat(u32be(params.denominator), u32be(params.elasticity))),
    minBaseFee: params.minBaseFee,
  };
}
