import {
  BEACON_ROOTS_ADDRESS,
  HISTORY_STORAGE_ADDRESS,
  PREDEPLOYS,
} from '../../../../src/protocol/execution/predeploys.ts';
import {
  FORKS,
  type ForkName,
  type ForkSchedule,
  genesisConfigTimes,
  rulesAt,
} from '../../../../src/protocol/forks/index.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from './accounts.ts';

export const CHAIN_ID = 901;
export const GENESIS_TIME = 1_700_000_000;
export const GAS_LIMIT = 30_000_000;

/** Activates every fork up to and including one at genesis. */
export function upTo(name: ForkName): ForkSchedule {
  const chain = FORKS.filter(({ optional }) => !optional);
  const last = chain.findIndex((fork) => fork.name === name);
  return Object.fromEntries(chain.slice(0, last + 1).map((fork) => [fork.name, 0]));
}

export type Alloc = Record<
  string,
  { balance?: string; nonce?: string; code?: string; storage?: Record<string, string> }
>;

const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

/** sstore(calldata[0..32], calldata[32..64]) */
const STORE_CODE = '0x6020356000355500';
export const STORE: Hex = '0x00000000000000000000000000000000000c0de1';
/** log1 of the calldata with its first word as topic */
const LOG_CODE = '0x366000600037600035366000a100';
export const LOGGER: Hex = '0x00000000000000000000000000000000000c0de2';
/** revert with the calldata */
const REVERT_CODE = '0x366000600037366000fd';
export const REVERTER: Hex = '0x00000000000000000000000000000000000c0de3';

/** Runtime codes of EIP-4788 and EIP-2935. */
const BEACON_ROOTS_CODE =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500';
const HISTORY_CODE =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500';

/** The contracts of EIP-4788 and EIP-2935. */
export function systemContracts(): Alloc {
  return {
    [BEACON_ROOTS_ADDRESS]: { nonce: '0x1', code: BEACON_ROOTS_CODE },
    [HISTORY_STORAGE_ADDRESS]: { nonce: '0x1', code: HISTORY_CODE },
  };
}

/** Returns the words of L1Block: base fee 10 gwei, mainnet scalars, and operator fee and footprint with `operator`. */
export function l1BlockStorage(operator: boolean): Record<string, string> {
  const scalars = (5227n << 96n) | (1_014_213n << 64n);
  return {
    [word(0n)]: word(1n),
    [word(1n)]: word(10_000_000_000n),
    [word(3n)]: word(scalars),
    [word(5n)]: word(188n),
    [word(6n)]: word(684_000n),
    [word(7n)]: word(3n),
    ...(operator ? { [word(8n)]: word((400n << 96n) | (2000n << 64n) | 7n) } : {}),
  };
}

/** Returns the text of a small genesis.json with `alloc` last. */
export function genesisText(schedule: ForkSchedule, extra: Alloc = {}): string {
  const rules = rulesAt(schedule, GENESIS_TIME);
  const extraData = rules.extraData.encode(
    { denominator: 250, elasticity: 6, minBaseFee: 0 },
    { denominator: 250, elasticity: 6, minBaseFee: 0 },
  );
  const alloc: Alloc = {
    ...Object.fromEntries(ACCOUNTS.map(({ address }) => [address, { balance: word(10n ** 22n) }])),
    [PREDEPLOYS.l1Block]: { balance: '0x0', code: '0x00', storage: l1BlockStorage(rules.header.requestsHash) },
    [PREDEPLOYS.l2ToL1MessagePasser]: { code: STORE_CODE, storage: { [word(1n)]: word(1n) } },
    [STORE]: { code: STORE_CODE },
    [LOGGER]: { code: LOG_CODE },
    [REVERTER]: { code: REVERT_CODE },
    ...systemContracts(),
    ...extra,
  };
  return JSON.stringify({
    config: {
      chainId: CHAIN_ID,
      ...genesisConfigTimes(schedule),
      optimism: { eip1559Elasticity: 6, eip1559Denominator: 50, eip1559DenominatorCanyon: 250 },
    },
    nonce: '0x0',
    timestamp: `0x${GENESIS_TIME.toString(16)}`,
    extraData,
    gasLimit: `0x${GAS_LIMIT.toString(16)}`,
    difficulty: '0x0',
    mixHash: word(0n),
    coinbase: PREDEPLOYS.sequencerFeeVault,
    baseFeePerGas: '0x3b9aca00',
    alloc,
  });
}
