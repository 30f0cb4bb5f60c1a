import { FORKS, type ForkSchedule } from '../../../protocol/forks/index.ts';
import { COMMON_OPTIONS, VERSION } from '../../../system/program/common-options.ts';
import {
  type OptionSpec,
  type OptionValues,
  option,
  type ParsedLine,
  parseOptions,
} from '../../../system/program/options.ts';
import { FLAVOUR_NAMES } from '../flavours/index.ts';
import { POOL_OPTIONS } from '../pool/options.ts';
import { RPC_OPTIONS } from './rpc-options.ts';
import { SUBMISSION_OPTIONS } from './submission-options.ts';

/** Options of both flavours. If their spellings differ, both are accepted. */
const TABLE = {
  // Block timestamps come with the payload attributes. The supervisor has the chain restore checkpoints.
  ...COMMON_OPTIONS,
  flavour: {
    name: 'flavour',
    env: 'FLAVOUR',
    help: 'Execution client to behave as',
    type: option.choice(...FLAVOUR_NAMES),
    default: FLAVOUR_NAMES[0],
  },
  chain: { name: 'chain', env: 'CHAIN', help: 'Genesis file; initialises an empty datadir', type: option.string },
  datadir: { name: 'datadir', env: 'DATADIR', help: 'Data directory', type: option.string, default: 'execution-data' },
  genesisCache: {
    name: 'genesis-cache',
    env: 'GENESIS_CACHE',
    help: 'Folder of initialised genesis states, shared by nodes of one machine',
    type: option.string,
  },
  http: { name: 'http', env: 'HTTP', help: 'Serve HTTP RPC', type: option.boolean, default: false },
  httpAddr: {
    name: 'http.addr',
    env: 'HTTP_ADDR',
    help: 'HTTP listen address',
    type: option.string,
    default: '127.0.0.1',
  },
  httpPort: { name: 'http.port', env: 'HTTP_PORT', help: 'HTTP port; 0: any', type: option.port, default: 8545 },
  httpApi: { name: 'http.api', env: 'HTTP_API', help: 'Namespaces over HTTP', type: option.list },
  httpCorsdomain: {
    name: 'http.corsdomain',
    env: 'HTTP_CORSDOMAIN',
    help: 'Origins that browsers may call from; *: all',
    type: option.list,
    default: [],
  },
  httpVhosts: {
    name: 'http.vhosts',
    env: 'HTTP_VHOSTS',
    help: 'Host names that are served; *: all',
    type: option.list,
    default: ['localhost'],
  },
  ws: { name: 'ws', env: 'WS', help: 'Serve WebSocket RPC', type: option.boolean, default: false },
  wsAddr: {
    name: 'ws.addr',
    env: 'WS_ADDR',
    help: 'WebSocket listen address',
    type: option.string,
    default: '127.0.0.1',
  },
  wsPort: { name: 'ws.port', env: 'WS_PORT', help: 'WebSocket port; 0: any', type: option.port, default: 8546 },
  wsApi: { name: 'ws.api', env: 'WS_API', help: 'Namespaces over WebSocket', type: option.list },
  wsOrigins: {
    name: 'ws.origins',
    env: 'WS_ORIGINS',
    help: 'Origins that WebSocket connections may come from; *: all',
    type: option.list,
    default: [],
  },
  authAddr: {
    name: 'authrpc.addr',
    env: 'AUTHRPC_ADDR',
    help: 'Listen address of the Engine API',
    type: option.string,
    default: '127.0.0.1',
  },
  authPort: {
    name: 'authrpc.port',
    env: 'AUTHRPC_PORT',
    help: 'Port of the Engine API; 0: any',
    type: option.port,
    default: 8551,
  },
  authSecret: {
    name: 'authrpc.jwtsecret',
    env: 'AUTHRPC_JWTSECRET',
    help: 'File of the JWT secret; created if absent, an error if empty',
    type: option.string,
    defaultText: 'jwt.hex in the datadir',
  },
  authVhosts: {
    name: 'authrpc.vhosts',
    env: 'AUTHRPC_VHOSTS',
    help: 'Host names that the Engine API serves; *: all',
    type: option.list,
    default: ['localhost'],
  },
  ...SUBMISSION_OPTIONS,
  syncPeers: {
    name: 'sync.peers',
    env: 'SYNC_PEERS',
    help: 'HTTP RPC URLs of execution clients to fetch missing blocks from (namespace debug), comma-separated',
    type: option.list,
    default: [],
  },
  builderOrder: {
    name: 'builder.order',
    env: 'BUILDER_ORDER',
    help: 'Order of pool transactions in a block; sender: by address, from the pool of the time of getPayload',
    type: option.choice('best-tip', 'sender'),
    default: 'best-tip',
  },
  disablePoolGossip: {
    name: 'rollup.disable-tx-pool-gossip',
    help: 'Accepted for compatibility: execution clients here do not gossip transactions',
    type: option.boolean,
    default: true,
  },
  disablePoolGossipGo: {
    name: 'rollup.disabletxpoolgossip',
    help: 'The same, in the go client’s spelling',
    type: option.boolean,
    default: true,
  },
  gcmode: {
    name: 'gcmode',
    help: 'States that the go flavour answers from: all, or those of the last 128 blocks (all stay on disk)',
    type: option.choice('archive', 'full'),
    default: 'archive',
  },
  syncmode: {
    name: 'syncmode',
    help: 'Blocks come from the rollup node in full',
    type: option.choice('full'),
    default: 'full',
  },
  ...POOL_OPTIONS,
  ...RPC_OPTIONS,
} as const;

