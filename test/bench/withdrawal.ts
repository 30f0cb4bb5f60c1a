import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { run } from './devnet.ts';

const root = resolve(import.meta.dirname, '..', '..');

/**
 * Runs the how-to's withdrawal on the default devnet as soon as it is ready.
 * Returns the ms from its first line to its last.
 */
export async function withdrawalOnce(
  folder: string,
  env: NodeJS.ProcessEnv,
  system: 'output-oracle' | 'dispute-games',
): Promise<number> {
  const project = join(folder, system);
  mkdirSync(project);
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  const text = readFileSync(join(root, 'docs', 'how-to', 'withdraw.md'), 'utf8');
  writeFileSync(join(project, 'withdraw.mjs'), /```js\n(.*?)```/s.exec(text)![1]!);
  await run(['up', 'default', '-d', '--set', 'ports=auto', '--set', `chains.main.proposer.system=${system}`], env);
  try {
    writeFileSync(join(project, 'devnet.mjs'), await run(['env', '--format', 'viem'], env));
    const variables = JSON.parse(await run(['env', '--format', 'json'], env)) as Record<string, string>;
    const began = performance.now();
    const { stdout } = await promisify(execFile)(process.execPath, [join(project, 'withdraw.mjs')], {
      env: { ...env, ...variables },
      timeout: 180_000,
    });
    if (stdout.trim() !== '1 ether arrived') throw new Error(`the withdrawal ended with ${stdout}`);
    return performance.now() - began;
  } finally {
    await run(['down'], env);
  }
}
