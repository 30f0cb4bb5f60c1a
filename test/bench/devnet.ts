import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { ask, until } from './poll.ts';

export const devnetBin = join(resolve(import.meta.dirname, '..', '..'), 'dist', 'devnet.js');

/** URL of the default devnet's sequencer while its preferred port is free. */
const SEQUENCER = 'http://127.0.0.1:9545';

const UP = ['up', 'default', '-d', '--set', 'ports=fixed'] as const;

/** Brings the default devnet up and down again as a user would; times in ms from the command's start. */
export async function devnetOnce(
  env: NodeJS.ProcessEnv,
  whileUp: () => Promise<void> = async () => {},
): Promise<{ ready: number; down: number }> {
  const began = performance.now();
  await run(UP, env);
  const ready = performance.now() - began;
  await whileUp();
  const downBegan = performance.now();
  await run(['down'], env);
  return { ready, down: performance.now() - downBegan };
}

/**
 * Returns the ms from the start of `up` to the first L2 block.
 * It needs a run of its own, because a poll every 5 ms takes a fifth of two processors.
 */
export async function firstBlockOnce(env: NodeJS.ProcessEnv): Promise<number> {
  const began = performance.now();
  // Fixed ports, so that no other network's first block is taken for this one's.
  const up = run(UP, env);
  await until('the first L2 block', async () => (await ask(SEQUENCER, 'eth_getBlockByNumber', '0x1', false)) !== null);
  const firstBlock = performance.now() - began;
  await up;
  await run(['down'], env);
  return firstBlock;
}

/** Runs the command and returns its stdout. @throws Error with its stderr if it fails */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, [devnetBin, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part) => (stdout += part));
  child.stderr.on('data', (part) => (stderr += part));
  const code = await new Promise((done) => child.on('exit', done));
  if (code !== 0) throw new Error(`devnet ${args.join(' ')} ended with ${code}:\n${stderr}`);
  return stdout;
}
