import type {
  Chain,
  ChainContract,
  Hex,
  HttpTransport,
  PrivateKeyAccount,
  PublicClient,
  TestClient,
  WalletClient,
} from 'viem';
import type { PublicActionsL1, PublicActionsL2, WalletActionsL1, WalletActionsL2 } from 'viem/op-stack';
import type { L1Reorg, L1Stall } from '../../orchestrator/change/l1.ts';

/** viem's definition of L1, with the preinstalled contracts. */
export type L1Chain = Chain & { readonly contracts: Readonly<Record<string, ChainContract>> };

/** A contract on L1 as viem's op-stack actions look it up: by the chain id of L1. */
export type OnL1 = Readonly<Record<number, ChainContract>>;

/** viem's definition of a rollup: op-stack formatters, predeploys, and its contracts on L1. */
export type RollupChain = Chain & {
  /** Chain id of L1. */
  readonly sourceId: number;
  readonly contracts: {
    readonly portal: OnL1;
    readonly l1StandardBridge: OnL1;
    readonly l1CrossDomainMessenger: OnL1;
    readonly systemConfig: OnL1;
    /** Of the system `output-oracle`. A call to it fails if the chain has the other system. */
    readonly l2OutputOracle: OnL1;
    /** Of the system `dispute-games`. A call to it fails if the chain has the other system. */
    readonly disputeGameFactory: OnL1;
  };
};

/** What a network can have its L1 do. */
export interface L1Weather {
  /**
   * Replaces the newest blocks by others in the same slots. Their transactions are sent again, without those of `drop`.
   * @throws DevnetError `l1` if a block of them is final, or if they are not there
   */
  reorg(blocks: number, options?: { readonly drop?: readonly Hex[] }): Promise<L1Reorg>;
  /**
   * Makes no block for some milliseconds of the network's clock, or until `resume`, while time goes on. Resolves when
   * the stall has begun. @throws DevnetError `l1` if it is stalled already
   */
  stall(ms?: number): Promise<L1Stall>;
  /**
   * Lets the safe and the finalized block of L1 stand still for the network's processes, or go on. Returns the number
   * of the block that stays final. @throws DevnetError if the network has no links (`faults: true`)
   */
  finality(action: 'stop' | 'go'): Promise<number | undefined>;
  /** Ends the stall: the next block is that of the next slot. @throws DevnetError `l1` if there is none */
  resume(): Promise<void>;
}

/** Clients and accounts of L1. */
export interface L1 extends L1Weather {
  /** JSON-RPC over HTTP. */
  readonly rpc: string;
  readonly ws: string;
  /** The beacon API. */
  readonly beacon: string;
  readonly chain: L1Chain;
  /** The funded accounts. Their keys are public: never send real value to them. */
  readonly accounts: readonly PrivateKeyAccount[];
  /** Public client with viem's op-stack actions for L1. */
  readonly public: PublicClient<HttpTransport, L1Chain> & PublicActionsL1<L1Chain>;
  /** Wallet client of the first account, with viem's op-stack actions for L1. */
  readonly wallet: L1Wallet;
  /** Test client. Whatever moves time or makes blocks moves the clock of the whole network. */
  readonly test: TestClient<'anvil', HttpTransport, L1Chain>;
  /** Returns the wallet client of another account: an index of `accounts`, or an account of yours. */
  walletOf(account: number | PrivateKeyAccount): L1Wallet;
}

/** A wallet on L1 with viem's op-stack actions. */
export type L1Wallet = WalletClient<HttpTransport, L1Chain, PrivateKeyAccount> &
  WalletActionsL1<L1Chain, PrivateKeyAccount>;

/** A wallet on a rollup with viem's op-stack actions. */
export type RollupWallet = WalletClient<HttpTransport, RollupChain, PrivateKeyAccount> &
  WalletActionsL2<RollupChain, PrivateKeyAccount>;

/** A client for reading a rollup, with viem's op-stack actions. */
export type RollupClient = PublicClient<HttpTransport, RollupChain> & PublicActionsL2<RollupChain>;

/** Clients and accounts of a rollup, at its sequencer. */
export interface Rollup {
  readonly name: string;
  /** JSON-RPC of the sequencer's execution client over HTTP. */
  readonly rpc: string;
  readonly ws: string;
  readonly chain: RollupChain;
  /** The funded accounts. Their keys are public: never send real value to them. */
  readonly accounts: readonly PrivateKeyAccount[];
  /** Names of its nodes, the sequencer among them. */
  readonly nodes: readonly string[];
  readonly public: RollupClient;
  /** Wallet client of the first account. */
  readonly wallet: RollupWallet;
  /**
   * Test client. `mine` and `increaseTime` warp the network, `setBalance` upward is a deposit. Every other method that
   * changes state throws `UnsupportedError`.
   */
  readonly test: TestClient<'anvil', HttpTransport, RollupChain>;
  /** Returns the wallet client of another account: an index of `accounts`, or an account of yours. */
  walletOf(account: number | PrivateKeyAccount): RollupWallet;
}
