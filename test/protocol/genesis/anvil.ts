import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ANVIL_ARGUMENTS, type L1Hardfork } from '../../../src/protocol/genesis/index.ts';
import { L1_GAS_LIMIT } from '../../../src/protocol/genesis/inputs.ts';

/** The platform's own binary beside the npm launcher. */
function binary(): string {
  const require = createRequire(import.meta.url);
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const launcher = require.resolve('@foundry-rs/anvil/package.json');
  const manifest = createRequire(launcher).resolve(
    `@foundry-rs/anvil-${process.platform}-${architecture}/package.json`,
  );
  return join(dirname(manifest), 'bin', 'anvil');
}

/** A real anvil over a genesis file, mining only when told to. */
export class Anvil implements AsyncDisposable {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(process: ChildProcess, folder: string, url: string) {
    this.#process = process;
    this.#folder = folder;
    this.url = url;
  }

  static async start(
    chainId: number,
    genesis: unknown,
    extra: readonly string[] = [],
    hardfork: L1Hardfork = 'prague',
  ): Promise<Anvil> {
    const folder = mkdtempSync(join(tmpdir(), 'genesis-anvil-'));
    const file = join(folder, 'genesis.json');
    writeFileSync(file, JSON.stringify(genesis));
    const options = Object.entries(ANVIL_ARGUMENTS).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn(
      binary(),
      [
        '--init',
        file,
        '--chain-id',
        String(chainId),
        '--port',
        '0',
        '--no-mining',
        '--order',
        'fifo',
        '--hardfork',
        hardfork,
        ...(extra.includes('--gas-limit') ? [] : ['--gas-limit', String(L1_GAS_LIMIT)]),
        ...options,
        ...extra,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      child.once('exit', (code) => reject(new Error(`anvil exited with ${code}: ${output}`)));
      child.stdout!.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const address = /Listening on (\S+)/.exec(output)?.[1];
        if (address !== undefined) resolve(`http://${address}`);
      });
    });
    return new Anvil(child, folder, url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGTERM');
    await exited;
    rmSync(this.#folder, { recursive: true });
  }
}
