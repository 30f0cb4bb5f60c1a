import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../system/free-port.ts';

/** Seconds of a whole process, and of processors that it used. */
export interface Cost {
  readonly time: number;
  readonly processor: number;
}

/** An execution client that imports chain files and answers requests. */
export interface Client {
  readonly name: string;
  /** Writes the genesis block into an empty folder. */
  init(datadir: string, genesis: string): Promise<void>;
  importFile(datadir: string, file: string): Promise<Cost>;
  serve(datadir: string): Promise<Serving>;
}

/** A client that answers requests. */
export interface Serving extends AsyncDisposable {
  readonly url: string;
  /** Bytes of its resident memory. */
  memory(): number;
  /** Seconds of processors that it has used. */
  processor(): number;
}

const OURS = fileURLToPath(new URL('../../../dist/execution-client.js', import.meta.url));
/** Node's limits for young objects, as a devnet sets them. */
const ROOM = ['--min-semi-space-size=1', '--max-semi-space-size=2'];

/** Our client in the go flavour, as the build makes it. */
export function ourClient(): Client {
  const argv = (datadir: string, ...rest: string[]) => [OURS, ...rest, '--flavour=go', `--datadir=${datadir}`];
  return {
    name: 'ours',
    init: async (datadir, genesis) => void (await completed(process.execPath, argv(datadir, 'init', genesis))),
    importFile: (datadir, file) => completed(process.execPath, argv(datadir, 'import', file)),
    serve: (datadir) =>
      serving(process.execPath, 'SIGTERM', (http, engine) => [
        ...ROOM,
        ...argv(datadir),
        '--http',
        `--http.port=${http}`,
        '--http.api=eth,debug',
        `--authrpc.port=${engine}`,
      ]),
  };
}

/** op-geth with all states, as ours keeps them. `program` is its path. */
export function opGeth(program: string): Client {
  const argv = (datadir: string) => [`--datadir=${datadir}`, '--state.scheme=hash', '--gcmode=archive'];
  return {
    name: 'op-geth',
    init: async (datadir, genesis) =>
      void (await completed(program, [`--datadir=${datadir}`, '--state.scheme=hash', 'init', genesis])),
    importFile: (datadir, file) => completed(program, [...argv(datadir), 'import', file]),
    serve: (datadir) =>
      serving(program, 'SIGINT', (http, engine) => [
        ...argv(datadir),
        '--networkid=901',
        '--syncmode=full',
        '--nodiscover',
        '--maxpeers=0',
        '--nat=none',
        '--port=0',
        '--ipcdisable',
        '--http',
        '--http.addr=127.0.0.1',
        `--http.port=${http}`,
        '--http.api=eth,debug',
        '--authrpc.addr=127.0.0.1',
        `--authrpc.port=${engine}`,
      ]),
  };
}

/** Runs a program to its end. No other child may end meanwhile. @throws Error with its output if it fails */
async function completed(program: string, argv: readonly string[]): Promise<Cost> {
  const began = performance.now();
  const used = childSeconds();
  const child = spawn(program, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  const output = outputOf(child);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ${argv.join(' ')} ended with ${code}: ${output()}`);
  return { time: (performance.now() - began) / 1000, processor: childSeconds() - used };
}

/** Processor time of the children of this process that have ended. */
function childSeconds(): number {
  const [, , user = 0, system = 0] = timesOf('self');
  return user + system;
}

/** Seconds of a process in user and system mode, and those of its children that have ended. */
function timesOf(pid: string): number[] {
  const fields = readFileSync(join('/proc', pid, 'stat'), 'utf8').replace(/^.*\) /, '');
  return fields
    .split(' ')
    .slice(11, 15)
    .map((ticks) => Number(ticks) / 100);
}

async function serving(
  program: string,
  stop: NodeJS.Signals,
  argvFor: (http: number, engine: number) => readonly string[],
): Promise<Serving> {
  const [http, engine] = [await freePort(), await freePort()];
  const child = spawn(program, argvFor(http, engine), { stdio: ['ignore', 'ignore', 'pipe'] });
  const output = outputOf(child);
  const url = `http://127.0.0.1:${http}`;
  const exit = once(child, 'close');
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${output()}`);
    await sleep(50);
  }
  return {
    url,
    memory: () => residentBytes(child.pid ?? 0),
    processor: () => {
      const [user = 0, system = 0] = timesOf(`${child.pid}`);
      return user + system;
    },
    async [Symbol.asyncDispose]() {
      child.kill(stop);
      await exit;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  return fetch(url, request).then(
    ({ ok }) => ok,
    () => false,
  );
}

function outputOf(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.on('data', (part: Buffer) => {
    text = (text + part.toString()).slice(-4000);
  });
  return () => text;
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(join('/proc', `${pid}`, 'status'), 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
