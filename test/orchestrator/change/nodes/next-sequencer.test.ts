import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { mustFollow } from '../../../../src/orchestrator/change/nodes/next-sequencer.ts';
import type { NodeView } from '../../../../src/orchestrator/plan/plan.ts';
import { method } from '../../../../src/rpc/method.ts';
import { type RunningServer, serve } from '../../../../src/rpc/server/server.ts';

/** Time (ms) between two readings of the heads. */
const PAUSE_MS = 1;

describe('the next sequencer', () => {
  const servers: RunningServer[] = [];

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  /** Serves a rollup node whose unsafe head is asked for at each reading. */
  async function rollupNode(name: string, head: () => number, isActive = true): Promise<NodeView> {
    const methods = {
      admin_sequencerActive: method('', z.tuple([]), () => isActive),
      optimism_syncStatus: method('', z.tuple([]), () => ({ unsafe_l2: { number: head() } })),
    };
    const server = await serve({
      ...{ host: '127.0.0.1', port: 0, http: true, websocket: false, methods, context: undefined },
    });
    servers.push(server);
    return { name, cl: { task: `main/${name}/cl`, rpc: `http://127.0.0.1:${server.port}` } } as unknown as NodeView;
  }

  it('follows when it lacks three blocks of the sequencer, at the first reading', async () => {
    let readings = 0;
    const [from, to] = [await rollupNode('one', () => 10), await rollupNode('two', () => 7 + 0 * readings++)];
    await mustFollow('main', from, to, PAUSE_MS);
    expect(readings).toBe(1);
  });

  it('is waited for while it catches up', async () => {
    let head = 0;
    const [from, to] = [await rollupNode('one', () => 40), await rollupNode('two', () => head++)];
    await mustFollow('main', from, to, PAUSE_MS);
    expect(head).toBe(38);
  });

  it('is refused with both heads when it stays four blocks behind', async () => {
    const [from, to] = [await rollupNode('one', () => 10), await rollupNode('two', () => 6)];
    await expect(mustFollow('main', from, to, PAUSE_MS)).rejects.toMatchObject({
      code: 'sequencer',
      message: expect.stringContaining(
        'main/two is behind: its unsafe head is block 6, and that of main/one is block 10',
      ),
      hint: 'nothing was stopped; wait until it has caught up, or choose another node',
    });
  });

  it('takes no role of a sequencer that does not sequence', async () => {
    const [from, to] = [await rollupNode('one', () => 10, false), await rollupNode('two', () => 10)];
    await expect(mustFollow('main', from, to, PAUSE_MS)).rejects.toMatchObject({
      message: expect.stringContaining('main/one does not sequence'),
    });
  });

  it('takes no role when a node does not answer', async () => {
    const [from, to] = [await rollupNode('one', () => 10), await rollupNode('two', () => 10)];
    await servers.pop()!.close();
    await expect(mustFollow('main', from, to, PAUSE_MS)).rejects.toMatchObject({
      message: expect.stringContaining('main/two does not answer'),
    });
  });
});
