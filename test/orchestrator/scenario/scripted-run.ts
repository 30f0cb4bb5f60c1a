import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import type { Run } from '../../../src/orchestrator/scenario/step.ts';
import { fixturePlan } from '../supervisor/fixture-plan.ts';

/** A JSON-RPC call, and what the client answers it with. Absent: the client breaks the connection. */
export type Answer = (
  method: string,
  params: readonly unknown[],
) => { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } } | undefined;

/** Serves an execution client that answers by a function. */
export async function scriptedClient(answer: Answer): Promise<Server> {
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const calls: readonly { id: number; method: string; params?: unknown[] }[] = Array.isArray(body) ? body : [body];
    const answers = calls.map(({ id, method, params = [] }) => ({ jsonrpc: '2.0', id, ...answer(method, params) }));
    if (answers.some((each) => !('result' in each || 'error' in each))) return void response.destroy();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const portOf = (client: Server): number => (client.address() as AddressInfo).port;
const unused = () => expect.fail('the step reaches for what it does not need');

/** The context of a step on a network of one node and slots of one second. `pass` is called with each slot. */
export function scriptedRun(client?: Server, pass: (slots: number) => void = () => undefined): Run {
  let slots = 0;
  return {
    io: { stdout: unused, stderr: unused, env: {}, cwd: '/', isTty: false },
    name: 'one',
    seed: 0,
    folder: '/',
    signal: new AbortController().signal,
    inner: [],
    devnet: unused,
    plan: () => fixturePlan('/home', 'one', [{ port: client === undefined ? 1 : portOf(client) }]),
    perform: unused,
    time: {
      kind: 'wall',
      now: () => slots * 1000,
      async pass() {
        slots += 1;
        pass(slots);
      },
      running: unused,
      standing: unused,
      settle: unused,
      together: unused,
      warp: unused,
    },
  };
}
