import { crc32 } from 'node:zlib';
import { u64be } from '../../../protocol/bytes.ts';
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../../../protocol/execution/predeploys.ts';
import { hexToBytes, quantity } from '../../../protocol/hex.ts';
import type { EvmLevel, Rules } from '../../../protocol/rules/rules.ts';
import type { Hex } from '../../../protocol/types.ts';
import { CONSOLIDATION_QUEUE, WITHDRAWAL_QUEUE } from '../block/requests.ts';
import type { Chain } from '../chain/chain.ts';
import type { ChainDefinition } from '../chain/genesis.ts';
import { rulePrecompiles } from '../evm/precompiles.ts';

/** Names of the precompiles by address (EIP-7910). */
const NAMES: Readonly<Record<number, string>> = {
  1: 'ECREC',
  2: 'SHA256',
  3: 'RIPEMD160',
  4: 'ID',
  5: 'MODEXP',
  6: 'BN254_ADD',
  7: 'BN254_MUL',
  8: 'BN254_PAIRING',
  9: 'BLAKE2F',
  10: 'KZG_POINT_EVALUATION',
  11: 'BLS12_G1ADD',
  12: 'BLS12_G1MSM',
  13: 'BLS12_G2ADD',
  14: 'BLS12_G2MSM',
  15: 'BLS12_PAIRING_CHECK',
  16: 'BLS12_MAP_FP_TO_G1',
  17: 'BLS12_MAP_FP2_TO_G2',
  256: 'P256VERIFY',
};

/** Parts of a chain that its configuration depends on. */
type ConfiguredChain = Pick<Chain, 'chainId' | 'genesisHash' | 'knownHeader' | 'rulesAt' | 'schedule'> & {
  readonly definition: Pick<ChainDefinition, 'ethereum'>;
};

/** Update fraction of the blob base fee by EVM level (EIP-4844, EIP-7691). */
const BLOB_FRACTIONS: { readonly [Level in EvmLevel]?: number } = {
  cancun: 3_338_477,
  prague: 5_007_716,
  osaka: 5_007_716,
};

/**
 * Returns the configuration now, at the next fork and at the last scheduled one (EIP-7910).
 * Counterparts: `BlockChainAPI.Config` of geth, `EthConfigHandler` of reth.
 * `now` is the timestamp of the head.
 */
export function forkConfig(chain: ConfiguredChain, now: number) {
  const genesisTime = Number(chain.knownHeader(chain.genesisHash).timestamp);
  const times = [...new Set(Object.values(chain.definition.ethereum?.schedule ?? chain.schedule))]
    .filter((time): time is number => time !== undefined && time > genesisTime)
    .sort((left, right) => left - right);
  const past = times.filter((time) => time <= now);
  const coming = times.filter((time) => time > now);
  const [next, last] = [coming[0], coming.at(-1)];
  const at = (time: number) =>
    configAt(
      chain,
      time,
      times.filter((one) => one <= time),
    );
  return {
    current: at(past.at(-1) ?? genesisTime),
    next: next === undefined ? null : at(next),
    last: last === undefined ? null : at(last),
  };
}

function configAt(chain: ConfiguredChain, time: number, past: readonly number[]) {
  const rules = chain.rulesAt(time);
  const precompiles = [...rulePrecompiles(rules).keys()].map((address) => [NAMES[Number(address)] ?? address, address]);
  return {
    activationTime: time,
    blobSchedule: blobScheduleOf(rules),
    chainId: quantity(chain.chainId),
    forkId: forkHash(chain.genesisHash, past),
    precompiles: Object.fromEntries(precompiles.sort()),
    systemContracts: {
      ...(rules.header.beaconRoot ? { BEACON_ROOTS_ADDRESS } : {}),
      ...(rules.header.requestsHash ? { HISTORY_STORAGE_ADDRESS } : {}),
      ...(rules.ethereum?.requests ? requestContracts(chain.definition.ethereum?.depositContract) : {}),
    },
  };
}

function blobScheduleOf({ evm, ethereum }: Rules) {
  // A rollup takes no blobs. Only the update fraction of BLOBBASEFEE applies.
  if (!ethereum?.blobs) return { baseFeeUpdateFraction: BLOB_FRACTIONS[evm] ?? 0, max: 0, target: 0 };
  const { target, max, updateFraction } = ethereum.blobs;
  return { baseFeeUpdateFraction: Number(updateFraction), max, target };
}

function requestContracts(depositContract: Hex | undefined) {
  return {
    CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS: CONSOLIDATION_QUEUE,
    ...(depositContract === undefined ? {} : { DEPOSIT_CONTRACT_ADDRESS: depositContract }),
    WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS: WITHDRAWAL_QUEUE,
  };
}

/** Returns FORK_HASH of EIP-6122: the genesis hash and the passed forks (geth: `forkid.NewID`). */
function forkHash(genesisHash: Hex, past: readonly number[]): string {
  let sum = crc32(hexToBytes(genesisHash));
  for (const time of past) sum = crc32(u64be(time), sum);
  return `0x${sum.toString(16).padStart(8, '0')}`;
}
