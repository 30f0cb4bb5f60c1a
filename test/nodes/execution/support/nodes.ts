import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChain } from '../../../../src/nodes/execution/chain/datadir.ts';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import { FLAVOURS } from '../../../../src/nodes/execution/flavours/index.ts';
import type { FlavourName } from '../../../../src/nodes/execution/flavours/interface/flavour.ts';
import type { Limits } from '../../../../src/nodes/execution/flavours/interface/limits.ts';
import { type ExecutionNode, startNode } from '../../../../src/nodes/execution/node.ts';
import type { PoolOptions } from '../../../../src/nodes/execution/pool/service.ts';
import type { ForkSchedule } from '../../../../src/protocol/forks/index.ts';
import type { RpcClient } from '../../../../src/rpc/client/client.ts';
import { httpClient } from '../../../../src/rpc/client/http-client.ts';
import type { Channel } from '../../../../src/system/channel/channel.ts';
import { createLogger } from '../../../../src/system/program/log.ts';

export const JWT = new Uint8Array(32).fill(7);

/** An execution client in the process of the test, on its own ports. */
export interface TestNode extends AsyncDisposable {
  readonly node: ExecutionNode;
  readonly datadir: string;
  readonly url: string;
  readonly wsUrl: string;
  readonly engineUrl: string;
  readonly engine: RpcClient;
  readonly rpc: RpcClient;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'execution-'));
}

export async function launch(
  genesis: string,
  options: {
    flavour?: FlavourName;
    channel?: Channel;
    datadir?: string;
    keep?: boolean;
    sequencer?: string;
    overrides?: ForkSchedule;
    /** Prunes states, as `--gcmode=full`. */
    pruned?: boolean;
    peers?: readonly string[];
    pool?: Partial<PoolOptions>;
    limits?: Partial<Limits>;
    /** Namespaces by listener. Default: all of the flavour. */
    api?: { readonly http: readonly string[]; readonly websocket: readonly string[] };
    /** Keeps forwarded transactions. */
    admission?: boolean;
    /** Milliseconds for a response of the sequencer. */
    patience?: number;
    conditional?: boolean;
  } = {},
): Promise<TestNode> {
  await prepareCrypto();
  const datadir = options.datadir ?? temporaryFolder();
  const file = join(datadir, 'genesis.json');
  writeFileSync(file, genesis);
  const flavour = FLAVOURS[options.flavour ?? 'rust'];
  const retention = options.pruned && flavour.pruned !== undefined ? { stateRetention: flavour.pruned } : {};
  const listener = { host: '127.0.0.1', port: 0, api: flavour.namespaces, corsOrigins: [], virtualHosts: [] };
  const node = await startNode({
    chain: openChain({ datadir, genesis: file, overrides: options.overrides ?? {}, executes: true, ...retention }),
    flavour,
    ...(options.channel === undefined ? {} : { channel: options.channel }),
    log: createLogger({ level: 'error', format: 'text', color: false, pid: false }),
    version: '0.0.0',
    // Tests of full blocks pay more than the fee cap.
    pool: { settings: { ...flavour.pool.defaults, feeCap: 0n }, ...options.pool },
    peers: options.peers ?? [],
    limits: { ...flavour.limits, ...options.limits },
    http: { ...listener, api: options.api?.http ?? listener.api },
    websocket: { ...listener, api: options.api?.websocket ?? listener.api },
    engine: { host: '127.0.0.1', port: 0, jwtSecret: JWT, virtualHosts: [] },
    submission: {
      admission: options.admission ?? flavour.pool.keepsForwarded,
      ...(options.patience === undefined ? {} : { patience: options.patience }),
      ...(options.sequencer === undefined ? {} : { sequencer: options.sequencer }),
    },
    conditional: options.conditional ?? false,
    receiptTimeouts: flavour.pool.receiptTimeouts,
  });
  const url = `http://127.0.0.1:${node.ports.http}`;
  const engine = httpClient({ url: `http://127.0.0.1:${node.ports.engine}`, jwtSecret: JWT, timeoutMs: 30_000 });
  const rpc = httpClient({ url, timeoutMs: 30_000 });
  return {
    node,
    datadir,
    url,
    wsUrl: `ws://127.0.0.1:${node.ports.websocket}`,
    engineUrl: `http://127.0.0.1:${node.ports.engine}`,
    engine,
    rpc,
    async [Symbol.asyncDispose]() {
      engine.close();
      rpc.close();
      await node.close();
      if (!options.keep) rmSync(datadir, { recursive: true, force: true });
    },
  };
}
