import type { Hex, L1Header, RollupConfig } from '../types.ts';
import type { EvmLevel } from './evm-level.ts';

export type { EvmLevel };

/**
 * The rules in force at a time of the chain, one for each behaviour that some fork swaps.
 * Counterparts: `rollup.ChainSpec` (op-node), `params.Rules` (geth).
 * Consumers ask for the rule, never "is fork X active?". Rules are named for what they do, never for a fork. A fork
 * (one file in `../forks`) is data plus the rules that it replaces. `rulesAt` overlays the active forks.
 */
export interface Rules {
  /** Name of the newest active fork, for messages only. */
  readonly fork: string;
  /** The Ethereum fork whose EVM executes. */
  readonly evm: EvmLevel;
  readonly precompiles: PrecompileRules;
  readonly header: HeaderRules;
  readonly extraData: ExtraDataRules;
  readonly eip1559: Eip1559Rules;
  readonly baseFee: BaseFeeRules;
  readonly deposit: DepositRules;
  /** Rules of an L1 chain; null on a rollup. */
  readonly ethereum: EthereumRules | null;
  readonly l1Fee: L1FeeModel;
  readonly operatorFee: OperatorFeeModel;
  readonly daFootprint: DaFootprintRules;
  readonly l1Attributes: L1AttributesCodec;
  readonly l1BlobFee: L1BlobFeeRules;
  readonly channels: ChannelRules;
  readonly batches: BatchRules;
  readonly attributes: AttributesRules;
  readonly engine: EngineVersions;
  readonly gossip: GossipRules;
}

/** Rules of precompiles, and the gas cap of a transaction. */
export interface PrecompileRules {
  /** Largest accepted input in bytes by precompile address (lower-case, 20 bytes); longer input fails the call. */
  readonly inputLimits: Readonly<Record<Hex, number>>;
  /** Gas of P256VERIFY at 0x100; absent: no such precompile. */
  readonly p256VerifyGas?: number;
  /** Largest gas limit of a non-deposit transaction (EIP-7825); absent: only the block's. */
  readonly transactionGasCap?: number;
}

/** Rules of the header's optional fields. */
export interface HeaderRules {
  /**
   * Source of the header's withdrawalsRoot.
   * None, the empty trie, the storage root of L2ToL1MessagePasser, or the block's withdrawals list (Ethereum).
   */
  readonly withdrawalsRoot: 'absent' | 'empty' | 'message-passer' | 'list';
  /** parentBeaconBlockRoot, blobGasUsed and excessBlobGas are present (and the EIP-4788 system call is made). */
  readonly beaconRoot: boolean;
  /** requestsHash is present, on a rollup always sha256('') (and the EIP-2935 system call is made). */
  readonly requestsHash: boolean;
}

/**
 * Dynamic EIP-1559 parameters of the header's extraData. Zero denominator and elasticity select the chain's constants.
 */
export interface Eip1559Params {
  readonly denominator: number;
  readonly elasticity: number;
  /** wei */
  readonly minBaseFee: number;
}

/**
 * EIP-1559 constants of the chain, as `chain_op_config` in rollup.json and `config.optimism` in genesis.json.
 * Counterparts: `params.OptimismConfig` (op-geth), `BaseFeeConfig` (kona).
 */
export type ChainOpConfig = NonNullable<RollupConfig['chain_op_config']>;

/** Rules of the EIP-1559 constants. */
export interface Eip1559Rules {
  /**
   * Returns the chain's constants. The rules are those of the block whose base fee or extraData is computed.
   * Without config they are those of the mainnets.
   */
  constants(chain: ChainOpConfig | undefined): Eip1559Params;
}

/** Rules of the header's extraData. */
export interface ExtraDataRules {
  /** Bytes of a valid extraData; 0: must be empty. */
  readonly length: number;
  /** Encodes header extraData from payload attributes; zero params take `constants`. */
  encode(params: Eip1559Params, constants: Eip1559Params): Hex;
  /** Decodes header extraData; null if the rules keep nothing in it. @throws ProtocolError on a malformed value */
  decode(extraData: Hex): Eip1559Params | null;
}

