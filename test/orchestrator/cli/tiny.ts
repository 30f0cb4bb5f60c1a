import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { main } from '../../../src/orchestrator/cli/cli.ts';
import { packageRoot } from '../../../src/system/program/entry.ts';
import { homeWithCache } from '../../cache-of-tests.ts';
import { quietEnvironment } from '../../quiet-environment.ts';
import { program } from '../supervisor/fixture-plan.ts';
import { leftovers } from '../supervisor/supervised.ts';

/** The command as users run it. */
export const BUNDLE = join(packageRoot(), 'dist', 'devnet.js');

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How rpc-node.mjs runs: as a process, or in a container of an image that holds it. */
interface Launch {
  readonly runs: string;
  /** Ports beside those of its kind, each with its transport. */
  readonly ports?: readonly string[];
  readonly args?: Readonly<Record<string, string>>;
}

const AS_PROCESS: Launch = { runs: `runs: { process: ${program('rpc-node.mjs')} }` };

/** A client's template whose program is rpc-node.mjs: it answers like the client, and makes a block a second. */
function template(
  launch: Launch,
  kind: string,
  ports: readonly string[],
  args: Readonly<Record<string, string>>,
  ready: readonly string[],
): string {
  return [
    `kind: ${kind}`,
    'implementation: tiny',
    ...(kind === 'el' ? ['engineKind: geth'] : []),
    launch.runs,
    ...(kind === 'el' ? ['version: [--version]'] : []),
    ...(kind === 'l1' ? ['stateRoot: empty'] : []),
    `ports: { ${[...ports.map((port) => `${port}: tcp`), ...(launch.ports ?? [])].join(', ')} }`,
    'clock: none',
    ...(kind === 'el' || kind === 'cl' ? ['forks: { override: { flag: override.* } }'] : []),
    'args:',
    ...Object.entries({ ...args, ...launch.args }).map(([name, value]) => `  ${name}: "${value}"`),
    'ready:',
    ...ready.map((probe) => `  - ${probe}`),
    'stop: { grace: 1s }',
    '',
  ].join('\n');
}

const templates = (launch: Launch): Readonly<Record<string, string>> => ({
  'l1.yaml': template(launch, 'l1', ['rpc'], { port: '${port.rpc}', chain: '${l1.chainIdHex}' }, [
    '{ rpc: "http://${host}:${port.rpc}", method: eth_chainId, ' +
      'expect: { "": "${l1.chainIdHex}" }, description: is the L1 }',
  ]),
  'beacon.yaml': template(launch, 'beacon', ['http'], { port: '${port.http}' }, [
    '{ rpc: "http://${host}:${port.http}", method: eth_chainId, description: answers }',
  ]),
  'el.yaml': template(
    launch,
    'el',
    ['http', 'ws', 'engine'],
    { port: '${port.http}', chain: '${chain.idHex}', hash: '${chain.genesisHash}' },
    [
      '{ rpc: "http://${host}:${port.http}", method: eth_getBlockByNumber, params: ["0x0", false], ' +
        'expect: { hash: "${chain.genesisHash}" }, description: has our genesis }',
    ],
  ),
  'batcher.yaml': template(launch, 'batcher', ['rpc'], { port: '${port.rpc}' }, [
    '{ rpc: "http://${host}:${port.rpc}", method: eth_chainId, description: answers }',
  ]),
  'cl.yaml': template(launch, 'cl', ['rpc', 'p2p'], { port: '${port.rpc}' }, [
    '{ peers: "http://${host}:${port.rpc}" }',
  ]),
});

/** Real programs beside the tiny ones, at 0.3 s of processor time for each start. */
const NO_SENDERS = 'batcher: false\n    proposer: false';

/**
 * A folder with specs of tiny programs and a home for their devnets. Runs commands in this process or as processes of
 * their own.
 */
export class Tiny {
  readonly folder = mkdtempSync(join(tmpdir(), 'devnet-cli-'));
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  private readonly started: ChildProcess[] = [];

  constructor(launch: Launch = AS_PROCESS, home = 'home') {
    this.home = join(this.folder, home);
    // A hook of the machine would print to the output of each command.
    this.env = { ...quietEnvironment, DEVNET_HOME: this.home, CI: 'true', DEVNET_TIMEOUT_FACTOR: '5' };
    delete this.env['DEVNET_NAME'];
    homeWithCache(this.home);
    for (const [name, text] of Object.entries(templates(launch))) writeFileSync(join(this.folder, name), text);
  }

  /**
   * Writes a spec of two nodes and returns its path. The parts are more lines of it: `el` of the verifier's execution
   * client, `chain` of the chain, `senders` its batcher and proposer (by default none), `l1` of L1, `top` of the spec.
   */
  spec(name: string, { el = '', chain = '', senders = NO_SENDERS, top = '', l1 = '' } = {}): string {
    const path = join(this.folder, `${name}.yaml`);
    const text = `version: 1
name: ${name}
ports: auto
${top}
l1: { client: ./l1.yaml, blockTime: 1, beacon: ./beacon.yaml, ${l1} }
chains:
  main:
    blockTime: 1
    ${senders}
    ${chain}
    nodes:
      sequencer: { role: sequencer, el: ./el.yaml, cl: ./cl.yaml }
      verifier: { el: { client: ./el.yaml, ${el} }, cl: ./cl.yaml }
`;
    writeFileSync(path, text);
    return path;
  }

  /** Runs the command in this process. */
  async run(...argv: readonly string[]): Promise<Outcome> {
    let stdout = '';
    let stderr = '';
    const code = await main(argv, {
      stdout: (text) => (stdout += text),
      stderr: (text) => (stderr += text),
      env: this.env,
      cwd: this.folder,
      isTty: false,
    });
    return { code, stdout, stderr };
  }

  /** Runs the command, which must succeed, and parses its JSON. */
  async json<T>(...argv: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run(...argv, '--json');
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  /** Waits until a devnet is ready. A busy machine may make a process late for a moment. */
  async ready<T extends { readonly phase: string }>(...words: readonly string[]): Promise<T> {
    let status: T | undefined;
    await expect.poll(async () => (status = await this.json<T>('status', ...words))).toMatchObject({ phase: 'ready' });
    return status as T;
  }

  /** Starts the command as a process of its own. */
  start(argv: readonly string[]) {
    return this.startProgram([process.execPath, BUNDLE, ...argv]);
  }

  /** Starts any program in the folder, with the home in its environment. */
  startProgram([file = '', ...args]: readonly string[]) {
    const child = spawn(file, args, { cwd: this.folder, env: this.env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.started.push(child);
    let stderr = '';
    let stdout = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    const closed = new Promise<{ code: number | null; signal: string | null }>((done) =>
      child.on('close', (code, signal) => done({ code, signal })),
    );
    return { child, closed, stderr: () => stderr, stdout: () => stdout };
  }

  /** Waits until no process carries the stamp of this home. `make soak-kills` holds the promised 2 s. */
  async nothingLeft(): Promise<void> {
    const deadline = performance.now() + 20_000;
    while (leftovers(this.home).length > 0 && performance.now() < deadline)
      await new Promise((next) => setTimeout(next, 50));
    expect(leftovers(this.home)).toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.started) if (child.exitCode === null) child.kill('SIGKILL');
    await this.run('down', '--all');
    await this.nothingLeft();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
