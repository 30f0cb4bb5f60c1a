import type { Hex } from '../types.ts';

/**
 * Addresses that the protocol itself names, in lower case (op-core: `predeploys`, kona: `Predeploys`).
 * Specification: Predeploys, Preinstalls, Deposits.
 */
export const PREDEPLOYS = {
  legacyMessagePasser: '0x4200000000000000000000000000000000000000',
  deployerWhitelist: '0x4200000000000000000000000000000000000002',
  weth: '0x4200000000000000000000000000000000000006',
  l2CrossDomainMessenger: '0x4200000000000000000000000000000000000007',
  gasPriceOracle: '0x420000000000000000000000000000000000000f',
  l2StandardBridge: '0x4200000000000000000000000000000000000010',
  sequencerFeeVault: '0x4200000000000000000000000000000000000011',
  optimismMintableErc20Factory: '0x4200000000000000000000000000000000000012',
  l1BlockNumber: '0x4200000000000000000000000000000000000013',
  l2Erc721Bridge: '0x4200000000000000000000000000000000000014',
  l1Block: '0x4200000000000000000000000000000000000015',
  l2ToL1MessagePasser: '0x4200000000000000000000000000000000000016',
  optimismMintableErc721Factory: '0x4200000000000000000000000000000000000017',
  proxyAdmin: '0x4200000000000000000000000000000000000018',
  baseFeeVault: '0x4200000000000000000000000000000000000019',
  l1FeeVault: '0x420000000000000000000000000000000000001a',
  operatorFeeVault: '0x420000000000000000000000000000000000001b',
  schemaRegistry: '0x4200000000000000000000000000000000000020',
  eas: '0x4200000000000000000000000000000000000021',
  governanceToken: '0x4200000000000000000000000000000000000042',
} as const satisfies Record<string, Hex>;

/** Sender of the L1-attributes deposit (op-node: `L1InfoDepositerAddress`). */
export const L1_ATTRIBUTES_DEPOSITOR: Hex = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';

/**
 * Recipients of a transaction's fees (op-geth: `OptimismBaseFeeRecipient`, `OptimismL1FeeRecipient`).
 * Specification: Fee Vaults.
 */
export const FEE_RECIPIENTS = {
  priority: PREDEPLOYS.sequencerFeeVault,
  base: PREDEPLOYS.baseFeeVault,
  l1: PREDEPLOYS.l1FeeVault,
  operator: PREDEPLOYS.operatorFeeVault,
} as const;

/**
 * System contracts of Ethereum whose calls open a block (EIP-4788 and EIP-2935).
 * Counterparts in geth: `BeaconRootsAddress`, `HistoryStorageAddress`.
 */
export const BEACON_ROOTS_ADDRESS: Hex = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02';
export const HISTORY_STORAGE_ADDRESS: Hex = '0x0000f90827f1c53a10cb7a02335b175320002935';

/**
 * Storage slots of the L1Block predeploy (op-geth: `L1BaseFeeSlot`, `L1FeeScalarsSlot`, `OperatorFeeParamsSlot`).
 * Specification: L1 Attributes Predeployed Contract.
 */
export const L1_BLOCK_SLOTS = {
  numberAndTimestamp: 0,
  baseFee: 1,
  hash: 2,
  sequenceNumberAndScalars: 3,
  batcherHash: 4,
  l1FeeOverhead: 5,
  l1FeeScalar: 6,
  blobBaseFee: 7,
  operatorFee: 8,
} as const;
