import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type EngineClient, RpcEngineClient } from '../../../src/nodes/rollup/engine/client.ts';
import { rollupOf } from '../../../src/protocol/derivation/rollup.ts';
import type { ExecutionPayloadEnvelope, Hex, RollupConfig } from '../../../src/protocol/types.ts';
import { httpClient } from '../../../src/rpc/client/http-client.ts';
import { JWT } from '../../nodes/execution/support/nodes.ts';
import { headAt } from './history.ts';
import { Running, startEngine, type Usage } from './programs.ts';

/** Files and endpoints of the network whose history is measured. */
export interface Ground {
  readonly config: RollupConfig;
  /** Folder for datadirs. */
  readonly folder: string;
  readonly genesis: string;
  readonly jwt: string;
  readonly rollupFile: string;
  readonly l1Url: string;
  /** Further flags of the rollup node. */
  readonly flags?: readonly string[];
}

export interface Import {
  readonly seconds: number;
  readonly engine: Usage;
}

export interface Derivation extends Import {
  readonly node: Usage;
  /** Times at which blocks became safe: seconds from the start, with resident bytes of both programs. */
  readonly atStart: { readonly seconds: number; readonly node: number; readonly engine: number };
}

/** Milliseconds between two polls of the verifier. */
const POLL_INTERVAL_MS = 50;
const RPC_PORT = 47_547;

/** The rollup node's own client of an engine. */
export function clientOf(config: RollupConfig, port: number): EngineClient {
  const rpc = httpClient({ url: `http://127.0.0.1:${port}`, jwtSecret: JWT, timeoutMs: 30_000 });
  return new RpcEngineClient({ rpc, rollup: rollupOf(config), url: 'http://engine', secretFile: '' });
}

/** Imports the payloads into a fresh execution client. Each is executed, then made the head. */
export async function importAlone(
  ground: Ground,
  payloads: readonly ExecutionPayloadEnvelope[],
  name: string,
): Promise<Import> {
  await using engine = await startEngine(ground.genesis, ground.jwt, join(ground.folder, name));
  const client = clientOf(ground.config, engine.port);
  const began = performance.now();
  for (const envelope of payloads) {
    await client.newPayload(envelope);
    await client.forkchoice(headAt(envelope.executionPayload.blockHash, ground.config.genesis.l2.hash));
  }
  const seconds = (performance.now() - began) / 1000;
  client.close();
  return { seconds, engine: engine.usage() };
}

/** Derives the same blocks from L1 with a fresh verifier. @throws Error if a block differs */
export async function derive(ground: Ground, count: number, last: Hex, name: string): Promise<Derivation> {
  await using engine = await startEngine(ground.genesis, ground.jwt, join(ground.folder, name));
  const began = performance.now();
  await using node = new Running(
    'rollup-node',
    `--l1=${ground.l1Url.replace('http', 'ws')}`,
    '--l1.beacon.ignore',
    `--l2=http://127.0.0.1:${engine.port}`,
    `--l2.jwt-secret=${ground.jwt}`,
    `--rollup.config=${ground.rollupFile}`,
    '--rpc.addr=127.0.0.1',
    `--rpc.port=${RPC_PORT}`,
    '--p2p.disable',
    '--log.level=warn',
    ...(ground.flags ?? []),
  );
  const rpc = httpClient({ url: `http://127.0.0.1:${RPC_PORT}` });
  let atStart: Derivation['atStart'] | undefined;
  for (;;) {
    const status = await rpc.call<{ safe_l2: { number: number; hash: Hex } }>('optimism_syncStatus').catch(() => null);
    if (status && status.safe_l2.number > 0)
      atStart ??= {
        seconds: (performance.now() - began) / 1000,
        node: node.usage().rss,
        engine: engine.usage().rss,
      };
    if (atStart && status && status.safe_l2.number >= count) {
      if (status.safe_l2.hash !== last) throw new Error(`derived ${status.safe_l2.hash}, sequenced ${last}`);
      break;
    }
    if (node.program.child.exitCode !== null) throw new Error(`the verifier ended: ${node.program.stderr()}`);
    await pause(POLL_INTERVAL_MS);
  }
  const seconds = (performance.now() - began) / 1000;
  rpc.close();
  return { seconds, node: node.usage(), engine: engine.usage(), atStart: atStart! };
}
