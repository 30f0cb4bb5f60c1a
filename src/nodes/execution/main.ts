import { join } from 'node:path';
import { readOrCreateJwtSecret } from '../../system/crypto/jwt-secret.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { channelOf, loggerOf, VERSION } from '../../system/program/common-options.ts';
import { type Running, runUntilSignal } from '../../system/program/program.ts';
import { openChain } from './chain/datadir.ts';
import { prepareCrypto } from './evm/crypto.ts';
import { FLAVOURS } from './flavours/index.ts';
import { datadirOptions, readOptions, type Values } from './options/options.ts';
import { poolOptionsOf } from './options/pool-options.ts';
import { limitsOf } from './options/rpc-options.ts';
import { receiptTimeoutsOf, submissionOptionsOf } from './options/submission-options.ts';

const NAME = 'execution-client';

type Command = (argv: string[], env: NodeJS.ProcessEnv) => Promise<Running | undefined>;

/** Commands by their first word. Each is loaded when it runs. */
const COMMANDS: Readonly<Record<string, Command>> = {
  init: async (argv, env) => (await import('./commands/init.ts')).initCommand(argv, env),
  import: async (argv, env) => (await import('./commands/chain-commands.ts')).importCommand(argv, env),
  export: async (argv, env) => (await import('./commands/chain-commands.ts')).exportCommand(argv, env),
  rewind: async (argv, env) => (await import('./commands/chain-commands.ts')).rewindCommand(argv, env),
  replay: async (argv) => (await import('./commands/replay.ts')).replayCommand(argv),
  dump: async (argv, env) => (await import('./commands/chain-commands.ts')).dumpCommand(argv, env),
};

/** Runs the execution client until a signal stops it. Returns the exit code. */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [word = ''] = argv;
  const command = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
  return runUntilSignal(NAME, () => (command === undefined ? start(argv, env) : command(argv.slice(1), env)));
}

/** Opens the chain of the datadir and starts the node (geth: `makeFullNode`). */
async function start(argv: string[], env: NodeJS.ProcessEnv): Promise<Running> {
  const { values, overrides, operands } = readOptions(argv, env);
  if (operands.length > 0)
    throw new Failure('usage', `${NAME}: unknown argument ${operands[0]}`, {
      exit: EXIT.usage,
      hint: `${NAME} --help lists the options`,
    });
  const log = loggerOf(values);
  const warn = (message: string) => log.warn(message);
  const flavour = FLAVOURS[values.flavour];
  const [{ startNode }] = await Promise.all([import('./node.ts'), prepareCrypto()]);
  const chain = openChain({
    ...datadirOptions(values),
    ...(values.chain === undefined ? {} : { genesis: values.chain }),
    overrides,
    executes: true,
    warn,
    ...(values.gcmode === 'full' && flavour.pruned !== undefined ? { stateRetention: flavour.pruned } : {}),
  });
  const node = await startNode({
    order: values.builderOrder,
    channel: channelOf(values),
    chain,
    flavour,
    log,
    version: VERSION,
    pool: poolOptionsOf(values, flavour.pool, values.datadir),
    limits: limitsOf(values, flavour),
    engine: {
      host: values.authAddr,
      port: values.authPort,
      virtualHosts: values.authVhosts,
      jwtSecret: readOrCreateJwtSecret(values.authSecret || join(values.datadir, 'jwt.hex'), warn),
    },
    ...(values.http
      ? {
          http: {
            host: values.httpAddr,
            port: values.httpPort,
            api: values.httpApi ?? flavour.defaultApi,
            corsOrigins: values.httpCorsdomain,
            virtualHosts: values.httpVhosts,
          },
        }
      : {}),
    ...(values.ws
      ? {
          websocket: {
            host: values.wsAddr,
            port: values.wsPort,
            api: values.wsApi ?? flavour.defaultApi,
            corsOrigins: values.wsOrigins,
            virtualHosts: values.httpVhosts,
          },
        }
      : {}),
    peers: peersOf(values),
    submission: submissionOptionsOf(values, flavour.pool),
    conditional: values.conditionalGo || values.conditionalRust,
    receiptTimeouts: receiptTimeoutsOf(values, flavour.pool),
  });
  log.info('execution client started', {
    flavour: flavour.name,
    chain: chain.chainId,
    genesis: chain.genesisHash,
    head: chain.head.header.number,
    ...node.ports,
  });
  return {
    failed: new Promise<never>(() => {}),
    stop: () => node.close(),
  };
}

function peersOf({ syncPeers }: Values): readonly string[] {
  const malformed = syncPeers.find((url) => !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol));
  if (malformed === undefined) return syncPeers;
  throw new Failure('usage', `${NAME}: --sync.peers: expected http:// or https:// URLs, found ${malformed}`, {
    exit: EXIT.usage,
  });
}
