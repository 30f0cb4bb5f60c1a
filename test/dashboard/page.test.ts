import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import axe from 'axe-core';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Home, root } from '../e2e/devnet.ts';

const WIDE = { width: 1440, height: 900 };

/** A verifier without the fork that the others activate: it diverges, and the reason is known. */
const SPEC = {
  name: 'shown',
  ports: 'auto',
  chains: {
    main: {
      blockTime: 1,
      forks: { base: 'holocene', isthmus: '+12s', jovian: 'never' },
      nodes: {
        sequencer: { role: 'sequencer', el: 'execution-rust' },
        verifier: { el: 'execution-go' },
        late: { el: 'execution-go', override: { isthmus: '+300s' } },
      },
    },
  },
};

let home: Home;
let browser: Browser;
let page: Page;
let url: string;
let token: string;
/** Pages of a deposit, once there is one. */
let message: string;
let transaction: string;

/** Runs the dashboard as a process and returns the address that it prints. */
async function serve(): Promise<string> {
  const server = home.start('dashboard', '--port', '0');
  for await (const line of createInterface({ input: server.stderr! })) {
    const address = /http:\S+/.exec(line)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error('devnet dashboard ended');
}

beforeAll(async () => {
  home = new Home();
  await home.up(home.spec('shown', SPEC));
  url = await serve();
  token = readFileSync(join(home.env['DEVNET_HOME']!, 'shown', 'dashboard.token'), 'utf8').trim();
  browser = await launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  page = await browser.newPage();
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
  await page.setViewport(WIDE);
  await page.goto(`${url}#token=${token}`);
});
afterAll(async () => {
  await browser?.close();
  for (const child of home.started) child.kill();
  await home[Symbol.asyncDispose]();
});

/** Each page, and an element that it has when it is read. */
const PAGES = [
  ['overview', '.card'],
  ['heads', 'canvas'],
  ['forks', 'table'],
  ['blocks/main', 'tbody tr'],
  ['blocks/main/12', 'tbody tr'],
  ['blocks/main/address/0x4200000000000000000000000000000000000015', 'dl'],
  ['batches', 'tbody tr'],
  ['bridge', 'h2'],
  ['divergence', 'tbody tr'],
  ['processes', 'tbody tr'],
  ['logs', 'pre'],
  ['control', 'select'],
  ['connect', 'tbody tr'],
  ['nothing', 'h2'],
] as const;

const textNow = () => page.evaluate('document.body.innerText').then(String);
const shows = (pattern: string | RegExp) => expect.poll(textNow).toMatch(pattern);
/** Reads the unsafe head of the sequencer from the overview. */
const head = async () => Number(/main\/sequencer\s+\w+\s+(\d+)/.exec(await textNow())?.[1]);
const visit = (place: string) => page.evaluate(`location.hash = '#/${place}'`);

/** Fills a field at once. The page draws itself each second, and puts back what a field had before an event. */
async function fill(selector: string, text: string): Promise<void> {
  await page.waitForSelector(selector);
  await page.evaluate(`(() => {
    const field = document.querySelector(${JSON.stringify(selector)});
    field.value = ${JSON.stringify(text)};
    field.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
}

async function press(label: string): Promise<void> {
  await page.locator(`::-p-xpath(//button[normalize-space()='${label}'])`).click();
}

async function shot(name: string): Promise<void> {
  // SCREENSHOTS=docs/how-to/dashboard makes those of the documentation anew.
  const folder = resolve(root, process.env['SCREENSHOTS'] ?? join(home.folder, 'screenshots'));
  mkdirSync(folder, { recursive: true });
  // No path of the machine stands in a picture.
  await page.evaluate(`(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let each = texts.nextNode(); each !== null; each = texts.nextNode())
      each.data = each.data.replaceAll('${join(home.folder, 'home')}', '~/.local/state/devnet')
        .replaceAll('${root}', '~/rollup-devnet');
  })()`);
  await page.screenshot({ path: `${join(folder, name)}.webp`, type: 'webp', quality: 30 });
}

/** Takes pictures of a page in light, dark and narrow, each when it shows something. */
async function shots(name: string, pattern: RegExp): Promise<void> {
  await shows(pattern);
  await shot(`${name}-light`);
  await press('dark');
  await shows(pattern);
  await shot(`${name}-dark`);
  await press('light');
  await page.setViewport({ width: 390, height: 844 });
  await shows(pattern);
  // The page itself does not scroll sideways: only its tables do.
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await shot(`${name}-narrow`);
  await page.setViewport(WIDE);
}

it('the page takes the token out of the address, and shows a network that changes', async () => {
  await shows('main/sequencer');
  expect(await page.title()).toMatch(/^shown: \w+ – Overview$/);
  expect(page.url()).not.toContain(token);
  const before = await head();
  await expect.poll(head).toBeGreaterThan(before);
});

it('the page says that an address is unknown, and leads back', async () => {
  await visit('nothing');
  await shows('unknown address');
  await page.locator('main a').click();
  await shows('main/sequencer');
});

it('the overview names the cause of the divergence in its first words', async () => {
  await visit('overview');
  await expect
    .poll(textNow, { timeout: 100_000 })
    .toContain('main/late left the chain at block 12: isthmus not active');
});

it('the page explains the divergence of the node without the fork', async () => {
  await visit('divergence');
  await shows('main/late left the chain at block 12: isthmus not active there');
  await shows(/majority: main\/sequencer\s+minority: main\/late[\s\S]*requestsHash\s+0x\w+\s+absent/);
  await page.locator('summary').click();
  await shows('launch commands of the minority');
  const document = await page.evaluate(`fetch(document.querySelector('a[download]').href).then((each) => each.json())`);
  expect(document).toMatchObject({ block: 12, nodes: ['late'] });
  await visit('divergence/main/99/late');
  await shows('no report of main 99 late');
});

it.each([
  ['overview', /gossip|late/],
  ['heads', /\d+ samples[\s\S]*main\/late\s*1\d[\s\S]*\d gwei/],
  ['forks', /isthmus[\s\S]*in \d+ [\s\S]*active from the genesis on/],
  ['blocks', /finalized[\s\S]*0x/],
  ['blocks/main/5', /Block 5 of main\/sequencer[\s\S]*span batch[\s\S]*l1Block/],
  ['blocks/main/12', /first block of isthmus/],
  ['blocks/main/address/0x4200000000000000000000000000000000000015', /bytes: a contract[\s\S]*from block 0 on/],
  ['batches', /span[\s\S]*zlib/],
  ['bridge', /no deposit in the last 5,000 blocks/],
  ['divergence', /main\/late left the chain[\s\S]*gasUsed/],
  ['processes', /main\/verifier\/el[\s\S]*MB[\s\S]*dashboard/],
  ['logs', /main\/sequencer\/cl t=\d{4}[\s\S]*l1-beacon|l1-beacon[\s\S]*main\/sequencer\/cl t=\d{4}/],
  ['logs/main%2Fsequencer%2Fcl', /\d{4}-\d\d-\d\d/],
  ['control', /restart[\s\S]*override/],
  ['connect', /sequencer RPC[\s\S]*show the keys[\s\S]*faucet/],
])('the page shows %s in light and dark, wide and narrow', async (place, pattern) => {
  const name = place.split(/%|\/0x/)[0]!.replaceAll('/', '-');
  await visit(place);
  await shots(name, pattern);
});

it('the page of a block shows its trace, from its build to its finality on each node', async () => {
  await visit('overview');
  await expect.poll(head).toBeGreaterThan(0);
  const before = await head();
  await expect.poll(head).toBeGreaterThan(before);
  await visit(`blocks/main/${await head()}`);
  for (const each of ['build\\s+main/sequencer', 'finalized\\s+main/sequencer', 'finalized\\s+main/verifier'])
    await shows(new RegExp(each));
  for (const theme of ['light', 'dark']) {
    if (theme === 'dark') await press('dark');
    await page.evaluate(`document.querySelector('.waterfall').scrollIntoView({ block: 'end' })`);
    await shot(`trace-${theme}`);
  }
  await press('light');
});

/** Lists what axe finds on pages in a theme. Each has an element that it has when it is read. */
async function findings(theme: string, pages: readonly (readonly [place: string, element: string])[]) {
  const other = await browser.newPage();
  // The policy of the page permits no script of a test.
  await other.setBypassCSP(true);
  await other.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
  await other.goto(url);
  await other.evaluate(axe.source);
  const all: string[] = [];
  for (const [place, element] of pages) {
    await other.evaluate(`location.hash = '#/${place}'`);
    await other.waitForSelector(`main ${element}`);
    const { violations } = (await other.evaluate('axe.run(document)')) as {
      readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
    };
    all.push(...violations.map(({ id, nodes }) => `${place}: ${id}: ${nodes[0]?.html}`));
  }
  await other.close();
  return all;
}

it.each(['light', 'dark'])('axe finds nothing on any page in the %s theme', async (theme) => {
  expect(await findings(theme, PAGES)).toEqual([]);
});

it('a deposit appears, has a page with both its ends, and its transaction is decoded', async () => {
  const deposit = await home.devnet('deposit', `0x${'12'.repeat(20)}`, '2ether');
  expect(deposit.code, deposit.stderr).toBe(0);
  await visit('bridge');
  await shows(/2 ether\s+on L2, block \d+/);
  await shots('bridge', /2 ether/);
  await page.locator('section a').click();
  const steps = /Deposit from L1 to main[\s\S]*2 ether[\s\S]*deposited\s+done\s+L1[\s\S]*executed\s+done\s+main/;
  await shots('message', steps);
  message = page.url().split('#/')[1] ?? '';
  await page.locator('tbody tr:first-child td:nth-child(6) a').click();
  await shows(/depositTransaction[\s\S]*TransactionDeposited/);
  transaction = page.url().split('#/')[1] ?? '';
  // An address inside the log is a link.
  await page.locator('tbody ul a[title="0x1212121212121212121212121212121212121212"]').click();
  // The receiver is on the other layer.
  await shows('Address on main/sequencer');
  await visit(transaction);
  await press('trace');
  await shows(/call \S+[\s\S]*gas/);
});

it.each(['light', 'dark'])('axe finds nothing on a message and its transaction in the %s theme', async (theme) => {
  const pages = [
    [message, 'tbody tr'],
    [transaction, 'tbody tr'],
  ] as const;
  expect(await findings(theme, pages)).toEqual([]);
});

it('the search finds numbers, hashes, addresses and names', async () => {
  const search = async (word: string) => {
    await fill('main input[type=search]', word);
    await page.focus('main input[type=search]');
    await page.keyboard.press('Enter');
  };
  await visit('blocks/main');
  await search('5');
  await shows('Block 5 of main/sequencer');
  const hash = String(await page.evaluate(`document.querySelector('dd .mono').textContent`));
  await search(hash);
  await expect.poll(() => page.url()).toContain(`#/blocks/main/${hash}`);
  await search('batcher');
  await shows('batcher on l1');
  await search(`0x${'12'.repeat(20)}`);
  await shows('none: an account');
  await visit('blocks/nowhere');
  await shows('unknown chain nowhere');
});

it('the page shows HTML of a contract as text', async () => {
  const html = '<img src=x onerror="window.broken = true">\u001b[31m';
  const hash = `0x${'ab'.repeat(32)}`;
  const party = { address: `0x${'cd'.repeat(20)}`, name: html };
  const call = { name: html, signature: html, args: { [html]: html, long: html.repeat(100) } };
  const view = {
    ...{ place: 'main/sequencer', index: 0, hash, kind: 'legacy', from: party, to: party, value: '0', call },
    ...{ selector: null, inputBytes: 4, status: 'success', gasUsed: 1, block: null, nonce: 0, gasLimit: 1 },
    ...{ creates: null, fees: null, deposit: null, deposits: [], inbox: null, carrier: null, trace: null },
    links: { [party.address]: { to: '#/blocks/main', name: html } },
    logs: [{ index: 0, emitter: party, event: { ...call, args: { ...call.args, at: party.address } }, topics: [] }],
  };
  const other = await browser.newPage();
  await other.setRequestInterception(true);
  other.on('request', (request) => {
    if (!request.url().includes('/api/read/tx')) return void request.continue();
    return void request.respond({ contentType: 'application/json', body: JSON.stringify(view) });
  });
  await other.goto(`${url}#/blocks/main/tx/${hash}`);
  await expect.poll(() => other.evaluate('document.body.innerText').then(String)).toContain('<img src=x');
  const found = await other.evaluate(`[document.images.length, window.broken ?? null, document.body.innerText]`);
  // A page in the background would not take a click.
  await other.close();
  expect(found).toEqual([0, null, expect.not.stringContaining('\u001b')]);
});

it('the keyboard reaches every button, in the order of the page, and the focus is visible', async () => {
  await visit('control');
  await shows('resume the clock');
  const names: string[] = [];
  await page.evaluate(`document.querySelector('header button').focus()`);
  for (let presses = 0; presses < 40 && names.at(-1) !== 'save a snapshot'; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(`(() => {
      const { activeElement: each } = document;
      return [each.tagName === 'BUTTON' ? each.textContent : each.tagName, getComputedStyle(each).outlineStyle];
    })()`);
    const [name, outline] = focused as readonly [string, string];
    expect(outline, name).not.toBe('none');
    names.push(name);
  }
  const buttons = names.filter((name) => /^[a-z]/.test(name));
  const clock = ['warp', 'pause the clock', 'resume the clock', 'save a snapshot'];
  expect(buttons).toEqual(['stop', 'start', 'restart', 'kill', 'pause', 'resume', 'override', ...clock]);
  await page.keyboard.press('Enter');
  expect(await page.$('dialog[open]')).not.toBeNull();
  await page.keyboard.press('Escape');
  expect(await page.$('dialog[open]')).toBeNull();
});

it('keys select views, and reach a button', async () => {
  await page.keyboard.press('2');
  await expect.poll(() => page.url()).toContain('#/heads');
  await page.keyboard.press('0');
  await shows('Processes');
});

it('a button pauses and resumes a node, and a wrong token is refused', async () => {
  await visit('control');
  await page.select('select', 'main/verifier');
  await press('pause');
  await shows('pause: main/verifier/el, main/verifier/cl');
  await visit('overview');
  await shows(/verifier\s+paused/);
  await visit('control');
  await page.select('select', 'main/verifier');
  await press('resume');
  await shows('resume: main/verifier/el, main/verifier/cl');
  await fill('input[type=password]', '0'.repeat(64));
  await press('pause');
  await shows('wrong token');
  await fill('input[type=password]', token);
});

it('the page shows keys when a button is pressed, and adds a chain to a wallet', async () => {
  await visit('connect');
  await shows('this browser has no wallet');
  const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
  expect(await textNow()).not.toContain(key);
  await press('show the keys');
  await shows(key);
  await page.evaluate(`window.ethereum = { request: async (call) => void (window.asked = call) }`);
  await visit('overview');
  await visit('connect');
  await press('add to the wallet');
  await shows('the wallet has the chain');
  expect(await page.evaluate('window.asked')).toMatchObject({
    params: [{ chainId: '0x385', chainName: 'devnet main' }],
  });
});

it('the faucet of the page mints ether', async () => {
  await visit('connect/main');
  const to = `0x${'34'.repeat(20)}`;
  await fill('input[aria-label="address on L2"]', to);
  await press('send');
  await shows(`${to} has 1 ether on main now`);
});

it('buttons are disabled without a token, and the page says why', async () => {
  await visit('control');
  const disabled = () => page.$$eval('main button:not(dialog button)', (all) => all.every((each) => each.disabled));
  expect(await disabled()).toBe(false);
  for (const [typed, reason] of [
    ['abc', 'a token has 64 digits'],
    ['', 'there is no token'],
  ] as const) {
    await fill('input[type=password]', typed);
    await shows(`All buttons are disabled: ${reason}`);
    expect(await disabled()).toBe(true);
    // A screen reader reads the reason with each button.
    const described = (await page.evaluate(`[...document.querySelectorAll('main button:not(dialog button)')].map(
      (each) => document.getElementById(each.getAttribute('aria-describedby'))?.textContent)`)) as readonly unknown[];
    expect(described.length).toBeGreaterThan(5);
    for (const text of described) expect(text).toBe(`disabled: ${reason}${typed === '' ? '' : ' and letters a to f'}`);
  }
  await fill('input[type=password]', token);
  await expect.poll(disabled).toBe(false);
});

it.each(['stop', 'kill'])('the button %s asks once, and does nothing when it is cancelled', async (action) => {
  await visit('control');
  await page.select('select', 'main/verifier');
  await press(action);
  await shows(`${action} main/verifier?`);
  // The button that cancels has the focus.
  await page.keyboard.press('Enter');
  expect(await page.$('dialog[open]')).toBeNull();
  await visit('overview');
  await shows(/main\/verifier\s+ready/);
});

it('buttons save a snapshot under a name, and take the network back to it', async () => {
  await visit('control');
  await press('save a snapshot');
  await fill('dialog[open] input', 'No Name');
  await press('save');
  // The browser refuses the name: its dialog stays.
  expect(await page.$('dialog[open]')).not.toBeNull();
  await page.keyboard.press('Escape');
  await press('save a snapshot');
  await fill('dialog[open] input', 'before');
  await press('save');
  await shows(/saved at \S+: before/);
  await shows(/before\s+\d+\.\d\s+\d{4}-/);
  const listed = await home.devnet('snapshot', 'ls', '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'before' }]);
  const savedAt = /saved at (\S+): before/.exec(await textNow())?.[1];
  await press('restore');
  await shows('as the snapshot before has it');
  await shot('snapshot-dialog-light');
  await press('go back');
  await shows(`back at ${savedAt}: before`);
  await visit('overview');
  await shows(/verifier\s+ready/);
});

it('the page shows a node that dies, and a log line of 10 MB', async () => {
  await home.devnet('node', 'kill', 'verifier');
  await visit('overview');
  await shows(/verifier\s+stopped/);
  appendFileSync(join(home.env['DEVNET_HOME']!, 'shown/nodes/main/verifier/el.log'), `${'x'.repeat(10_000_000)}\n`);
  await visit('logs/main%2Fverifier%2Fel');
  await shows('xxxx');
  expect((await textNow()).length).toBeLessThan(400_000);
  await home.devnet('node', 'start', 'verifier');
  await visit('overview');
  await shows(/verifier\s+ready/);
});

it('a page of another origin gets no answer', async () => {
  const foreign = createServer((_, response) => response.end('<!doctype html>'));
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  const other = await browser.newPage();
  await other.goto(`http://localhost:${(foreign.address() as AddressInfo).port}/`);
  const outcome = await other.evaluate(
    `fetch('${url}api/read/blocks?chain=main').then((r) => r.status, () => 'refused')`,
  );
  expect(outcome).toBe('refused');
  await other.close();
  foreign.closeAllConnections();
  await new Promise((resolve) => foreign.close(resolve));
});

it('the page reports a stopped network and an ended server', async () => {
  await visit('overview');
  const stopped = await home.devnet('stop');
  expect(stopped.code, stopped.stderr).toBe(0);
  await shows('the network does not run');
  // Below stand the events of before.
  const [present] = (await textNow()).split('\nEvents\n');
  expect(present).not.toMatch(/all nodes agree|\bready\b/);
  const started = await home.process('start', '--ready-budget', '300s');
  expect(started.code, started.stderr).toBe(0);
  await shows(/main\/sequencer\s+ready/);
  const server = home.started.find(({ spawnargs, exitCode }) => spawnargs.includes('dashboard') && exitCode === null);
  server?.kill();
  await shows(/unknown[\s\S]*what you see is of \d\d:\d\d:\d\d UTC/);
  expect(await page.$('main.stale')).not.toBeNull();
});
