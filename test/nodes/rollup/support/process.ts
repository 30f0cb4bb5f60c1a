import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { rollupConfig } from '../../../../src/protocol/genesis/index.ts';
import type { Hex, RollupConfig } from '../../../../src/protocol/types.ts';
import type { RpcClient } from '../../../../src/rpc/client.ts';
import { httpClient } from '../../../../src/rpc/http-client.ts';
import { chainInputs, contracts, upTo } from '../../../protocol/genesis/inputs.ts';
import { eventually } from './devnet.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'rollup-node.js');
const id = (digit: number) => ({ hash: `0x${String(digit).repeat(64)}` as Hex, number: 0 });

/** Time limit (ms) of the start of many processes on a busy machine. */
const PATIENCE = 50_000;

/** A log line of a node. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string; readonly lvl: string };

/** Rollup nodes in their own processes. Their L1 and engine need not answer. */
export class NodeProcesses implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'node-processes-'));
  readonly config: RollupConfig;
  readonly #running: NodeProcess[] = [];

  constructor() {
    const genesisTime = Math.floor(Date.now() / 1000) - 100;
    const inputs = chainInputs({ genesisTime, schedule: upTo('jovian') });
    this.config = rollupConfig(inputs, { l1: id(1), l2: id(2) }, contracts);
    writeFileSync(join(this.folder, 'rollup.json'), JSON.stringify(this.config));
  }

  /** Starts a node and waits until its RPC answers. `env` is added to the environment. */
  async start(name: string, argv: readonly string[] = [], env: Record<string, string> = {}): Promise<NodeProcess> {
    const node = this.spawn(name, argv, env);
    await node.started();
    return node;
  }

  spawn(name: string, argv: readonly string[] = [], env: Record<string, string> = {}): NodeProcess {
    const child = spawn(
      process.execPath,
      [
        PROGRAM,
        '--l1=http://127.0.0.1:1',
        '--l1.beacon.ignore',
        '--l2=http://127.0.0.1:1',
        `--l2.jwt-secret=${join(this.folder, `${name}.jwt`)}`,
        `--rollup.config=${join(this.folder, 'rollup.json')}`,
        '--rpc.addr=127.0.0.1',
        '--rpc.port=0',
        '--rpc.enable-admin',
        '--p2p.listen.ip=127.0.0.1',
        '--p2p.listen.tcp=0',
        `--p2p.priv.path=${join(this.folder, `${name}.key`)}`,
        '--p2p.peerstore.path=memory',
        '--p2p.discovery.path=memory',
        '--log.format=json',
        ...(argv.some((word) => word.startsWith('--p2p.no-discovery')) ? [] : ['--p2p.no-discovery']),
        ...argv,
      ],
      { cwd: this.folder, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'pipe'] },
    );
    const node = new NodeProcess(child);
    this.#running.push(node);
    return node;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.map((node) => node[Symbol.asyncDispose]()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A rollup node in a process of its own. */
export class NodeProcess implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly lines: string[] = [];
  /** The exit code. */
  readonly ended: Promise<number | null>;
  #rpc: RpcClient | undefined;

  constructor(child: ChildProcess) {
    this.child = child;
    this.ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
    createInterface({ input: child.stderr! }).on('line', (line) => this.lines.push(line));
  }

  /** The log lines with this message. */
  logged(message: string): LogLine[] {
    return this.lines
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as LogLine)
      .filter(({ msg }) => msg === message);
  }

  async started(): Promise<void> {
    const port = await eventually(async () => this.logged('rollup node')[0]?.['rpc'] as number | undefined, PATIENCE);
    this.#rpc = httpClient({ url: `http://127.0.0.1:${port}` });
  }

  /** Calls a method of its RPC. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  call<Result = any>(method: string, ...params: unknown[]): Promise<Result> {
    return (this.#rpc as RpcClient).call<Result>(method, params);
  }

  /** Its multiaddr, once known. */
  address(): Promise<string> {
    return eventually(async () => (await this.call<{ addresses: string[] }>('opp2p_self')).addresses[0]);
  }

  /** Its sync status. */
  status(): Promise<Record<string, { number: number; hash: string; timestamp: number }>> {
    return this.call('optimism_syncStatus');
  }

  /** Waits until a head is at or above a height; returns it. */
  reached(head: string, number: number): Promise<{ number: number; hash: string; timestamp: number }> {
    return eventually(async () => {
      const block = (await this.status())[head];
      return block && block.number >= number ? block : undefined;
    }, PATIENCE);
  }

  /** Returns the port in the log line with this message. */
  listens(message: string): Promise<number> {
    return eventually(async () => this.logged(message)[0]?.['port'] as number | undefined);
  }

  /** Stops the process and waits for its end. */
  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#rpc?.close();
    if (this.child.exitCode === null) this.child.kill('SIGKILL');
    await this.ended;
  }
}
