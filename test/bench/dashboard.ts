import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, launch } from 'puppeteer-core';
import { processUse } from '../../src/system/process/use.ts';
import { devnetBin, run } from './devnet.ts';

/** Measures the dashboard in Chromium beside a page without content. BLOCKS is at least 1,000. */
const BLOCKS = Math.max(1000, Number(process.env['BLOCKS'] ?? 10_000));
const ROUNDS = Number(process.env['ROUNDS'] ?? 15);
/** Time (ms) for which the use of the processor is counted. */
const WATCH_TIME_MS = 10_000;
/** A devnet that runs already: its name, in the home of the environment. */
const RUNNING = process.env['DEVNET'];

const SPEC = { name: 'bench', ports: 'auto', l1: { blockTime: 12 }, chains: { main: { blockTime: 1 } } };

/** What the page shows when a view has what it reads. */
const VIEWS = {
  overview: 'main svg',
  heads: 'main canvas',
  forks: 'main section .dim',
  blocks: 'main tbody tr',
  'blocks/main/5': 'main dl',
  'blocks/main/address/0x4200000000000000000000000000000000000015': 'main dl',
  batches: 'main tbody tr',
  bridge: 'main .dim',
  divergence: 'main .good',
  processes: 'main tbody tr',
  'logs/l1-beacon': 'main pre',
  control: 'main select',
  connect: 'main tbody tr',
} as const;

const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
const ms = (time: number) => `${time.toFixed(0)} ms`;

/**
 * Opens an address in a new tab. Returns the ms from the navigation to the first element that a selector finds.
 * `without`: a path that the browser does not load.
 */
async function opened(browser: Browser, url: string, selector: string, without?: string): Promise<number> {
  const page = await browser.newPage();
  if (without !== undefined) {
    const session = await page.createCDPSession();
    await session.send('Network.enable');
    await session.send('Network.setBlockedURLs', { urls: [`*${without}`] });
  }
  await page.evaluateOnNewDocument(`
    window.shown = new Promise((resolve) => {
      const wanted = ${JSON.stringify(selector)};
      const shown = () => resolve(performance.now());
      const look = () => document.querySelector(wanted) && requestAnimationFrame(shown);
      new MutationObserver(look).observe(document, { childList: true, subtree: true });
    })`);
  await page.goto(url);
  const time = Number(await page.evaluate('window.shown'));
  await page.close();
  return time;
}

const cpu = (pid: number) => processUse(pid)?.cpuSeconds ?? Number.NaN;

/** Prints what one network costs. `pid`: of the process that serves the page. */
async function measure(title: string, browser: Browser, url: string, pid: number): Promise<void> {
  console.log(`${title}; load ${loadavg()[0]?.toFixed(1)}`);
  const cold = await opened(browser, url, 'main svg');
  const floor: number[] = [];
  const bundle: number[] = [];
  const first: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    floor.push(await opened(browser, `${url}favicon.ico`, 'body'));
    bundle.push(await opened(browser, url, 'main p', '/api/stream'));
    first.push(await opened(browser, url, 'main svg'));
  }
  console.log(
    `  first view: median ${ms(median(first))}, first of all ${ms(cold)} (goal 300 ms); ` +
      `the same page without its data ${ms(median(bundle))}, an address without content ${ms(median(floor))}`,
  );
  const page = await browser.newPage();
  await page.goto(url);
  await page.waitForSelector('main svg');
  for (const [view, selector] of Object.entries(VIEWS)) {
    const [busy, began] = [cpu(pid), performance.now()];
    await page.evaluate(`location.hash = '#/${view}'`);
    await page.waitForFunction(`document.querySelector(${JSON.stringify(selector)})`, { polling: 'raf' });
    const viewMs = performance.now() - began;
    await new Promise((done) => setTimeout(done, WATCH_TIME_MS));
    const share = ((cpu(pid) - busy) * 100_000) / (performance.now() - began);
    const { JSHeapUsedSize: heap = 0 } = await page.metrics();
    console.log(
      `  ${view.slice(0, 20).padEnd(20)} ` +
        `after ${ms(viewMs).padStart(7)}, ${share.toFixed(1).padStart(4)} % of a core (goal 3), ` +
        `heap of the page ${(heap / 1e6).toFixed(1)} MB`,
    );
  }
  await page.close();
}

/** Serves a network's dashboard and measures it. */
async function served(title: string, browser: Browser, name: string, env: NodeJS.ProcessEnv): Promise<void> {
  const server = spawn(process.execPath, [devnetBin, 'dashboard', name, '--port', '0'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  serving = server;
  const exit = new Promise((done) => server.on('exit', done));
  try {
    for await (const line of createInterface({ input: server.stderr })) {
      const url = /http:\S+/.exec(line)?.[0];
      if (url !== undefined) return await measure(title, browser, url, server.pid ?? 0);
    }
  } finally {
    server.kill();
    await exit;
  }
}

/** The process that serves the page. */
let serving: ChildProcess | undefined;

const folder = mkdtempSync(join(tmpdir(), 'dashboard-bench-'));
const browser = await launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
  // Signals end it below, after the network.
  ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
});
const env = RUNNING === undefined ? { ...process.env, DEVNET_HOME: join(folder, 'home') } : process.env;
/** Ends all that was started. */
async function end(): Promise<void> {
  serving?.kill();
  await browser.close().catch(() => undefined);
  if (RUNNING === undefined) await run(['down', '--all'], env).catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
}

// A signal ends this process without `finally`.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void end().finally(() => process.exit(130)));
try {
  const name = RUNNING ?? SPEC.name;
  if (RUNNING === undefined) {
    const spec = join(folder, 'bench.yaml');
    writeFileSync(spec, JSON.stringify(SPEC));
    await run(['up', spec, '-d'], env);
    await run(['wait', 'safe:1', '--name', name], env);
    await served('a young chain', browser, name, env);
    await run(['warp', '--to', `block:${BLOCKS}`, '--name', name], env);
  }
  await served(RUNNING === undefined ? `a chain of ${BLOCKS} blocks` : name, browser, name, env);
} finally {
  await end();
}
