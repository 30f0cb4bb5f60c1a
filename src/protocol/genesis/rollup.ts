import { rollupConfigTimes, rulesAt, scheduleOf } from '../forks/index.ts';
import { present } from '../present.ts';
import type { RollupConfig } from '../types.ts';
import { batchInboxAddress, l1Addresses } from './addresses.ts';
import type { GenesisContracts } from './contracts.ts';
import type { ChainGenesisInputs, GenesisBlocks } from './inputs.ts';

/**
 * Makes rollup.json of a chain whose genesis blocks are known (op-chain-ops: `DeployConfig.RollupConfig`).
 * It has no key that op-node does not know.
 */
export function rollupConfig(
  inputs: ChainGenesisInputs,
  blocks: GenesisBlocks,
  contracts: GenesisContracts,
): RollupConfig {
  const addresses = l1Addresses(inputs.chainId, contracts);
  const addressOf = (name: string) => present(addresses[name], `address of ${name}`);
  return {
    genesis: {
      l1: blocks.l1,
      l2: blocks.l2,
      l2_time: inputs.genesisTime,
      system_config: inputs.systemConfig,
    },
    block_time: inputs.blockTime,
    max_sequencer_drift: inputs.rollup.maxSequencerDrift,
    seq_window_size: inputs.rollup.seqWindowSize,
    channel_timeout: inputs.rollup.channelTimeout,
    l1_chain_id: inputs.l1ChainId,
    l2_chain_id: inputs.chainId,
    ...rollupConfigTimes(inputs.schedule),
    batch_inbox_address: batchInboxAddress(inputs.chainId),
    deposit_contract_address: addressOf('OptimismPortal'),
    l1_system_config_address: addressOf('SystemConfig'),
    protocol_versions_address: addressOf('ProtocolVersions'),
    chain_op_config: chainOpConfig(inputs),
    ...(inputs.altDa && { alt_da: inputs.altDa }),
  };
}

/** Makes the base fee constants of genesis.json (`config.optimism`) and rollup.json (`chain_op_config`). */
export function chainOpConfig({
  eip1559,
}: Pick<ChainGenesisInputs, 'eip1559'>): NonNullable<RollupConfig['chain_op_config']> {
  return {
    eip1559Elasticity: eip1559.elasticity,
    eip1559Denominator: eip1559.denominator,
    eip1559DenominatorCanyon: eip1559.eip1559DenominatorCanyon,
  };
}

/** Keys of the system config that newer rollup nodes know; each is zero if it is absent. */
const NEWER_KEYS = ['eip1559Params', 'operatorFeeParams', 'minBaseFee', 'daFootprintGasScalar'] as const;

/**
 * Renders rollup.json.
 * Newer keys are omitted if they are zero or no scheduled fork reads them. An older rollup node rejects unknown
 * keys, but can follow a chain that does not need them.
 */
export function renderRollupConfig(config: RollupConfig): string {
  const { chain_op_config, genesis, ...rest } = config;
  const system: Record<string, unknown> = { ...genesis.system_config };
  for (const key of NEWER_KEYS) if (/^(0x)?0*$/.test(String(system[key]))) delete system[key];
  const { eip1559Params } = rulesAt(scheduleOf(config), Number.MAX_SAFE_INTEGER).attributes;
  const text = { genesis: { ...genesis, system_config: system }, ...rest, ...(eip1559Params && { chain_op_config }) };
  return `${JSON.stringify(text, null, 2)}\n`;
}
