import { setTimeout as sleep } from 'node:timers/promises';
import { bytesToHex, quantity } from '../../../src/protocol/hex.ts';
import type { RpcClient } from '../../../src/rpc/client/client.ts';
import { TOKEN } from './workload.ts';

/** Kinds of reads, each with its requests per second. They are evenly spaced and do not wait for earlier answers. */
export interface Reading {
  readonly name: string;
  readonly perSecond: number;
  /** Factor for the duration of kinds with few requests per second. */
  readonly times: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** `blocks`: height of the chain that is read. */
export function readings(blocks: number): Reading[] {
  const token = bytesToHex(TOKEN);
  return [
    {
      name: 'eth_call',
      perSecond: 50,
      times: 1,
      method: 'eth_call',
      params: [{ from: `0x${'0'.repeat(24)}2${'0'.repeat(15)}`, to: token, data: `0x${'0'.repeat(128)}` }, 'latest'],
    },
    {
      name: `eth_getLogs over ${blocks.toLocaleString('en')} blocks`,
      perSecond: 2,
      times: 2,
      method: 'eth_getLogs',
      params: [{ fromBlock: '0x1', toBlock: quantity(blocks), address: token }],
    },
    {
      name: 'eth_getBlockByNumber, 300 transactions',
      perSecond: 30,
      times: 1,
      method: 'eth_getBlockByNumber',
      params: [quantity(blocks), true],
    },
    {
      name: 'debug_traceBlockByNumber, 300 calls',
      perSecond: 1,
      times: 2,
      method: 'debug_traceBlockByNumber',
      params: [quantity(blocks), { tracer: 'callTracer' }],
    },
  ];
}

export interface Sample {
  /** Milliseconds per request, ascending. */
  readonly times: readonly number[];
  readonly seconds: number;
}

/** Sends requests of a kind at its rate for some seconds. @throws if one fails */
export async function measure(rpc: RpcClient, reading: Reading, seconds: number): Promise<Sample> {
  const count = Math.max(5, Math.round(reading.perSecond * reading.times * seconds));
  const gap = 1000 / reading.perSecond;
  const start = performance.now();
  const pending: Promise<number>[] = [];
  for (let at = 0; at < count; at++) {
    const due = start + at * gap;
    await sleep(Math.max(0, due - performance.now()));
    // Measured from the due time: a late sender would hide the delay of the request before.
    pending.push(rpc.call(reading.method, [...reading.params]).then(() => performance.now() - due));
  }
  const times = (await Promise.all(pending)).sort((a, b) => a - b);
  return { times, seconds: (performance.now() - start) / 1000 };
}

export const quantile = ({ times }: Sample, share: number): number =>
  times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)] ?? Number.NaN;

/** Counts the requests that are answered in some seconds, one after another on each of four connections. */
export async function throughput(rpc: RpcClient, { method, params }: Reading, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let answered = 0;
  const one = async () => {
    while (performance.now() < until) {
      await rpc.call(method, [...params]);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: 4 }, one));
  return answered / seconds;
}
