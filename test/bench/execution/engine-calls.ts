import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { bytesToHex, quantity } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { l1Info, type Payload } from '../../nodes/execution/support/driver.ts';
import { GENESIS_TIME } from '../../nodes/execution/support/genesis.ts';
import { JWT, temporaryFolder } from '../../nodes/execution/support/nodes.ts';
import { start } from './nodes.ts';
import { writeChain } from './reading-chain.ts';
import { quantile } from './reading-load.ts';
import { ARITHMETIC, hex, Sender, TOKEN } from './workload.ts';

/** Gas of the transactions that each block is given. */
const FULL = 10_000_000;
/** Milliseconds that a block is built for before it is asked for. */
const BUILD_TIME_MS = 300;
/** Milliseconds between two calls of eth_blockNumber. */
const POLL_INTERVAL_MS = 25;
/** Reads that are under way at a time. */
const READERS = 8;

/** Gas at which the loop of a call ends, as a word. */
const GAS_LEFT = `0x${(900_000).toString(16).padStart(64, '0')}`;

type Node = Awaited<ReturnType<typeof start>>;
type Times = Map<string, number[]>;
type Read = readonly [method: string, params: readonly unknown[]];

/** Kinds of load, by name. `last`: number of the block with many transactions. */
function loads(last: number): Record<string, readonly Read[]> {
  const token = bytesToHex(TOKEN);
  const call: Read = ['eth_call', [{ to: token, data: `0x${'0'.repeat(128)}` }, 'latest']];
  const loop: Read = ['eth_call', [{ to: bytesToHex(ARITHMETIC), data: GAS_LEFT, gas: quantity(1_000_000) }, 'latest']];
  const logs: Read = ['eth_getLogs', [{ fromBlock: '0x1', toBlock: quantity(last), address: token }]];
  const block: Read = ['eth_getBlockByNumber', [quantity(last), true]];
  const trace: Read = ['debug_traceBlockByNumber', [quantity(last), { tracer: 'callTracer' }]];
  const steps: Read = ['debug_traceBlockByNumber', [quantity(last), {}]];
  return {
    none: [],
    'short eth_call': [call],
    'eth_call of 0.1 Mgas': [loop],
    eth_getLogs: [logs],
    eth_getBlockByNumber: [block],
    callTracer: [trace],
    'struct logger': [steps],
    all: [call, loop, logs, block, trace, steps, call, call],
  };
}

