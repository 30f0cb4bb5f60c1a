import { describe, expect, it, vi } from 'vitest';
import { checkMargin, connect } from '../../../src/nodes/batcher/connect.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import type { RpcClient } from '../../../src/rpc/client/client.ts';
import { RpcError } from '../../../src/rpc/error.ts';
import { createLogger } from '../../../src/system/program/log.ts';
import { BATCHER, testRollup } from '../../protocol/derivation/scripted/rollup.ts';

const ROLLUP = testRollup('jovian');
const { seq_window_size: WINDOW } = ROLLUP.config;

/** A node whose one method has this answer, after some failures. */
function nodeOf(method: string, answer: unknown, failures = 0): RpcClient {
  let left = failures;
  return {
    async call<Result>(called: string) {
      if (called !== method) throw new Error(`unexpected call of ${called}`);
      if (left-- > 0) throw new RpcError(-32_000, 'starting');
      return answer as Result;
    },
    batch: async () => [],
    close: () => undefined,
  };
}

interface Options {
  readonly l1?: Hex;
  readonly l2?: Hex;
  readonly address?: Hex;
  readonly failures?: number;
  readonly signal?: AbortSignal;
}

/** Connects to nodes of these chain ids. Returns the rollup, and the lines of the log. */
async function connected({ l1 = '0x384', l2 = '0x385', address = BATCHER, failures = 0, signal }: Options = {}) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const log = createLogger({ level: 'info', format: 'text', color: false, pid: false, write });
  const nodes = {
    ...{ l1: nodeOf('eth_chainId', l1, failures), l2: nodeOf('eth_chainId', l2, failures) },
    ...{ node: nodeOf('optimism_rollupConfig', ROLLUP.config, failures), l1Url: 'http://l1', l2Url: 'http://l2' },
  };
  const rollup = await connect(nodes, address, log, signal ?? new AbortController().signal);
  return { config: rollup?.config, lines };
}

describe('a batcher', () => {
  it('connects to nodes of one network, whatever the case of its address, also when they start late', async () => {
    const upper = `0x${BATCHER.slice(2).toUpperCase()}` as Hex;
    for (const options of [{}, { address: upper }, { failures: 2 }])
      expect(await connected(options)).toEqual({ config: ROLLUP.config, lines: [] });
  });

  it('connects with a warning when its key is not the batcher of the genesis', async () => {
    const address: Hex = `0x${'11'.repeat(20)}`;
    const { config, lines } = await connected({ address });
    expect(config).toEqual(ROLLUP.config);
    expect(lines).toEqual([expect.stringMatching(new RegExp(`warn.*${address}.*${BATCHER}`, 'is'))]);
  });

  it.each<[string, Options, object]>([
    ['L1', { l1: '0x1' }, { url: 'http://l1', found: 1, expected: 900 }],
    ['the execution client', { l2: '0x1' }, { url: 'http://l2', found: 1, expected: 901 }],
  ])('ends when %s is of another chain', async (what, options, data) => {
    await expect(connected(options)).rejects.toMatchObject({
      ...{ code: 'stranger', data, message: expect.stringContaining(`${what} at`) },
    });
  });

  it('connects to none when it is aborted', async () => {
    expect((await connected({ signal: AbortSignal.abort() })).config).toBeUndefined();
  });

  it('says for which nodes it is still waiting', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const connecting = connected({ failures: 40 });
      await vi.runAllTimersAsync();
      const { lines } = await connecting;
      expect(lines.map((line) => /msg="Still waiting" for=("[^"]*"|\S+)/.exec(line)?.[1]).toSorted()).toEqual([
        '"the execution client"',
        '"the rollup node"',
        'L1',
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each(['l1', 'l2', 'node'] as const)(
    'connects to none when it is aborted while %s does not answer',
    async (key) => {
      const abort = new AbortController();
      let asked = 0;
      const silent: RpcClient = {
        ...nodeOf('', undefined),
        async call() {
          if (++asked === 2) abort.abort();
          throw new RpcError(-32_000, 'starting');
        },
      };
      const nodes = {
        ...{ l1: nodeOf('eth_chainId', '0x384'), l2: nodeOf('eth_chainId', '0x385'), l1Url: 'http://l1' },
        ...{ node: nodeOf('optimism_rollupConfig', ROLLUP.config), l2Url: 'http://l2', [key]: silent },
      };
      const log = createLogger({ level: 'info', format: 'text', color: false, pid: false, write: () => undefined });
      expect(await connect(nodes, BATCHER, log, abort.signal)).toBeUndefined();
      expect(asked).toBe(2);
    },
  );
});

describe('the safety margin', () => {
  it('is less than the sequencing window', () => {
    expect(() => checkMargin(ROLLUP, WINDOW - 1)).not.toThrow();
    expect(() => checkMargin(ROLLUP, WINDOW)).toThrow(
      expect.objectContaining({
        ...{ code: 'usage', exit: 2, data: { margin: WINDOW, window: WINDOW }, hint: expect.any(String) },
        message: expect.stringContaining(`--sub-safety-margin is ${WINDOW}`),
      }),
    );
  });
});
