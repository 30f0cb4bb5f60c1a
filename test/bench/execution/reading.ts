import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { JWT, temporaryFolder } from '../../nodes/execution/support/nodes.ts';
import { LAST, writeChain } from './reading-chain.ts';
import { quantile, type Reading, readings, type Sample } from './reading-load.ts';
import { anvilNode, ourNode, type ReadNode } from './reading-node.ts';
import { median } from './rounds.ts';
import { hex, Sender } from './workload.ts';

/** Gas of the transactions for each block. */
const FULL = 30_000_000;
/** Milliseconds from the attributes to getPayload. */
const BUILD_TIME_MS = 400;

interface Outcome {
  readonly sample: Sample;
  readonly perSecond: number;
}

/** Measures requests per second and p99 of reads, on an idle and on a building node, beside anvil. */
export async function reading(seconds: number, blocks: number): Promise<void> {
  console.log(
    `\nreading from a chain of ${blocks} blocks, requests evenly spaced; then while blocks of 30 Mgas are built, ` +
      `one a second (n requests each; of fewer than a hundred p99 is the slowest)`,
  );
  const folder = temporaryFolder();
  try {
    writeFileSync(join(folder, 'jwt.hex'), Buffer.from(JWT).toString('hex'), { mode: 0o600 });
    const sender = new Sender();
    await writeChain(folder, join(folder, 'data'), blocks, sender);
    await readBoth(() => ourNode(folder), sender, seconds, blocks);
    const other = new Sender();
    await readBoth(() => anvilNode(blocks, LAST, other), other, seconds, blocks);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readBoth(open: () => Promise<ReadNode>, sender: Sender, seconds: number, blocks: number): Promise<void> {
  await using node = await open();
  const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), { workerData: { url: node.url } });
  try {
    const all = readings(blocks);
    const idle: (Outcome | string)[] = [];
    const feed = new Feed(sender);
    // The first request loads code, so that it is not measured.
    await building(node, feed, async () => {
      for (const one of all) await read(worker, one, 1);
    });
    for (const one of all) idle.push(await read(worker, one, seconds));
    const alone = await building(node, feed, async () => void (await sleep(seconds * 1000)));
    console.log(`${node.name}, building alone: ${alone}`);
    console.log(
      `${''.padEnd(40)} ${'n'.padStart(5)} ${'idle p50'.padStart(10)} ${'p99'.padStart(9)} ${'req/s'.padStart(7)}` +
        ` ${'busy p50'.padStart(10)} ${'p99'.padStart(9)} ${'req/s'.padStart(7)}  p99 ratio`,
    );
    for (const [at, one] of all.entries()) {
      let busy: Outcome | string = 'not read';
      const blockTimes = await building(node, feed, async () => {
        busy = await read(worker, one, seconds);
      });
      console.log(row(one, idle[at]!, busy));
      console.log(`${''.padEnd(40)} ${blockTimes}`);
    }
  } finally {
    await worker.terminate();
  }
}

/** Feeds and makes a block each second while `work` runs. Returns the duration of each block. */
async function building(node: ReadNode, feed: Feed, work: () => Promise<void>): Promise<string> {
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  const times: number[] = [];
  const gas: number[] = [];
  while (!isDone) {
    const began = performance.now();
    const raws = feed.take();
    for (let at = 0; at < raws.length; at += 20)
      await Promise.all(raws.slice(at, at + 20).map((raw) => node.rpc.call('eth_sendRawTransaction', [raw])));
    const fed = performance.now();
    gas.push((await node.makeBlock(BUILD_TIME_MS)).gas);
    times.push(performance.now() - fed);
    feed.sign();
    await sleep(Math.max(0, 1000 - (performance.now() - began)));
  }
  await working;
  return (
    `blocks of ${(median(gas) / 1e6).toFixed(1)} Mgas took ${median(times).toFixed(0)} ms (worst ` +
    `${Math.max(...times).toFixed(0)}), ${BUILD_TIME_MS} of them waiting for transactions`
  );
}

/** Yields the transactions of full blocks, signed before they are sent. */
class Feed {
  readonly #sender: Sender;
  #recipient = 0x1000000;
  #next: string[] = [];

  constructor(sender: Sender) {
    this.#sender = sender;
    this.sign();
  }

  sign(): void {
    for (let gas = 0; gas < FULL; gas += 73_000)
      this.#next.push(hex(this.#sender.transfer(this.#recipient++)), hex(this.#sender.token(this.#recipient++)));
  }

  take(): string[] {
    return this.#next.splice(0);
  }
}

async function read(worker: Worker, reading: Reading, seconds: number): Promise<Outcome | string> {
  const answer = new Promise<{ error?: string } & Outcome>((resolve) => worker.once('message', resolve));
  worker.postMessage({ reading, seconds });
  const { error, ...outcome } = await answer;
  return error ?? outcome;
}

function row({ name }: Reading, idle: Outcome | string, busy: Outcome | string): string {
  const cells = (one: Outcome | string) =>
    typeof one === 'string'
      ? `  ${one.slice(0, 26).padEnd(26)}`
      : `${quantile(one.sample, 0.5).toFixed(1).padStart(7)} ms ` +
        `${quantile(one.sample, 0.99).toFixed(1).padStart(6)} ms ${one.perSecond.toFixed(0).padStart(7)}`;
  const ratio =
    typeof idle === 'string' || typeof busy === 'string'
      ? ''
      : `${(quantile(busy.sample, 0.99) / quantile(idle.sample, 0.99)).toFixed(1)}, goal 2`;
  const count = typeof busy === 'string' ? '' : String(busy.sample.times.length);
  return `${name.padEnd(40)} ${count.padStart(5)} ${cells(idle)} ${cells(busy)}  ${ratio}`;
}
