import { outputRoot } from '../../../protocol/codec/output-root.ts';
import { ZERO_HASH } from '../../../protocol/execution/constants.ts';
import { type ForkSchedule, rulesAt, scheduleOf } from '../../../protocol/forks/index.ts';
import {
  accountOfKey,
  accountsOfSeed,
  type ChainGenesisInputs,
  type DevAccount,
  devAccounts,
  GENESIS_DEFAULTS,
  l1Addresses,
  l2Funds,
  l2GenesisHash,
  l2GenesisHead,
  type RoleAccounts,
  roleAccounts,
  rollupConfig,
} from '../../../protocol/genesis/index.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Hex, SystemConfig } from '../../../protocol/types.ts';
import { forksWithBundle, scheduleOfSpec } from '../../spec/schema/forks.ts';
import type { AltDaSpec, ChainSpec, ProposerSpec } from '../../spec/schema/types.ts';
import type { PlanContext } from '../context.ts';
import type { PlanInputs } from '../inputs.ts';
import { entryOf } from '../lookup.ts';
import { mustAgree, mustBeOnL1 } from './cross-check.ts';
import type { PlannedChain } from './planned-chain.ts';
import { portalBalanceOf } from './portal.ts';

/** L1 fee parameters of chains that begin before scalars are packed. */
const LEGACY = { overhead: 188, scalar: 684_000 };

/**
 * Computes the schedule, genesis hash and rollup config of a chain. `l1Hash`: of block 0 of L1, if it is known.
 * @throws Failure `chain-files` if given files do not fit this network
 */
export function chainGenesis(name: string, context: PlanContext, l1Hash?: Hex): PlannedChain {
  const { spec, inputs } = context;
  const chain = entryOf(spec.chains, name);
  const start = begin(name, context);
  const { chainId, genesis, roles, schedule, clock, accounts, funds } = start;
  const contracts = l1Addresses(chainId, inputs.contracts, genesis.withdrawals.system);
  const folder = `${inputs.home}/genesis/${name}`;
  const bundleForks = forksWithBundle(schedule, chain.nodes, clock);
  const common = {
    name,
    spec: chain,
    chainId,
    clock,
    schedule,
    genesis,
    roles,
    funds,
    accounts,
    contracts,
    bundleForks,
    bundleFolder: bundleForks.length === 0 ? undefined : `${folder}/bundles`,
  };
  return chain.from === null
    ? { ...common, ...newChain(common, folder, inputs, l1Hash) }
    : { ...common, ...existingChain(common, chain.from, context, l1Hash) };
}

/** Returns what a chain begins with: its own values, or those of its files. */
function begin(name: string, { spec, inputs, genesisTime }: PlanContext) {
  const chain = entryOf(spec.chains, name);
  const config = chain.from === null ? undefined : entryOf(inputs.rollupConfigs, chain.from.rollup);
  const chainId = config?.l2_chain_id ?? chain.chainId;
  const clock = { genesisTime, blockTime: config?.block_time ?? chain.blockTime, now: Math.floor(inputs.now) };
  const schedule = config === undefined ? scheduleOfSpec(chain.forks, clock) : scheduleOf(config);
  const roles = rolesOf(chain, roleAccounts(chainId, inputs.contracts));
  const accounts = accountsOf(chain.accounts, inputs);
  const unfunded: ChainGenesisInputs = {
    chainId,
    l1ChainId: spec.l1.chainId,
    genesisTime,
    blockTime: clock.blockTime,
    schedule,
    accounts: [...accounts.map(({ address }) => address), ...chain.accounts.addresses].map((address) => ({
      address,
      balance: chain.accounts.balance,
    })),
    ...(chain.alloc === null ? {} : { alloc: entryOf(inputs.allocs, chain.alloc) }),
    systemConfig: config?.genesis.system_config ?? systemConfigOf(chain, roles.batcher.address, schedule, genesisTime),
    roles: {
      owner: roles.owner.address,
      proposer: roles.proposer.address,
      challenger: roles.challenger.address,
      unsafeBlockSigner: roles.sequencer.address,
    },
    ...GENESIS_DEFAULTS,
    rollup: { ...GENESIS_DEFAULTS.rollup, seqWindowSize: chain.sequenceWindow },
    withdrawals: withdrawalsOf(chain.proposer, clock.blockTime),
    ...(chain.altDa !== null && { altDa: altDaOf(chain.altDa) }),
  };
  const funds =
    chain.from === null ? l2Funds(unfunded, inputs.contracts) : entryOf(inputs.genesisFunds, chain.from.genesis);
  const portalBalance = portalBalanceOf(chainId, funds, inputs);
  const genesis = { ...unfunded, withdrawals: { ...unfunded.withdrawals, portalBalance } };
  return { chainId, clock, schedule, roles, accounts, funds, genesis };
}

