import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, vi } from 'vitest';
import { stringify } from 'yaml';
import { main } from '../../src/orchestrator/cli/cli.ts';
import { loopbackExempt } from '../../src/system/net/proxy.ts';
import { homeWithCache } from '../cache-of-tests.ts';
import { quietEnvironment } from '../quiet-environment.ts';
import { countFailures, keepIfFailed } from './support/failed-networks.ts';

countFailures();

export const root = resolve(import.meta.dirname, '..', '..');
const devnetBin = join(root, 'dist', 'devnet.js');

/** Commands that run as processes: they start or end a devnet, or write the version of the built package. */
const PROCESSES = new Set(['up', 'start', 'down', 'run', 'exec', 'attach', 'export']);

/** Time limits of commands that wait. Their defaults are short for a machine that is busy with other tests. */
const PATIENT = new Set(['wait', 'fund', 'deposit', 'load', 'withdraw']);

/** Gives a command that waits a limit for what hangs, if the test gives none. */
const patient = (args: readonly string[]): readonly string[] =>
  PATIENT.has(args[0] ?? '') && !args.includes('--timeout') ? [...args, '--timeout', '300s'] : args;

/** The longest that a state may take which comes and stays. */
const STAYS = { timeout: 120_000, interval: 100 };

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The parts of `devnet status --json` that tests read. */
export interface Status {
  readonly name: string;
  readonly phase: string;
  readonly offsetMs: number;
  readonly stamps: Record<string, number>;
  readonly l1: { readonly rpc: string; readonly ws: string; readonly beacon: string; readonly chainId: number };
  readonly chains: readonly ChainStatus[];
}

export interface ChainStatus {
  readonly name: string;
  readonly chainId: number;
  readonly genesisHash: string;
  readonly contracts: { readonly l1: Record<string, `0x${string}`>; readonly l2: Record<string, `0x${string}`> };
  readonly accounts: readonly {
    readonly address: `0x${string}`;
    readonly privateKey: `0x${string}`;
    readonly role?: string;
  }[];
  readonly forks: Record<string, number>;
  readonly nodes: readonly NodeStatus[];
}

export interface NodeStatus {
  readonly name: string;
  readonly role: 'sequencer' | 'verifier';
  readonly phase: string;
  readonly el: {
    readonly client: string;
    readonly pid: number;
    readonly container?: string;
    readonly http: string;
    readonly ws: string;
    readonly engine: string;
    readonly jwt: string;
  };
  readonly cl: { readonly client: string; readonly pid: number; readonly rpc: string; readonly p2p: string };
  readonly heads: Record<
    'unsafe' | 'safe' | 'finalized',
    { readonly number: number; readonly hash: string } | undefined
  >;
}

/** A home folder for a test's devnets, and the command, run in it as a user runs it. */
export class Home {
  readonly folder = mkdtempSync(join(tmpdir(), 'devnet-e2e-'));
  readonly env: NodeJS.ProcessEnv;
  readonly started: ChildProcess[] = [];

  constructor(env: NodeJS.ProcessEnv = {}) {
    const home = join(this.folder, 'home');
    homeWithCache(home);
    // A hook of the machine would print to the output of each command.
    this.env = { ...quietEnvironment, DEVNET_HOME: home, CI: 'true', DEVNET_TIMEOUT_FACTOR: '5', ...env };
  }

  /** Writes a spec, as YAML text or as a value, and returns its path. */
  spec(name: string, spec: string | object): string {
    const path = join(this.folder, `${name}.yaml`);
    writeFileSync(path, typeof spec === 'string' ? spec : stringify(spec));
    return path;
  }

