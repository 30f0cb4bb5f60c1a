import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Path of this machine's browser. undefined: none is installed. */
export const BROWSER = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
);

/**
 * Opens a page in a headless browser and resolves with the result of a script, an async function's body.
 * Every name of the reserved domain `.test` resolves to 127.0.0.1, as by an attacker's name server.
 */
export async function runInPage<Result>(site: string, script: string): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-browser-'));
  let browser: ChildProcess | undefined;
  const { promise: result, resolve, reject } = Promise.withResolvers<Result>();
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<script type="module">
        const result = await (async () => { ${script} })().catch((error) => ({ failed: String(error) }));
        await fetch('/result', { method: 'POST', body: JSON.stringify(result) });
      </script>`);
      return;
    }
    let text = '';
    request
      .on('data', (part) => (text += part))
      .on('end', () => {
        response.end();
        resolve(JSON.parse(text) as Result);
      });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://${site}:${(server.address() as AddressInfo).port}/`;
  try {
    browser = spawn(
      BROWSER!,
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--host-resolver-rules=MAP *.test 127.0.0.1',
        `--user-data-dir=${folder}`,
        url,
      ],
      { stdio: 'ignore', detached: true },
    );
    browser.once('error', reject);
    browser.once('exit', (code) => reject(new Error(`the browser ended with ${code} before its page told a result`)));
    return await result;
  } finally {
    // The browser's own processes are one group.
    if (browser?.pid !== undefined && browser.exitCode === null) {
      const exit = new Promise((done) => browser!.once('exit', done));
      process.kill(-browser.pid, 'SIGKILL');
      await exit;
    }
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
