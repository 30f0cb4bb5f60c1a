import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { accountOf } from '../../../src/nodes/txmgr/account.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import type { RpcClient } from '../../../src/rpc/client/client.ts';
import { patientClient } from '../../rpc/patient-client.ts';

/** A real anvil without mining, with its own genesis. */
export interface TestAnvil {
  readonly url: string;
  readonly port: number;
  readonly rpc: RpcClient;
  /** Kills it as `kill -9` and waits for its end. */
  kill(): Promise<void>;
}

export const CHAIN_ID = 900;
export const GENESIS_TIME = 1_700_000_000;

/** The first two of anvil's funded accounts. */
const KEYS = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
].map(hexToBytes);
export const ACCOUNTS = KEYS.map(accountOf);

const require = createRequire(import.meta.url);
const shim = dirname(require.resolve('@foundry-rs/anvil/package.json'));
const os = process.platform === 'darwin' ? 'darwin' : 'linux';
const cpu = process.arch === 'x64' ? 'amd64' : process.arch;
const binary = join(
  dirname(createRequire(join(shim, 'package.json')).resolve(`@foundry-rs/anvil-${os}-${cpu}/package.json`)),
  'bin',
  'anvil',
);

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'l1-'));
}

/**
 * Starts anvil; port 0 takes any. Resolves when it listens.
 * `trustsBlobs`: takes blob proofs unverified, as of impersonated accounts. Otherwise the first blob transaction makes
 * anvil load the trusted setup, for 6 s of processor time.
 */
export async function startAnvil(
  options: {
    port?: number;
    alloc?: object;
    genesisTime?: number;
    hardfork?: string;
    trustsBlobs?: boolean;
    /** State that it begins with, if the file exists. */
    state?: string;
  } = {},
): Promise<TestAnvil> {
  const genesis = join(temporaryFolder(), 'genesis.json');
  const { port: requestedPort = 0, alloc = {}, genesisTime = GENESIS_TIME, hardfork = 'prague' } = options;
  const time = `0x${genesisTime.toString(16)}`;
  writeFileSync(
    genesis,
    JSON.stringify({ config: { chainId: CHAIN_ID }, timestamp: time, gasLimit: '0x1c9c380', difficulty: '0x0', alloc }),
  );
  const { state } = options;
  const beginning =
    state !== undefined && existsSync(state)
      ? ['--load-state', state, '--timestamp', String(genesisTime)]
      : ['--init', genesis];
  const args = ['--port', String(requestedPort), ...beginning, '--chain-id', String(CHAIN_ID), '--no-mining'];
  args.push('--order', 'fifo', '--hardfork', hardfork, '--slots-in-an-epoch', '1');
  if (options.trustsBlobs) args.push('--auto-impersonate');
  const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await listening(child);
  const url = `http://127.0.0.1:${port}`;
  const rpc = patientClient({ url });
  return {
    url,
    port,
    rpc,
    async kill() {
      rpc.close();
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exit;
    },
  };
}

function listening(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', (part: Buffer) => {
      text += part.toString('utf8');
      const port = /Listening on [\d.]+:(\d+)/.exec(text)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`anvil ended with ${code}: ${text}`)));
  });
}
