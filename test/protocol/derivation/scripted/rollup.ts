import type { Rollup } from '../../../../src/protocol/derivation/ports.ts';
import { rollupOf } from '../../../../src/protocol/derivation/rollup.ts';
import { FORKS, type ForkName, type ForkSchedule } from '../../../../src/protocol/forks/index.ts';
import type { Hex, RollupConfig, SystemConfig, UpgradeBundle } from '../../../../src/protocol/types.ts';

export const GENESIS_TIME = 1_700_000_000;
export const BATCHER: Hex = `0x${'ba'.repeat(20)}`;
export const INBOX: Hex = `0x${'ff'.repeat(20)}`;
export const PORTAL: Hex = `0x${'de'.repeat(20)}`;
export const SYSTEM_CONFIG_ADDRESS: Hex = `0x${'5c'.repeat(20)}`;
/** Seconds between L1 blocks; between L2 blocks it is 2. */
export const L1_BLOCK_TIME = 6;

/** A 32-byte hash that reads as its name. */
export const hashOf = (name: string): Hex => `0x${Buffer.from(name).toString('hex').padEnd(64, '0')}`;

export const GENESIS_L1 = { number: 100, hash: hashOf('L1 genesis') };
export const GENESIS_L2 = { number: 0, hash: hashOf('L2 genesis') };

export const SYSTEM_CONFIG: SystemConfig = {
  batcherAddr: BATCHER,
  overhead: `0x${'00'.repeat(31)}bc`,
  scalar: `0x00${'00'.repeat(28)}0a6fe0`,
  gasLimit: 30_000_000,
  eip1559Params: '0x0000000000000000',
  operatorFeeParams: `0x${'00'.repeat(32)}`,
  minBaseFee: 0,
  daFootprintGasScalar: 0,
};

/** Every fork up to and including `last` active since genesis. */
export function forksUpTo(last: ForkName): ForkSchedule {
  const names = FORKS.filter(({ optional }) => !optional).map(({ name }) => name);
  const active = names.slice(0, names.indexOf(last) + 1);
  return Object.fromEntries(active.map((name) => [name, 0])) as ForkSchedule;
}

const BUNDLE: UpgradeBundle = {
  metadata: { version: '1.0.0' },
  transactions: [
    { intent: 'Test: Deployment', from: `0x42${'10'.repeat(19)}`, to: null, gasLimit: 500_000, data: '0x6000' },
    {
      intent: 'Test: Update',
      from: `0x${'00'.repeat(20)}`,
      to: `0x42${'00'.repeat(19)}`,
      gasLimit: 50_000,
      data: '0x',
    },
  ],
};

export interface TestRollupOptions {
  readonly config?: Partial<RollupConfig>;
  /** Activation in seconds after genesis, over `base`. */
  readonly at?: { readonly [name in ForkName]?: number };
}

/**
 * Makes a rollup with the forks up to `base` at genesis and 2 s blocks.
 * The sequencing window is 12 L1 blocks, the channel timeout 6 (50 from granite on).
 */
export function testRollup(base: ForkName, { config, at = {} }: TestRollupOptions = {}): Rollup {
  const later = Object.fromEntries(Object.entries(at).map(([name, after]) => [name, GENESIS_TIME + after]));
  const whole: RollupConfig = {
    genesis: { l1: GENESIS_L1, l2: GENESIS_L2, l2_time: GENESIS_TIME, system_config: SYSTEM_CONFIG },
    block_time: 2,
    max_sequencer_drift: 20,
    seq_window_size: 12,
    channel_timeout: 6,
    l1_chain_id: 900,
    l2_chain_id: 901,
    batch_inbox_address: INBOX,
    deposit_contract_address: PORTAL,
    l1_system_config_address: SYSTEM_CONFIG_ADDRESS,
    ...config,
  };
  const bundles = Object.fromEntries(FORKS.map(({ name }) => [name, BUNDLE]));
  return rollupOf(whole, { schedule: { ...forksUpTo(base), ...later }, bundles });
}
