import { describe, expect, it } from 'vitest';
import { batchInboxAddress, l1Addresses } from '../../../src/protocol/genesis/addresses.ts';
import { chainOpConfig, renderRollupConfig, rollupConfig } from '../../../src/protocol/genesis/rollup.ts';
import { chainInputs, GENESIS_TIME, upTo } from './inputs.ts';
import { small } from './small-contracts.ts';

const blocks = {
  l1: { hash: `0x${'11'.repeat(32)}`, number: 1 },
  l2: { hash: `0x${'22'.repeat(32)}`, number: 0 },
} as const;
const inputs = chainInputs({
  schedule: { ...upTo('delta'), ecotone: GENESIS_TIME + 8 },
  blockTime: 3,
  rollup: { maxSequencerDrift: 4, seqWindowSize: 5, channelTimeout: 6 },
  eip1559: { elasticity: 7, denominator: 8, eip1559DenominatorCanyon: 9 },
});
const RATES = { eip1559Elasticity: 7, eip1559Denominator: 8, eip1559DenominatorCanyon: 9 };

describe('rollup config', () => {
  it('has a value of the inputs at each key, and no key that op-node does not know', () => {
    const { SystemConfig, OptimismPortal, ProtocolVersions } = l1Addresses(901, small);
    expect(rollupConfig(inputs, blocks, small)).toStrictEqual({
      genesis: { ...blocks, l2_time: GENESIS_TIME, system_config: inputs.systemConfig },
      block_time: 3,
      max_sequencer_drift: 4,
      seq_window_size: 5,
      channel_timeout: 6,
      l1_chain_id: 900,
      l2_chain_id: 901,
      regolith_time: 0,
      canyon_time: 0,
      delta_time: 0,
      ecotone_time: GENESIS_TIME + 8,
      batch_inbox_address: batchInboxAddress(901),
      deposit_contract_address: OptimismPortal,
      l1_system_config_address: SystemConfig,
      protocol_versions_address: ProtocolVersions,
      chain_op_config: RATES,
    });
    expect(chainOpConfig(inputs)).toStrictEqual(RATES);
  });

  it('cannot be made without the contracts that it names', () => {
    const without = { ...small, l1: { ...small.l1, perChain: [] } };
    expect(() => rollupConfig(inputs, blocks, without)).toThrow('address of OptimismPortal');
  });

  const older = ['batcherAddr', 'overhead', 'scalar', 'gasLimit'];
  it.each([
    [{}, older],
    [{ overhead: `0x${'0'.repeat(64)}`, gasLimit: 0 }, older],
    [{ eip1559Params: '0x0000000000000001' }, [...older, 'eip1559Params']],
    [{ operatorFeeParams: `0x1${'0'.repeat(63)}` }, [...older, 'operatorFeeParams']],
    [{ minBaseFee: 10 }, [...older, 'minBaseFee']],
    [{ daFootprintGasScalar: 100 }, [...older, 'daFootprintGasScalar']],
  ])('is rendered with %j of the system config as the keys %j', (changes, keys) => {
    const systemConfig = { ...inputs.systemConfig, ...changes } as typeof inputs.systemConfig;
    const text = renderRollupConfig(rollupConfig({ ...inputs, systemConfig }, blocks, small));
    const { genesis } = JSON.parse(text);
    expect(Object.keys(genesis.system_config)).toEqual(keys);
    expect(genesis).toMatchObject({ ...blocks, l2_time: GENESIS_TIME });
  });

  it.each([
    [upTo('granite'), undefined],
    [{ ...upTo('granite'), holocene: GENESIS_TIME + 1000 }, RATES],
    [upTo('jovian'), RATES],
  ])('is rendered for the schedule %j with the rates %j', (schedule, rates) => {
    const config = rollupConfig({ ...inputs, schedule }, blocks, small);
    const text = renderRollupConfig(config);
    const { chain_op_config, genesis, ...rest } = JSON.parse(text);
    expect(chain_op_config).toEqual(rates);
    const { chain_op_config: _, genesis: __, ...expected } = config;
    expect(rest).toEqual(expected);
    expect(text.endsWith('}\n')).toBe(true);
    expect(text.split('\n')[1]).toMatch(/^ {2}"genesis"/);
    expect(genesis.l1).toEqual(blocks.l1);
  });
});
