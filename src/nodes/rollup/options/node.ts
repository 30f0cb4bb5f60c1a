import { option } from '../../../system/program/options.ts';

/** Files of the rollup, and the RPC server (interface, section 4.4; op-node: `RPCConfig`, `NewSyncConfig`). */
export const nodeOptions = {
  rollupConfig: {
    name: 'rollup.config',
    env: 'ROLLUP_CONFIG',
    help: 'rollup chain parameters (rollup.json)',
    type: option.string,
  },
  l1ChainConfig: {
    name: 'rollup.l1-chain-config',
    env: 'ROLLUP_L1_CHAIN_CONFIG',
    help: "L1 chain configuration or genesis file, for L1's blob schedule",
    type: option.string,
  },
  upgradeBundles: {
    name: 'rollup.upgrade-bundles',
    env: 'ROLLUP_UPGRADE_BUNDLES',
    help: 'folder with <fork>.json, the upgrade transactions of forks that activate after genesis',
    type: option.string,
  },
  syncMode: {
    name: 'syncmode',
    env: 'SYNCMODE',
    help: 'how a fresh node syncs: by derivation and gossip, or by the peers of its execution client',
    type: option.choice('consensus-layer', 'execution-layer'),
    default: 'consensus-layer' as const,
  },
  safedb: {
    name: 'safedb.path',
    env: 'SAFEDB_PATH',
    help: 'file of the safe head at each L1 block: one line per L1 block, never pruned, as in op-node',
    type: option.string,
    defaultText: 'disabled',
  },
  withdrawalRootFromState: {
    name: 'fetch-withdrawal-root-from-state',
    env: 'FETCH_WITHDRAWAL_ROOT_FROM_STATE',
    help: 'read the withdrawal root from state, not from the header',
    type: option.boolean,
    default: false,
  },
  snapshotLog: {
    name: 'snapshotlog.file',
    env: 'SNAPSHOT_LOG',
    help: 'file that gets a JSON line with all heads whenever one moves',
    type: option.string,
  },
  sequencerApi: {
    name: 'experimental.sequencer-api',
    env: 'EXPERIMENTAL_SEQUENCER_API',
    help: 'serve the opstack methods, by which a test sequencer makes blocks step by step',
    type: option.boolean,
    default: false,
  },
  rpcAddr: { name: 'rpc.addr', env: 'RPC_ADDR', help: 'RPC listen address', type: option.string, default: '0.0.0.0' },
  rpcPort: { name: 'rpc.port', env: 'RPC_PORT', help: 'RPC listen port; 0: any', type: option.port, default: 9545 },
  rpcAdmin: {
    name: 'rpc.enable-admin',
    env: 'RPC_ENABLE_ADMIN',
    help: 'serve the admin methods',
    type: option.boolean,
    default: false,
  },
  adminState: {
    name: 'rpc.admin-state',
    env: 'RPC_ADMIN_STATE',
    help: 'file that keeps what admin methods changed',
    type: option.string,
    defaultText: 'disabled',
  },
} as const;
