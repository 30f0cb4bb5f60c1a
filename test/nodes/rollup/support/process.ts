import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type RunningRollupNode, startRollupNode } from '../../../../src/nodes/rollup/node.ts';
import { readOptions } from '../../../../src/nodes/rollup/options/index.ts';
import { rollupConfig } from '../../../../src/protocol/genesis/index.ts';
import type { Hex, RollupConfig } from '../../../../src/protocol/types.ts';
import type { RpcClient } from '../../../../src/rpc/client/client.ts';
import { Failure, messageOf } from '../../../../src/system/failure.ts';
import { createLogger } from '../../../../src/system/program/log.ts';
import { compilesOnce } from '../../../compile-cache.ts';
import { chainInputs, contracts, upTo } from '../../../protocol/genesis/inputs.ts';
import { patientClient } from '../../../rpc/patient-client.ts';
import { eventually } from './devnet.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'rollup-node.js');
const id = (digit: number) => ({ hash: `0x${String(digit).repeat(64)}` as Hex, number: 0 });

/** A log line of a node. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string; readonly lvl: string };

/**
 * Rollup nodes that differ in their options. Their L1 and engine need not answer.
 * Most run in the process of the test, as a start of the program takes a second of processor time.
 */
export class RollupNodes implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'rollup-nodes-'));
  readonly config: RollupConfig;
  readonly #running: RunningNode[] = [];

  constructor() {
    const genesisTime = Math.floor(Date.now() / 1000) - 100;
    const inputs = chainInputs({ genesisTime, schedule: upTo('jovian') });
    this.config = rollupConfig(inputs, { l1: id(1), l2: id(2) }, contracts);
    writeFileSync(join(this.folder, 'rollup.json'), JSON.stringify(this.config));
  }

  /** Starts a node in the process of the test. */
  async start(name: string, argv: readonly string[] = [], env: Record<string, string> = {}): Promise<RunningNode> {
    const options = readOptions(this.#argv(name, argv), env);
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line.trimEnd());
    const log = createLogger({ level: options.logLevel, format: 'json', color: false, pid: false, write });
    const node = new LocalNode(await startRollupNode(options, log), lines);
    this.#running.push(node);
    return node;
  }

  /** Starts a node in the process of the test that ends by itself; returns its exit code and its messages. */
  async ending(name: string, argv: readonly string[] = []): Promise<{ readonly code: unknown; readonly text: string }> {
    const [node] = await Promise.allSettled([this.start(name, argv)]);
    if (node.status === 'rejected') return endOf(node.reason);
    return { code: await node.value.exit, text: node.value.lines.join('\n') };
  }

  /** Starts a node in a process of its own. `env` is added to the environment. */
  spawn(name: string, argv: readonly string[] = [], env: Record<string, string> = {}): NodeProcess {
    const child = spawn(process.execPath, [PROGRAM, ...this.#argv(name, argv)], {
      cwd: this.folder,
      env: { ...process.env, ...compilesOnce(), ...env },
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    const node = new NodeProcess(child);
    this.#running.push(node);
    return node;
  }

  #argv(name: string, argv: readonly string[]): string[] {
    return [
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
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.map((node) => node[Symbol.asyncDispose]()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns the exit code and the message of a failure, as the program reports them. @throws any other error */
function endOf(error: unknown): { readonly code: number; readonly text: string } {
  if (!(error instanceof Failure)) throw error;
  return { code: error.exit, text: `${messageOf(error)}\n${error.hint ?? ''}` };
}

/** A rollup node with its log lines and a client of its RPC. */
export abstract class RunningNode implements AsyncDisposable {
  /** Lines of the log and of failures. */
  readonly lines: string[];
  /** The exit code of a node that ended. */
  abstract readonly exit: Promise<number | null>;
  protected rpc: RpcClient | undefined;

  constructor(lines: string[]) {
    this.lines = lines;
  }

  protected connect(port: number): void {
    this.rpc = patientClient({ url: `http://127.0.0.1:${port}` });
  }

  /** The log lines with this message. */
  logged(message: string): LogLine[] {
    return this.lines
      .filter((line) => line.startsWith('{') && line.includes(message))
      .map((line) => JSON.parse(line) as LogLine)
      .filter(({ msg }) => msg === message);
  }

  /** Calls a method of its RPC. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  call<Result = any>(method: string, ...params: unknown[]): Promise<Result> {
    return (this.rpc as RpcClient).call<Result>(method, params);
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
    });
  }

  /** Returns the port in the log line with this message. */
  listens(message: string): Promise<number> {
    return eventually(async () => this.logged(message)[0]?.['port'] as number | undefined);
  }

  /** Stops the node as a signal does. */
  abstract stop(): Promise<unknown>;

  abstract [Symbol.asyncDispose](): Promise<void>;
}

/** A rollup node in the process of the test. */
class LocalNode extends RunningNode {
  readonly exit: Promise<number>;
  readonly #node: RunningRollupNode;
  #stopped: Promise<void> | undefined;

  constructor(node: RunningRollupNode, lines: string[]) {
    super(lines);
    this.#node = node;
    this.exit = node.failed.catch(async (error: unknown) => {
      const { code, text } = endOf(error);
      lines.push(text);
      await this.stop();
      return code;
    });
    this.connect(node.rpcPort);
  }

  stop(): Promise<void> {
    this.rpc?.close();
    this.#stopped ??= this.#node.stop();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** A rollup node in a process of its own. */
export class NodeProcess extends RunningNode {
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;

  constructor(child: ChildProcess) {
    super([]);
    this.child = child;
    // The pipe is drained at `close`, not yet at `exit`.
    this.exit = new Promise((resolve) => child.once('close', (code) => resolve(code)));
    createInterface({ input: child.stderr! }).on('line', (line) => this.lines.push(line));
  }

  /** Waits until its RPC answers. */
  async started(): Promise<this> {
    this.connect(await eventually(async () => this.logged('rollup node')[0]?.['rpc'] as number | undefined));
    return this;
  }

  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.rpc?.close();
    if (this.child.exitCode === null) this.child.kill('SIGKILL');
    await this.exit;
  }
}