  /** Starts the command and leaves it running. */
  start(...args: string[]): ChildProcess {
    const child = spawn(process.execPath, [devnetBin, ...args], {
      cwd: this.folder,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.started.push(child);
    return child;
  }

  /**
   * Runs the command to its end. A command that only asks or tells a running devnet runs in this process. That saves
   * the start of a process (0.25 s of processor time).
   */
  async devnet(...args: string[]): Promise<Outcome> {
    if (PROCESSES.has(args[0] ?? '')) return this.process(...args);
    const text = { stdout: '', stderr: '' };
    const code = await main([...patient(args)], {
      stdout: (part) => (text.stdout += part),
      stderr: (part) => (text.stderr += part),
      env: this.env,
      cwd: this.folder,
      isTty: false,
    });
    return { code, ...text };
  }

  /**
   * Waits until all nodes agree and no process has a problem: a busy machine can make one late. Fails at once when
   * nodes have different blocks.
   */
  async agrees(...args: string[]): Promise<void> {
    const check = async () => {
      const { code, stdout, stderr } = await this.devnet('check', ...args, '--json');
      const { divergences } = JSON.parse(stdout) as { divergences: readonly { kind: string }[] };
      return {
        isOver: code === 0 || divergences.some(({ kind }) => kind === 'hash'),
        code,
        text: `${stdout}${stderr}`,
      };
    };
    let last: Awaited<ReturnType<typeof check>> | undefined;
    await expect.poll(async () => (last = await check()), STAYS).toMatchObject({ isOver: true });
    expect(last?.code, last?.text).toBe(0);
  }

  /** Runs the command as a process to its end. */
  async process(...args: string[]): Promise<Outcome> {
    const child = this.start(...args);
    const text = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream]?.setEncoding('utf8').on('data', (part: string) => (text[stream] += part));
    const code = await new Promise<number | null>((done) => child.on('close', (exit) => done(exit)));
    return { code, ...text };
  }

  /** Runs the command, which must succeed, and parses its JSON. */
  async json<T>(...args: string[]): Promise<T> {
    const outcome = await this.devnet(...args, '--json');
    if (outcome.code !== 0)
      throw new Error(`devnet ${args.join(' ')} ended with ${outcome.code}: ${outcome.stderr}\n${outcome.stdout}`);
    return JSON.parse(outcome.stdout) as T;
  }

  /** Brings a devnet up and leaves it running. Fails with the command's output. Its budget is for what hangs. */
  async up(spec: string, ...args: string[]): Promise<Status> {
    const outcome = await this.devnet('up', spec, '-d', '--ready-budget', '300s', ...args);
    if (outcome.code !== 0) throw new Error(`up ended with ${outcome.code}: ${outcome.stderr}`);
    return this.status();
  }

  /** Returns the status of the running devnet, with the keys that only `accounts` prints. */
  async status(): Promise<Status> {
    const [status, accounts] = [
      await this.json<Status>('status'),
      await this.json<readonly { readonly address: string; readonly privateKey: `0x${string}` }[]>('accounts'),
    ];
    const keys = new Map(accounts.map(({ address, privateKey }) => [address, privateKey]));
    return {
      ...status,
      chains: status.chains.map((chain) => ({
        ...chain,
        accounts: chain.accounts.map((account) => ({ ...account, privateKey: keys.get(account.address)! })),
      })),
    };
  }

  /** Returns the command lines of processes with this home's environment stamp. Empty if nothing was left behind. */
  leftovers(): string[] {
    const stamp = `DEVNET_HOME=${this.env['DEVNET_HOME']}`;
    const ours = new Set([
      process.pid,
      ...this.started.filter((child) => child.exitCode === null).map((child) => child.pid),
    ]);
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && !ours.has(Number(name)))
      .filter(
        (pid) =>
          read(`/proc/${pid}/environ`).split('\0').includes(stamp) && !/^\d+ \(.*\) Z/.test(read(`/proc/${pid}/stat`)),
      )
      .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`);
  }

  /** Describes how each devnet of this home ended, or that it runs. */
  private async ends(): Promise<string> {
    const devnets = await this.json<readonly { readonly name: string; readonly phase: string }[]>('ls');
    const texts = devnets.map(async ({ name, phase }) => {
      const { stdout } = await this.devnet('status', name);
      return `${name} is ${phase}${phase === 'ready' ? '' : `:\n${stdout.slice(stdout.indexOf('  failed:'))}`}`;
    });
    return (await Promise.all(texts)).join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await keepIfFailed(() => this.ends());
    await this.devnet('down', '--all');
    await vi.waitFor(() => expect(this.leftovers()).toEqual([]), STAYS);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Returns a node by its name. */
export function node(status: Status, name: string): NodeStatus {
  const match = status.chains[0]?.nodes.find((candidate) => candidate.name === name);
  if (!match) throw new Error(`no node ${name}`);
  return match;
}

/** Makes a JSON-RPC call, as curl would. Throws the error's message. */
export async function rpc<T>(url: string, method: string, ...params: unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as { result?: T; error?: { code: number; message: string } };
  if (answer.error) throw new Error(`${method}: ${answer.error.code} ${answer.error.message}`);
  return answer.result as T;
}

/** Runs another project's program, which reaches loopback past a proxy, and returns its output. */
export async function run(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv = quietEnvironment,
  cwd: string = process.cwd(),
): Promise<string> {
  const child = spawn(program, args, {
    env: { ...env, ...loopbackExempt(env) },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (part) => (output += part));
  child.stderr.on('data', (part) => (errors += part));
  const code = await new Promise<number | null>((done, failed) => child.on('error', failed).on('close', done));
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${errors}${output}`);
  return output.trim();
}

/** Path of a program of the Foundry packages (cast, forge), without the npm shim. */
export function foundry(tool: 'cast' | 'forge'): string {
  const system = process.platform === 'darwin' ? 'darwin' : 'linux';
  const platform = `${system}-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`;
  return join(root, 'node_modules', '@foundry-rs', `${tool}-${platform}`, 'bin', tool);
}