/** Returns the roles of a chain: its challenger may have a key of the user's own. */
function rolesOf({ proposer }: ChainSpec, roles: RoleAccounts): RoleAccounts {
  const key = proposer?.challenger?.key;
  return key === undefined ? roles : { ...roles, challenger: accountOfKey(hexToBytes(key)) };
}

type GenesisFiles = Pick<PlannedChain, 'rollup' | 'genesisHash' | 'genesisFile' | 'rollupFile'>;

/** Takes the genesis of a chain from its files. */
function existingChain(
  { name, contracts }: Pick<PlannedChain, 'name' | 'contracts'>,
  files: NonNullable<ChainSpec['from']>,
  { spec, inputs }: PlanContext,
  l1Hash: Hex | undefined,
): GenesisFiles {
  const config = entryOf(inputs.rollupConfigs, files.rollup);
  const expected = { systemConfig: entryOf(contracts, 'SystemConfig'), portal: entryOf(contracts, 'OptimismPortal') };
  if (l1Hash !== undefined) mustBeOnL1(files.rollup, config, { ...expected, chainId: spec.l1.chainId, hash: l1Hash });
  mustAgree(name, config, entryOf(inputs.genesisConfigs, files.genesis));
  return {
    rollup: config,
    genesisHash: config.genesis.l2.hash,
    genesisFile: files.genesis,
    rollupFile: files.rollup,
  };
}

/** Computes the genesis of a chain that begins with this network. */
function newChain(
  { name, genesis }: Pick<PlannedChain, 'name' | 'genesis'>,
  folder: string,
  inputs: PlanInputs,
  l1Hash: Hex = ZERO_HASH,
): GenesisFiles & Pick<PlannedChain, 'genesis'> {
  const roots = inputs.roots(genesis);
  const genesisHash = l2GenesisHash(genesis, roots);
  const startingRoot = outputRoot(roots.stateRoot, roots.messagePasserRoot, genesisHash);
  const rollup = rollupConfig(
    genesis,
    { l1: { hash: l1Hash, number: 0 }, l2: { hash: genesisHash, number: 0 } },
    inputs.contracts,
  );
  mustAgree(name, rollup, l2GenesisHead(genesis).config);
  return {
    genesis: { ...genesis, withdrawals: { ...genesis.withdrawals, startingRoot } },
    rollup,
    genesisHash,
    genesisFile: `${folder}/genesis.json`,
    rollupFile: `${folder}/rollup.json`,
  };
}

/** Generic commitments need no contract on L1: they cannot be challenged. */
function altDaOf({ challengeWindow }: AltDaSpec): NonNullable<ChainGenesisInputs['altDa']> {
  return {
    da_commitment_type: 'GenericCommitment',
    da_challenge_window: challengeWindow,
    da_resolve_window: challengeWindow,
  };
}

function withdrawalsOf(proposer: ProposerSpec | null, blockTime: number): ChainGenesisInputs['withdrawals'] {
  const defaults = GENESIS_DEFAULTS.withdrawals;
  if (proposer === null) return defaults;
  const { system, interval, finalization, gameClock, gameFinality } = proposer;
  const submissionInterval = Math.ceil(interval / blockTime);
  return { ...defaults, system, submissionInterval, finalizationPeriod: finalization, gameClock, gameFinality };
}

function accountsOf({ count, mnemonic }: ChainSpec['accounts'], inputs: PlanInputs): readonly DevAccount[] {
  return mnemonic === null ? devAccounts(count, inputs.contracts) : accountsOfSeed(inputs.seedOf(mnemonic), count);
}

function systemConfigOf(chain: ChainSpec, batcherAddr: Hex, schedule: ForkSchedule, genesisTime: number): SystemConfig {
  const { baseFeeScalar, blobBaseFeeScalar, operatorFeeScalar, operatorFeeConstant, minBaseFee, daFootprintGasScalar } =
    chain.systemConfig;
  const packed = rulesAt(schedule, genesisTime).attributes.scalarEncoding === 'packed';
  return {
    batcherAddr,
    overhead: `0x${hex(packed ? 0 : LEGACY.overhead, 32)}`,
    scalar: packed
      ? `0x01${hex(0, 23)}${hex(blobBaseFeeScalar, 4)}${hex(baseFeeScalar, 4)}`
      : `0x${hex(LEGACY.scalar, 32)}`,
    gasLimit: chain.gasLimit,
    eip1559Params: `0x${hex(0, 8)}`,
    operatorFeeParams: `0x${hex(0, 20)}${hex(operatorFeeScalar, 4)}${hex(operatorFeeConstant, 8)}`,
    minBaseFee,
    daFootprintGasScalar,
  };
}

function hex(value: number, bytes: number): string {
  return value.toString(16).padStart(bytes * 2, '0');
}
