/**
 * Types of the rollup protocol, named as in the specification. Wei are bigint. The uint64 fields of headers, payloads
 * and attributes are bigint too, except block numbers. Every other value below 2^53 is a number.
 */

/** `0x`-prefixed hex data, lower case. */
export type Hex = `0x${string}`;

/** Unix seconds; a header's are bigint, because they are uint64. */
export type Seconds = number | bigint;

/** Hash and number of a block (op-service: `BlockID`). */
export interface BlockId {
  readonly hash: Hex;
  readonly number: number;
}

/** A reference to an L1 block (op-service: `L1BlockRef`, kona: `BlockInfo`). `timestamp` in Unix seconds. */
export interface L1BlockRef extends BlockId {
  readonly parentHash: Hex;
  readonly timestamp: number;
}

/**
 * A reference to an L2 block (op-service: `L2BlockRef`, kona: `L2BlockInfo`).
 * `l1origin` is the epoch's L1 block, `sequenceNumber` the distance to the epoch's first block.
 */
export interface L2BlockRef extends L1BlockRef {
  readonly l1origin: BlockId;
  readonly sequenceNumber: number;
}

/** The header fields of an L1 block that derivation reads (op-service: `BlockInfo`). */
export interface L1Header extends L1BlockRef {
  readonly mixHash: Hex;
  readonly baseFeePerGas: bigint;
  readonly excessBlobGas?: number;
  readonly parentBeaconBlockRoot?: Hex;
  readonly requestsHash?: Hex;
}

/** A log of a transaction receipt. */
export interface Log {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** Counted over all logs of the block. */
  readonly logIndex: number;
  readonly transactionHash?: Hex;
}

/** The fields of an L1 receipt that derivation reads. */
export interface L1Receipt {
  readonly transactionHash: Hex;
  /** true if the transaction succeeded */
  readonly status: boolean;
  readonly logs: readonly Log[];
}

/** The fields of an L1 transaction that derivation reads. */
export interface L1Transaction {
  readonly hash: Hex;
  readonly type: number;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly input: Hex;
  /** Of type 3 transactions. */
  readonly blobVersionedHashes?: readonly Hex[];
}

/**
 * The system configuration in force at an L2 block, as rollup.json spells it (op-service, kona: `SystemConfig`).
 * Specification: System Config.
 */
export interface SystemConfig {
  readonly batcherAddr: Hex;
  readonly overhead: Hex;
  readonly scalar: Hex;
  readonly gasLimit: number;
  /** 8 bytes: u32 denominator, u32 elasticity; zero: the chain's constants. */
  readonly eip1559Params: Hex;
  /** 32 bytes: u32 scalar at [20..24), u64 constant at [24..32). */
  readonly operatorFeeParams: Hex;
  readonly minBaseFee: number;
  readonly daFootprintGasScalar: number;
}

/**
 * rollup.json, keys as op-node reads and writes them (op-node: `rollup.Config`, kona: `RollupConfig`).
 * Fork times: `<fork>_time`, see forks.
 */
export interface RollupConfig {
  readonly genesis: {
    readonly l1: BlockId;
    readonly l2: BlockId;
    readonly l2_time: number;
    readonly system_config: SystemConfig;
  };
  readonly block_time: number;
  readonly max_sequencer_drift: number;
  readonly seq_window_size: number;
  readonly channel_timeout: number;
  readonly l1_chain_id: number;
  readonly l2_chain_id: number;
  readonly batch_inbox_address: Hex;
  readonly deposit_contract_address: Hex;
  readonly l1_system_config_address: Hex;
  readonly protocol_versions_address?: Hex;
  readonly chain_op_config?: {
    readonly eip1559Elasticity: number;
    readonly eip1559Denominator: number;
    readonly eip1559DenominatorCanyon?: number;
  };
  /** The batcher's data is on a DA server, L1 has commitments to it (op-node: `AltDAConfig`). Windows in L1 blocks. */
  readonly alt_da?: {
    readonly da_commitment_type: 'KeccakCommitment' | 'GenericCommitment';
    /** Of keccak commitments. */
    readonly da_challenge_contract_address?: Hex;
    readonly da_challenge_window: number;
    readonly da_resolve_window: number;
  };
  readonly [forkTime: `${string}_time`]: number | undefined;
  /** The gas of the fork's upgrade transactions stays in the gas limit after the activation block. */
  readonly [keptGas: `keep_${string}_upgrade_gas`]: boolean | undefined;
}

/** A withdrawal of the beacon chain (EIP-4895); a rollup has none. */
export interface Withdrawal {
  readonly index: bigint;
  readonly validatorIndex: bigint;
  readonly address: Hex;
  /** gwei */
  readonly amount: bigint;
}

/**
 * Engine API payload attributes with the rollup's additions (op-service: `PayloadAttributes`).
 * Specification: Extended PayloadAttributes.
 */
export interface PayloadAttributes {
  readonly timestamp: bigint;
  readonly prevRandao: Hex;
  readonly suggestedFeeRecipient: Hex;
  /** From canyon on, on a rollup always empty. */
  readonly withdrawals?: readonly Withdrawal[];
  /** From ecotone on. */
  readonly parentBeaconBlockRoot?: Hex;
  /** Encoded transactions forced into the block, deposits first. */
  readonly transactions: readonly Hex[];
  readonly noTxPool: boolean;
  readonly gasLimit: bigint;
  /** From holocene on, 8 bytes. */
  readonly eip1559Params?: Hex;
  /** From jovian on, wei. */
  readonly minBaseFee?: number;
}

/** Engine API execution payload; the optional fields are present by fork. */
export interface ExecutionPayload {
  readonly parentHash: Hex;
  readonly feeRecipient: Hex;
  readonly stateRoot: Hex;
  readonly receiptsRoot: Hex;
  readonly logsBloom: Hex;
  readonly prevRandao: Hex;
  readonly blockNumber: number;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  readonly timestamp: bigint;
  readonly extraData: Hex;
  readonly baseFeePerGas: bigint;
  readonly blockHash: Hex;
  readonly transactions: readonly Hex[];
  readonly withdrawals?: readonly Withdrawal[];
  readonly blobGasUsed?: bigint;
  readonly excessBlobGas?: bigint;
  readonly withdrawalsRoot?: Hex;
}

/** A payload with the fields that are sent beside it (Engine API V3 and later; gossip topics from v3). */
export interface ExecutionPayloadEnvelope {
  readonly executionPayload: ExecutionPayload;
  readonly parentBeaconBlockRoot?: Hex;
}

/**
 * One entry of an upgrade bundle file (op-node: `networkUpgradeTransaction`).
 * The file is in the JSON format for network upgrade transactions that karst introduced.
 */
export interface UpgradeTransaction {
  readonly intent: string;
  readonly from: Hex;
  /** null creates a contract. */
  readonly to: Hex | null;
  readonly gasLimit: number;
  readonly data: Hex;
}

/** An upgrade bundle file (op-node: `nutBundle`). */
export interface UpgradeBundle {
  readonly metadata: { readonly version: string; readonly [key: string]: unknown };
  readonly transactions: readonly UpgradeTransaction[];
}