/** Fields of a parent from which the base fee of its child is computed. */
export interface BaseFeeParent {
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  readonly blobGasUsed: bigint;
  readonly baseFeePerGas: bigint;
  readonly extraData: Hex;
}

/** Rules of the base fee. */
export interface BaseFeeRules {
  /** Computes the child's base fee (wei). The rules are those at the parent's time, but `constants` are the child's. */
  next(parent: BaseFeeParent, constants: Eip1559Params): bigint;
}

/**
 * Rules of Ethereum itself.
 * The base fee is burnt, blob transactions run, deposits do not, and the gas limit moves by less than a 1024th per
 * block. A rollup has none of these rules.
 */
export interface EthereumRules {
  /** Withdrawals of the beacon chain are credited (EIP-4895). */
  readonly withdrawals: boolean;
  /** Blob transactions (EIP-4844); null before them. */
  readonly blobs: BlobParameters | null;
  /** Execution requests are collected (EIP-6110, 7002, 7251, 7685). */
  readonly requests: boolean;
  /** Largest RLP of a block (EIP-7934); absent: any. */
  readonly maxBlockBytes?: number;
}

/** Blobs of a block, and how fast their base fee moves (geth: `params.BlobConfig`, alloy: `BlobParams`). */
export interface BlobCounts {
  readonly target: number;
  readonly max: number;
  readonly updateFraction: bigint;
}

/** Blob parameters of an Ethereum fork. */
export interface BlobParameters extends BlobCounts {
  readonly maxPerTransaction: number;
  /** Blob gas does not get cheaper while execution costs more (EIP-7918). */
  readonly reservePrice: boolean;
  /** Sidecars have proofs of the blobs' cells (EIP-7594). */
  readonly cellProofs: boolean;
}

/** Rules of deposit transactions. */
export interface DepositRules {
  /** Consensus encoding of deposit receipts carries nonce and version 1. */
  readonly receiptVersion: boolean;
  /**
   * Deposits are metered like other transactions (regolith).
   * Before, user deposits use their whole gas limit and system deposits none.
   */
  readonly metered: boolean;
}

/** Storage words of the L1Block predeploy by slot number, read after the block's L1-attributes transaction. */
export type L1BlockStorage = (slot: number) => bigint;

/** Model of the L1 data fee (op-geth: `NewL1CostFunc`). */
export interface L1FeeModel {
  /** Reads the parameters once per block; null: no L1 fee under these rules. */
  read(storage: L1BlockStorage): L1FeeParameters | null;
}

/** Parameters of the L1 data fee in one block. */
export interface L1FeeParameters {
  /** Computes the L1 data fee (wei) and the L1 gas of one encoded transaction (EIP-2718 bytes). */
  cost(transaction: Uint8Array): { readonly fee: bigint; readonly gasUsed: bigint };
  /**
   * Returns the receipt fields of the parameters, as JSON-RPC values (l1GasPrice, l1BaseFeeScalar, … or l1FeeScalar).
   */
  readonly receiptFields: Readonly<Record<string, string>>;
}

/** Model of the operator fee (op-geth: `NewOperatorCostFunc`). */
export interface OperatorFeeModel {
  /** Reads the parameters once per block; null: no operator fee under these rules. */
  read(storage: L1BlockStorage): OperatorFeeParameters | null;
}

/** Parameters of the operator fee in one block. */
export interface OperatorFeeParameters {
  /** Computes the fee (wei) for an amount of gas. */
  cost(gas: bigint): bigint;
  readonly receiptFields: Readonly<Record<string, string>>;
}

/** Rules of the data-availability footprint (op-geth, op-core: `CalcDAFootprint`). */
export interface DaFootprintRules {
  /**
   * Reads the parameters once per block; null if blocks have no footprint.
   * `footprint` is in gas, of one encoded non-deposit transaction.
   */
  read(
    storage: L1BlockStorage,
  ): { footprint(transaction: Uint8Array): number; readonly receiptFields: Readonly<Record<string, string>> } | null;
}

/**
 * The values of an L1-attributes deposit, all versions together (op-node: `L1BlockInfo`, kona: `L1BlockInfoTx`).
 * Fields that a version lacks are zero.
 */
