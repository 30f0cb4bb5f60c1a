import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Browser, launch } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Home, root, type Status } from '../e2e/devnet.ts';

const page = readFileSync(join(root, 'docs/how-to/browser-wallet.md'), 'utf8');
const blockOf = (kind: string) => new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';

/** A page with an EIP-1193 wallet. It checks the chain id of a network as real ones do, signs, and shows no dialog. */
const SCRIPT = `
import { createWalletClient, custom, http, parseEther, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
${blockOf('js').replace('export ', '')}
window.run = async (rpcUrl, key, to) => {
  const account = privateKeyToAccount(key);
  let chain;
  const node = (body) => http(chain.rpcUrls[0])({}).request(body);
  window.ethereum = {
    async request({ method, params }) {
      if (method === 'wallet_addEthereumChain') {
        chain = params[0];
        if ((await node({ method: 'eth_chainId' })) !== chain.chainId) throw new Error('another chain id');
        return null;
      }
      if (method === 'eth_requestAccounts') return [account.address];
      if (method !== 'eth_sendTransaction') return node({ method, params });
      const transport = http(chain.rpcUrls[0]);
      const client = createWalletClient({ account, chain: null, transport });
      const { from, gas, value, ...rest } = params[0];
      return client.sendTransaction({ ...rest, value: BigInt(value) });
    },
  };
  const chainId = await addChain(window.ethereum, rpcUrl);
  const [own] = await window.ethereum.request({ method: 'eth_requestAccounts' });
  const transport = custom(window.ethereum);
  const wallet = createWalletClient({ account: own, chain: null, transport }).extend(publicActions);
  const hash = await wallet.sendTransaction({ to, value: parseEther('3') });
  const { status } = await wallet.waitForTransactionReceipt({ hash });
  return { chainId, status, balance: String(await wallet.getBalance({ address: to })) };
};
`;

let home: Home;
let status: Status;
let browser: Browser;
let site: Server;
let script: string;

beforeAll(async () => {
  home = new Home();
  // The page's own options: one foreign page is allowed.
  status = await home.up(home.spec('wallet', `name: wallet\nports: auto\n${blockOf('yaml')}`));
  const { outputFiles } = await build({
    stdin: { contents: SCRIPT, resolveDir: root },
    ...{ bundle: true, write: false, format: 'iife', platform: 'browser' },
  });
  script = outputFiles[0]?.text ?? '';
  site = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? script : '<!doctype html><script src="/page.js"></script>');
  });
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
  browser = await launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser?.close();
  site?.closeAllConnections();
  site?.close();
  await home[Symbol.asyncDispose]();
});

const urls = () => ({ l1: status.l1.rpc, rollup: status.chains[0]?.nodes[0]?.el.http ?? '' });

it.each(['l1', 'rollup'] as const)('a local page adds %s to a wallet and sends by it', async (layer) => {
  const tab = await browser.newPage();
  await tab.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
  const key = status.chains[0]?.accounts[0]?.privateKey;
  const done = await tab.evaluate(`window.run(${JSON.stringify(urls()[layer])}, '${key}', '0x${'77'.repeat(20)}')`);
  expect(done).toEqual({
    chainId: layer === 'l1' ? '0x384' : '0x385',
    status: 'success',
    balance: `3${'0'.repeat(18)}`,
  });
  await tab.close();
});

/** Returns the status of a request with an origin, and whether its page may read the answer. */
function statusOf(url: string, origin: string): Promise<readonly [number | undefined, boolean]> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
  return new Promise((resolve, reject) => {
    request(
      url,
      { method: 'POST', headers: { origin, 'content-type': 'application/json' }, agent: false },
      (response) => {
        response.resume();
        const allowed = response.headers['access-control-allow-origin'];
        response.on('end', () => resolve([response.statusCode, allowed === origin || allowed === '*']));
      },
    )
      .on('error', reject)
      .end(body);
  });
}

it.each([
  ['chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn', 200],
  ['moz-extension://1b0e8e9c-3d2c-4f37-9d5c-0d5f5b9f1d53', 200],
  ['http://localhost:5173', 200],
  ['http://127.0.0.1:8080', 200],
  ['https://app.example', 200],
  ['https://other.example', 403],
])('a request of the origin %s gets status %i, as the page says', async (origin, status) => {
  for (const url of Object.values(urls())) expect(await statusOf(url, origin)).toEqual([status, status === 200]);
});