/** Options of `dump`, in geth's spelling. */
const DUMP_TABLE = {
  iterative: { name: 'iterative', help: 'One JSON document per line', type: option.boolean, default: false },
  nocode: { name: 'nocode', help: 'Leave out code', type: option.boolean, default: false },
  nostorage: { name: 'nostorage', help: 'Leave out storage', type: option.boolean, default: false },
} as const;

/** Values of the options of `dump`. */
export type DumpValues = Values & ParsedLine<typeof DUMP_TABLE>['values'];
/** Values of the options that all commands share. */
export type Values = ParsedLine<typeof TABLE>['values'];

/** One `--override.<fork>=TIME` option per fork, for example `--override.isthmus=1700000000`. */
const OVERRIDES: Readonly<Record<string, OptionSpec>> = Object.fromEntries(
  FORKS.flatMap(({ name, genesisKey, override, label }) => {
    if (genesisKey === null || override === null) return [];
    const env = `OVERRIDE_${name.toUpperCase()}`;
    const help = `Time at which ${label} activates on this node, Unix seconds`;
    return [[overrideKey(name), { name: override, env, help, type: option.natural }]];
  }),
);

function overrideKey(fork: string): string {
  return `override:${fork}`;
}

/** A parsed command line. */
export interface Line<Read extends Values = Values> {
  readonly values: Read;
  readonly overrides: ForkSchedule;
  readonly operands: readonly string[];
}

/** Parses arguments and environment of the program. @throws Failure usage, help */
export function readOptions(argv: readonly string[], env: NodeJS.ProcessEnv): Line {
  return readLine(argv, env, {});
}

/** Parses the arguments of `dump` and the environment. @throws Failure usage, help */
export function readDumpOptions(argv: readonly string[], env: NodeJS.ProcessEnv): Line<DumpValues> {
  return readLine(argv, env, DUMP_TABLE);
}

function readLine<More extends Readonly<Record<string, OptionSpec>>>(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  more: More,
): Line<Values & OptionValues<More>> {
  const line = {
    name: 'execution-client',
    version: VERSION,
    summary: [
      'Execution client of an OP-Stack rollup: EVM, Engine API and JSON-RPC.',
      'Without a command it runs the client. Commands, each with the same options:',
      '  init GENESIS                 writes the genesis block into the datadir',
      '  import FILE…                 executes the blocks of chain files (RLP; .gz too)',
      '  export FILE [FIRST LAST]     writes the canonical chain into a file; a range is appended',
      '  rewind NUMBER                rewinds the chain to a block and removes the blocks above it',
      '  dump [NUMBER|HASH]           prints the state after a block as JSON (--iterative, --nocode, --nostorage)',
    ].join('\n'),
    envPrefixes: ['EXECUTION_CLIENT_'],
  };
  const { values, operands } = parseOptions(line, { ...TABLE, ...OVERRIDES, ...more }, argv, env);
  const all: Values & OptionValues<More> & Readonly<Record<string, unknown>> = values;
  const overrides = Object.fromEntries(
    FORKS.flatMap(({ name }) => {
      const time = all[overrideKey(name)];
      return typeof time === 'number' ? [[name, time] as const] : [];
    }),
  );
  return { values: all, overrides, operands };
}

/** Returns the datadir and the genesis cache of a command line. */
export function datadirOptions(values: Values): { readonly datadir: string; readonly genesisCache?: string } {
  const { datadir, genesisCache } = values;
  return { datadir, ...(genesisCache === undefined ? {} : { genesisCache }) };
}