/** Measures p50, p99 and maximum of the Engine API's calls and of eth_blockNumber under each kind of read. */
export async function engineCalls(rounds: number, blocks: number): Promise<void> {
  const folder = temporaryFolder();
  const only = process.env['LOADS']?.split(',');
  try {
    writeFileSync(join(folder, 'jwt.hex'), Buffer.from(JWT).toString('hex'), { mode: 0o600 });
    const sender = new Sender();
    await writeChain(folder, join(folder, 'sequencer'), blocks, sender);
    cpSync(join(folder, 'sequencer'), join(folder, 'verifier'), { recursive: true });
    const chain = new Chain(await start(folder, 'sequencer'), await start(folder, 'verifier'), sender);
    try {
      await chain.open();
      await chain.run(5, new Map(), new Map());
      console.log(
        `\nEngine API while ${READERS} reads are under way, ${rounds} blocks of ${FULL / 1e6} Mgas; ms p50/p99/max`,
      );
      for (const [name, reads] of Object.entries(loads(blocks))) {
        if (only !== undefined && !only.includes(name)) continue;
        const built: Times = new Map();
        const checked: Times = new Map();
        const perSecond: string[] = [];
        for (const [node, into] of [
          [chain.sequencer, built],
          [chain.verifier, checked],
        ] as const) {
          perSecond.push(
            await reading(node.url, reads, async () => {
              const poll = polling(node, into);
              await chain.run(rounds, built === into ? into : new Map(), checked === into ? into : new Map());
              await poll.end();
            }),
          );
        }
        console.log(`  ${name} (${perSecond.join(', ')})`);
        for (const [role, times] of [
          ['sequencer', built],
          ['verifier', checked],
        ] as const)
          for (const [call, values] of times) console.log(`    ${role.padEnd(10)} ${row(call, values)}`);
      }
    } finally {
      await chain.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function row(call: string, values: readonly number[]): string {
  const times = values.toSorted((a, b) => a - b);
  const at = (share: number) => quantile({ times, seconds: 0 }, share).toFixed(1).padStart(7);
  return `${call.padEnd(28)} ${at(0.5)} ${at(0.99)} ${at(1)}  (n ${times.length})`;
}

/** A sequencer and a verifier of one chain, driven as rollup nodes do. */
class Chain {
  readonly sequencer: Node;
  readonly verifier: Node;
  readonly #sender: Sender;
  #parent: Hex = '0x';
  #number = 0;
  #recipient = 0x1000000;

  constructor(sequencer: Node, verifier: Node, sender: Sender) {
    this.sequencer = sequencer;
    this.verifier = verifier;
    this.#sender = sender;
  }

  async open(): Promise<void> {
    const head = await this.sequencer.rpc.call<{ hash: Hex; number: Hex }>('eth_getBlockByNumber', ['latest', false]);
    this.#parent = head.hash;
    this.#number = Number(head.number);
  }

  /** Builds blocks on one node and imports them on the other. Notes the milliseconds of each call. */
  async run(count: number, built: Times, checked: Times): Promise<void> {
    for (; count > 0; count--) {
      const began = performance.now();
      const raws: string[] = [];
      for (let gas = 0; gas < FULL; gas += 73_000)
        raws.push(hex(this.#sender.transfer(this.#recipient++)), hex(this.#sender.token(this.#recipient++)));
      for (let at = 0; at < raws.length; at += 20)
        await Promise.all(
          raws.slice(at, at + 20).map((raw) => this.sequencer.rpc.call('eth_sendRawTransaction', [raw])),
        );
      const { driver } = this.sequencer;
      const time = GENESIS_TIME + ++this.#number;
      const attributes = driver.attributes(time, [l1Info(this.#number)]);
      const { payloadId } = await timed(built, 'forkchoiceUpdated, attributes', () =>
        driver.makeCanonical(this.#parent, attributes),
      );
      await sleep(BUILD_TIME_MS);
      const payload = await timed(built, 'getPayload', () => driver.payload(payloadId!, time));
      await timed(built, 'newPayload of its own', () => driver.import(payload));
      await timed(built, 'forkchoiceUpdated', () => driver.makeCanonical(payload.hash));
      await this.#check(payload, checked);
      this.#parent = payload.hash;
      await sleep(Math.max(0, 500 - (performance.now() - began)));
    }
  }

  async #check(payload: Payload, times: Times): Promise<void> {
    const { driver } = this.verifier;
    const { status } = await timed(times, 'newPayload', () => driver.import(payload));
    if (status !== 'VALID') throw new Error(`block ${payload.number} is ${status}`);
    await timed(times, 'forkchoiceUpdated', () => driver.makeCanonical(payload.hash));
  }

  async close(): Promise<void> {
    for (const { rpc, driver, program } of [this.sequencer, this.verifier]) {
      rpc.close();
      driver.engine.close();
      program.child.kill('SIGTERM');
      await program.exit;
    }
  }
}

async function timed<Result>(times: Times, name: string, call: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await call();
  const list = times.get(name) ?? [];
  list.push(performance.now() - began);
  times.set(name, list);
  return result;
}

function polling({ rpc }: Node, times: Times): { end(): Promise<void> } {
  let isOver = false;
  const pending: Promise<unknown>[] = [];
  const poll = async () => {
    while (!isOver) {
      pending.push(timed(times, 'eth_blockNumber', () => rpc.call('eth_blockNumber', [])));
      await sleep(POLL_INTERVAL_MS);
    }
  };
  const running = poll();
  return {
    async end() {
      isOver = true;
      await running;
      await Promise.all(pending);
    },
  };
}

/** Reads from a thread of its own while `work` runs. Returns how many reads were answered per second and failed. */
async function reading(url: string, reads: readonly Read[], work: () => Promise<void>): Promise<string> {
  if (reads.length === 0) {
    await work();
    return 'no reads';
  }
  const workerData = { url, reads, readers: READERS };
  const worker = new Worker(new URL('./read-loop.ts', import.meta.url), { workerData });
  const began = performance.now();
  // What the first reads load is not what is measured.
  await sleep(3000);
  try {
    await work();
    const count = new Promise<{ answered: number; failed: number }>((resolve) => worker.once('message', resolve));
    worker.postMessage('count');
    const { answered, failed } = await count;
    return `${((answered * 1000) / (performance.now() - began)).toFixed(1)} reads/s, ${failed} failed`;
  } finally {
    await worker.terminate();
  }
}
