import { afterEach, describe, expect, it } from 'vitest';
import type { Io } from '../../../src/orchestrator/terminal/io.ts';
import { type DevnetWait, waitInDevnet } from '../../../src/orchestrator/wait/wait-in-devnet.ts';
import { blocksTo, type ChainNode, chainNode, planWith } from '../divergence/chain-nodes.ts';
import { type ServedDevnet, servedDevnet } from '../scenario/served-devnet.ts';
import { temporaryHome } from '../supervisor/fixture-plan.ts';

let node: ChainNode | undefined;
afterEach(() => node?.close());

/** Serves a devnet whose node has four blocks, on a clock of this kind. */
async function served(clock: 'wall' | 'stepped'): Promise<ServedDevnet> {
  node = await chainNode(blocksTo(3));
  const { url } = node;
  return servedDevnet((home) => ({ ...planWith([{ url }], home), time: { clock, rate: 1 } }));
}

const ioOf = (home: string): Io => ({
  ...{ stdout: () => undefined, stderr: () => undefined, env: { DEVNET_HOME: home }, cwd: home, isTty: false },
});
const waiting = (home: string, more: Partial<DevnetWait> = {}) =>
  waitInDevnet(ioOf(home), {
    ...{ name: undefined, condition: { kind: 'unsafe', number: 9 }, node: undefined, timeoutMs: 0, ...more },
  });
const ready = { kind: 'ready' } as const;

describe('a wait in a devnet', () => {
  it('reads its files and asks its supervisor', async () => {
    await using devnet = await served('wall');
    expect(await waiting(devnet.home, { condition: ready })).toEqual({ code: 0, description: '' });
    expect(devnet.asked).toEqual([{ method: 'state' }]);
    devnet.become({ phase: 'starting' });
    expect(await waiting(devnet.home, { condition: ready, name: 'one' })).toEqual({
      ...{ code: 3, description: 'timed out after 0 s: it is starting' },
    });
    expect(devnet.asked).toHaveLength(1);
  });

  it('moves a stepped clock until the node has the block', async () => {
    await using devnet = await served('stepped');
    devnet.answers = {
      clock(_, count) {
        node!.blocks = blocksTo(3 + 3 * count);
        return { from: 0, at: 1000 * count, to: 0, complete: true, ms: 1, blocks: {} };
      },
    };
    expect(await waiting(devnet.home, { timeoutMs: 60_000 })).toEqual({ code: 0, description: '' });
    expect(devnet.asked).toEqual(Array(2).fill({ method: 'clock', action: 'step' }));
    devnet.asked.length = 0;
    const condition = { kind: 'unsafe', number: 900 } as const;
    // The time of the clock counts, not that of the machine.
    expect(await waiting(devnet.home, { condition, timeoutMs: 2000 })).toMatchObject({ code: 3 });
    expect(devnet.asked).toHaveLength(3);
  });

  it('lets another clock run', async () => {
    await using devnet = await served('wall');
    expect(await waiting(devnet.home, { timeoutMs: 1 })).toEqual({
      ...{ code: 3, description: 'timed out after 0.001 s: main/node-0: its unsafe block is 3' },
    });
    expect(devnet.asked).toEqual([]);
  });

  it('is refused for a name that there is not, and ends with its signal', async () => {
    await using devnet = await served('wall');
    await expect(waiting(devnet.home, { name: 'other' })).rejects.toThrow('unknown devnet other; expected one of one');
    await expect(waiting(devnet.home, { node: 'x' })).rejects.toThrow('unknown node x');
    const signal = AbortSignal.abort(new Error('interrupted'));
    await expect(waiting(devnet.home, { signal })).rejects.toThrow('interrupted');
  });

  it('goes on while there is none, for readiness alone', async () => {
    using folder = temporaryHome();
    expect(await waiting(folder.home, { condition: ready })).toEqual({
      ...{ code: 3, description: 'timed out after 0 s: no devnet is up' },
    });
    await expect(waiting(folder.home)).rejects.toThrow('no devnet is up');
  });
});
