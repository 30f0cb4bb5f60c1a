import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { anvilPath } from '../../src/orchestrator/load/anvil.ts';
import { ask, until } from './poll.ts';

const SERVER =
  "require('node:http').createServer((_, response) => response.end('{\"result\":1}'))" +
  ".listen(Number(process.argv[1]), '127.0.0.1')";
const PORTS = [29401, 29402, 29403, 29404, 29405, 29406];

/** Returns the ms until six bare Node HTTP servers and anvil answer, all started at once. */
export async function bareServersOnce(folder: string): Promise<number> {
  const cwd = mkdtempSync(join(folder, 'servers-'));
  const began = performance.now();
  const children = [
    ...PORTS.map((port) => spawn(process.execPath, ['-e', SERVER, String(port)], { cwd, stdio: 'ignore' })),
    spawn(anvilPath(process.env), ['--port', '29400', '--quiet'], { cwd, stdio: 'ignore' }),
  ];
  try {
    await Promise.all(
      [29400, ...PORTS].map((port) =>
        until('an answer', async () => (await ask(`http://127.0.0.1:${port}`, 'eth_chainId')) !== undefined),
      ),
    );
    return performance.now() - began;
  } finally {
    const exits = children.map((child) => new Promise((done) => child.on('exit', done)));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(exits);
  }
}
