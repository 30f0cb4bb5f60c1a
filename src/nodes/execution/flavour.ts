import { quantity } from '../../protocol/hex.ts';
import type { Chain } from './chain/chain.ts';
import { POOL_MANNERS, type PoolManners } from './pool/manners.ts';
import type { Progress } from './sync/backfill.ts';

/** Which of the two execution clients this process behaves as. */
export type FlavourName = 'rust' | 'go';

/** Every difference between the two, in one place; consensus rules have none. */
export interface Flavour {
  readonly name: FlavourName;
  /** Namespaces served where the options name none. */
  readonly defaultApi: readonly string[];
  /** Namespaces that the real client knows and this one serves nothing of: asked for, they are left out with a warning. */
  readonly unservedApi: readonly string[];
  /** How its transaction pool behaves. */
  readonly pool: PoolManners;
  /** `rpc_modules` exists. */
  readonly rpcModules: boolean;
  /** Transactions and logs carry the time of their block. */
  readonly blockTimestamp: boolean;
  /** Deposits carry a `yParity` beside `v`, as typed transactions do. */
  readonly depositYParity: boolean;
  /** Receipts of deposits carry the L1 fee fields too, with no fee. */
  readonly depositL1Fields: boolean;
  /** Deposits show `isSystemTx` also where it is false. */
  readonly showsSystemFlag: boolean;
  /** Undecodable raw transactions. */
  readonly undecodable: string;
  /** A block that a query names is not known. */
  readonly blockNotFound: { readonly code: number; readonly message: string };
  /** Answer of eth_syncing; `progress` while blocks are fetched from peers. */
  syncing(chain: Chain, progress: Progress | undefined): unknown;
  methodNotFound(method: string): string;
  clientVersion(version: string): string;
  /** Two letters for engine_getClientVersionV1. */
  readonly code: string;
}

const platform = `${process.platform}-${process.arch}/node${process.versions.node}`;

const rust: Flavour = {
  name: 'rust',
  defaultApi: ['eth', 'net', 'web3'],
  unservedApi: ['trace', 'rpc', 'ots', 'reth', 'flashbots', 'miner', 'mev'],
  pool: POOL_MANNERS.rust,
  rpcModules: false,
  blockTimestamp: true,
  depositYParity: true,
  depositL1Fields: true,
  showsSystemFlag: false,
  undecodable: 'failed to decode signed transaction',
  blockNotFound: { code: -32001, message: 'block not found' },
  syncing(chain, progress) {
    const { number } = chain.head.header;
    const { starting, current, highest } = progress ?? { starting: 0, current: number, highest: number };
    const stages = ['Headers', 'Bodies', 'Execution', 'MerkleExecute', 'Finish'];
    return {
      startingBlock: quantity(starting),
      currentBlock: quantity(current),
      highestBlock: quantity(highest),
      stages: stages.map((name) => ({ name, block: quantity(name === 'Headers' ? highest : current) })),
    };
  },
  methodNotFound: () => 'Method not found',
  clientVersion: (version) => `rollup-devnet/execution-rust/v${version}/${platform}`,
  code: 'XR',
};

const go: Flavour = {
  name: 'go',
  defaultApi: ['eth', 'net', 'web3'],
  unservedApi: ['rpc', 'miner', 'les', 'clique', 'personal'],
  pool: POOL_MANNERS.go,
  rpcModules: true,
  blockTimestamp: false,
  depositYParity: false,
  depositL1Fields: false,
  showsSystemFlag: false,
  undecodable: 'failed to decode signed transaction',
  blockNotFound: { code: -32000, message: 'header not found' },
  syncing: (_, progress) =>
    progress === undefined
      ? false
      : {
          startingBlock: quantity(progress.starting),
          currentBlock: quantity(progress.current),
          highestBlock: quantity(progress.highest),
        },
  methodNotFound: (method) => `the method ${method} does not exist/is not available`,
  clientVersion: (version) => `rollup-devnet/execution-go/v${version}/${platform}`,
  code: 'XG',
};

export const FLAVOURS: Readonly<Record<FlavourName, Flavour>> = { rust, go };
