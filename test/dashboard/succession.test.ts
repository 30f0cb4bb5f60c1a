import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import axe from 'axe-core';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Home, root } from '../e2e/devnet.ts';

/** Both networks have the same genesis, to the hash. */
const SPEC = {
  name: 'followed',
  ports: 'auto',
  time: { genesis: Math.floor(Date.now() / 1000) },
  chains: { main: { blockTime: 2 } },
};
const THEMES = ['light', 'dark'] as const;

let home: Home;
let browser: Browser;
let pages: ReadonlyMap<string, Page>;

beforeAll(async () => {
  home = new Home();
  await home.up(home.spec('followed', SPEC));
  const server = home.start('dashboard', '--port', '0');
  let url: string | undefined;
  for await (const line of createInterface({ input: server.stderr! })) {
    url = /http:\S+/.exec(line)?.[0];
    if (url !== undefined) break;
  }
  const token = readFileSync(join(home.env['DEVNET_HOME']!, 'followed', 'dashboard.token'), 'utf8').trim();
  browser = await launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  const open = async (theme: string) => {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    // The policy of the page permits no script of a test.
    await page.setBypassCSP(true);
    await page.setViewport({ width: 1440, height: 900 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await page.goto(`${url}#token=${token}`);
    await page.evaluate(axe.source);
    return [theme, page] as const;
  };
  pages = new Map(await Promise.all(THEMES.map(open)));
});
afterAll(async () => {
  await browser?.close();
  for (const child of home.started) child.kill();
  await home[Symbol.asyncDispose]();
});

const pageOf = (theme: string): Page => pages.get(theme)!;
const textOf = (theme: string) => pageOf(theme).evaluate('document.body.innerText').then(String);
const shows = (theme: string, pattern: RegExp) => expect.poll(() => textOf(theme)).toMatch(pattern);

/** Names what axe finds on a page, and takes a picture of it into the folder of SCREENSHOTS. */
async function findings(theme: string, name: string): Promise<readonly string[]> {
  const folder = resolve(root, process.env['SCREENSHOTS'] ?? join(home.folder, 'screenshots'));
  mkdirSync(folder, { recursive: true });
  await pageOf(theme).screenshot({ path: `${join(folder, `${name}-${theme}`)}.webp`, type: 'webp', quality: 30 });
  const { violations } = (await pageOf(theme).evaluate('axe.run(document)')) as {
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Returns the lines of the events: each has its time. */
const eventsIn = (text: string) => text.slice(text.lastIndexOf('Events')).match(/^\d\d:.*$/gm) ?? [];
let before: readonly string[] = [];

it('an open page says that its network was taken down, in both themes', async () => {
  await home.devnet('node', 'stop', 'verifier');
  for (const theme of THEMES) await shows(theme, /main\/sequencer\s+ready[\s\S]*Events[\s\S]*main\/verifier/);
  before = eventsIn(await textOf('light'));
  const down = await home.devnet('down');
  expect(down.code, down.stderr).toBe(0);
  for (const theme of THEMES) {
    await shows(theme, /followed was taken down/);
    expect(await pageOf(theme).title()).toBe('followed: taken down – Overview');
    expect(await findings(theme, 'taken-down')).toEqual([]);
  }
});

it('an open page shows the next network of that name, nothing of the first, and needs its token', async () => {
  await home.up(home.spec('followed', SPEC));
  for (const theme of THEMES) {
    await shows(theme, /main\/verifier\s+ready/);
    const text = await textOf(theme);
    expect(text).not.toContain('taken down');
    // Batchers and proposers count from the beginning of their network.
    expect(text).not.toMatch(/\s-\d/);
    expect(eventsIn(text).filter((each) => before.includes(each))).toEqual([]);
    expect(await pageOf(theme).$('main.stale')).toBeNull();
    expect(await findings(theme, 'next')).toEqual([]);
    await pageOf(theme).evaluate(`location.hash = '#/control'`);
    await shows(theme, /All buttons are disabled: there is no token/);
    await pageOf(theme).evaluate(`location.hash = '#/heads'`);
    // The time of the plots begins with the second network.
    const samples = async () => Number(/(\d+) samples/.exec(await textOf(theme))?.[1]);
    await expect.poll(samples).toBeGreaterThan(1);
  }
});