export interface L1BlockInfo {
  readonly number: number;
  readonly timestamp: number;
  readonly baseFee: bigint;
  readonly hash: Hex;
  readonly sequenceNumber: number;
  readonly batcherAddr: Hex;
  /** Before ecotone. */
  readonly l1FeeOverhead: Hex;
  readonly l1FeeScalar: Hex;
  /** From ecotone on. */
  readonly baseFeeScalar: number;
  readonly blobBaseFeeScalar: number;
  readonly blobBaseFee: bigint;
  /** From isthmus on. */
  readonly operatorFeeScalar: number;
  readonly operatorFeeConstant: bigint;
  /** From jovian on. */
  readonly daFootprintGasScalar: number;
}

/** Encoding of one version of the L1 attributes. */
export interface L1AttributesCodec {
  readonly selector: Hex;
  /** Encodes the calldata of the L1-attributes deposit. */
  encode(info: L1BlockInfo): Uint8Array;
  /** Decodes calldata of this version. @throws ProtocolError if the calldata is not of this version */
  decode(calldata: Uint8Array): L1BlockInfo;
  /** Gas limit and isSystemTransaction of the deposit. */
  readonly gas: number;
  readonly isSystemTransaction: boolean;
}

/** Blob base fee update fraction that L1 itself uses at a header, from its chain's blob schedule (EIP-7840). */
export type L1BlobSchedule = (header: L1Header) => bigint;

/** Rules of the blob base fee in L1 attributes. */
export interface L1BlobFeeRules {
  /**
   * Returns the blob base fee (wei) of an L1 origin for the L1 attributes; 1 if L1 has no blobs.
   * The rules are those at the origin's time.
   */
  blobBaseFee(origin: L1Header, schedule: L1BlobSchedule): bigint;
}

/** Rules of channels (op-node: `ChainSpec`). */
export interface ChannelRules {
  /**
   * Stages by L1 inclusion time: `bank` is ChannelBank and BatchQueue; `assembler` is ChannelAssembler and BatchStage
   * (holocene).
   */
  readonly stages: 'bank' | 'assembler';
  /** Returns the channel timeout in L1 blocks (op-node: `ChannelTimeout`). */
  timeout(config: RollupConfig): number;
  /** Most bytes of a decompressed channel (op-node: `MaxRLPBytesPerChannel`). */
  readonly maxRlpBytes: number;
  /** Most bytes of all buffered channels (op-node: `MaxChannelBankSize`). */
  readonly maxBankBytes: number;
  /** Any ready channel may be read (canyon), not only the first. */
  readonly readAnyReady: boolean;
  readonly brotli: boolean;
}

/** Rules of batches (op-node: `ChainSpec`). */
export interface BatchRules {
  readonly span: boolean;
  /** Transaction types that a batch may carry besides legacy (0). */
  readonly transactionTypes: readonly number[];
  /** Returns the sequencer drift in seconds, by L1 origin time (op-node: `MaxSequencerDrift`). */
  maxSequencerDrift(config: RollupConfig): number;
  readonly blobs: boolean;
}

/** Rules of payload attributes. */
export interface AttributesRules {
  readonly withdrawals: boolean;
  readonly parentBeaconBlockRoot: boolean;
  readonly eip1559Params: boolean;
  readonly minBaseFee: boolean;
  /** On an INVALID payload the same attributes are tried with deposits only (holocene). */
  readonly depositsOnlyOnInvalid: boolean;
  /** Encoding of the scalars in the system config after an L1 ConfigUpdate. */
  readonly scalarEncoding: 'overhead' | 'packed';
}

/**
 * Method versions of the Engine API (op-node: `ForkchoiceUpdatedVersion`, `NewPayloadVersion`, `GetPayloadVersion`).
 */
export interface EngineVersions {
  readonly forkchoiceUpdated: 1 | 2 | 3;
  readonly newPayload: 2 | 3 | 4;
  readonly getPayload: 2 | 3 | 4 | 5;
}

/** Rules of block gossip. */
export interface GossipRules {
  /** Topic `/optimism/<chainId>/<version-1>/blocks`. */
  readonly version: 1 | 2 | 3 | 4;
}
