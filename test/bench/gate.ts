import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';
import { ask } from './poll.ts';

const ROUNDS = 9;
const CALLS = 300;
const AT_ONCE = 16;

/** Microseconds per call of L1 itself and through its gate, one value per round. */
export interface GateCost {
  readonly how: string;
  readonly direct: readonly number[];
  readonly gate: readonly number[];
}

/** Measures calls of L1 through its gate and calls of L1 itself, alternately, on one running network. */
export async function gateCosts(home: string): Promise<readonly GateCost[]> {
  const { l1 } = (JSON.parse(readFileSync(join(home, 'default', 'plan.json'), 'utf8')) as Plan).network;
  const http = (url: string) => () => ask(url, 'eth_blockNumber');
  const sockets = await Promise.all([openSocket(l1.direct.ws), openSocket(l1.ws)]);
  const ways = [
    { how: 'HTTP, one call after another', atOnce: 1, direct: http(l1.direct.rpc), gate: http(l1.rpc) },
    { how: `HTTP, ${AT_ONCE} at once`, atOnce: AT_ONCE, direct: http(l1.direct.rpc), gate: http(l1.rpc) },
    { how: 'WebSocket, one call after another', atOnce: 1, direct: sockets[0].call, gate: sockets[1].call },
  ];
  const costs = await costsOf(ways);
  for (const { close } of sockets) close();
  return costs;
}

/** A call to a server, made directly and through a proxy before it. */
export interface Way {
  readonly how: string;
  readonly atOnce: number;
  readonly direct: () => Promise<unknown>;
  readonly gate: () => Promise<unknown>;
}

/** Measures direct calls and those through a proxy alternately. */
export async function costsOf(ways: readonly Way[]): Promise<readonly GateCost[]> {
  const costs: GateCost[] = [];
  for (const { how, atOnce, direct, gate } of ways) {
    const cost = { how, direct: [] as number[], gate: [] as number[] };
    for (let round = 0; round <= ROUNDS; round++) {
      const [directMs, through] = [await perCall(direct, atOnce), await perCall(gate, atOnce)];
      // The first round opens connections and compiles.
      if (round === 0) continue;
      cost.direct.push(directMs);
      cost.gate.push(through);
    }
    costs.push(cost);
  }
  return costs;
}

async function perCall(call: () => Promise<unknown>, atOnce: number): Promise<number> {
  const began = performance.now();
  const lane = async () => {
    for (let done = 0; done < CALLS / atOnce; done++) await call();
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return ((performance.now() - began) * 1000) / CALLS;
}

/** Opens a WebSocket for calls one after another. */
export async function openSocket(url: string): Promise<{ call(): Promise<unknown>; close(): void }> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await new Promise((opened, failed) => socket.once('open', opened).once('error', failed));
  const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
  return {
    call: () =>
      new Promise((answered) => {
        socket.once('message', answered);
        socket.send(request);
      }),
    close: () => socket.terminate(),
  };
}
