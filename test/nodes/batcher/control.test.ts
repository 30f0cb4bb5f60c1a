import { afterEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/nodes/batcher/alt-da.ts';
import { BatcherDriver, type BatcherDriverOptions } from '../../../src/nodes/batcher/control.ts';
import { DaTypeChoice } from '../../../src/nodes/batcher/da-type-choice.ts';
import type { Throttler } from '../../../src/nodes/batcher/throttle/throttler.ts';
import { NO_TRACES } from '../../../src/system/channel/supervised-traces.ts';
import { GENESIS_TIME, INBOX } from '../../protocol/derivation/scripted/rollup.ts';
import { manualClock, memoryLog } from './helpers.ts';
import { drain, POLICY, POLL_INTERVAL_MS, scriptedNetwork, scriptedSender } from './scripted.ts';

const running: BatcherDriver[] = [];
afterEach(async () => {
  for (const driver of running.splice(0)) await driver.end();
});

interface Options {
  readonly isStopped?: boolean;
  readonly targetNumFrames?: number;
  readonly createStore?: () => Store;
}

/** A batcher above scripted nodes, which waits until it is connected. */
async function driving({ isStopped = false, targetNumFrames = 1, createStore }: Options = {}) {
  const scripted = scriptedNetwork();
  await scripted.grow(1);
  const { log, lines } = memoryLog();
  const { sender, sent } = scriptedSender();
  const clock = manualClock(GENESIS_TIME);
  const loads: number[] = [];
  const throttling = { load: (bytes: number) => void loads.push(bytes) } as Throttler;
  const prices = { gasPrices: () => Promise.reject(new Error('no prices')) };
  const daType = new DaTypeChoice(prices, { type: 'calldata', maxTxSize: 100_000, targetNumFrames }, log);
  const options: BatcherDriverOptions = {
    ...{ version: '1.2.3', log, clock, sender, throttling, traces: NO_TRACES, isStopped, daType, createStore },
    ...{ node: scripted.node, execution: scripted.execution, ready: async () => {} },
  };
  const config = { maxTxSize: 100_000, maxPending: 0, pollInterval: POLL_INTERVAL_MS };
  // No channel is due.
  const driver = new BatcherDriver(
    { ...config, policy: { ...POLICY, maxChannelDuration: 0, targetNumFrames } },
    options,
  );
  running.push(driver);
  const logged = (words: string) => lines.filter((line) => line.includes(words)).map((line) => line.trimEnd());
  const poll = async () => {
    clock.moveTo((clock.now() + POLL_INTERVAL_MS) / 1000);
    await drain();
  };
  const connect = async () => {
    driver.connect(scripted.rollup);
    await drain();
  };
  return { ...scripted, driver, options, daType, sent, logged, loads, poll, connect };
}
const runs = expect.stringMatching(new RegExp(`lvl=info msg="Batcher runs" address=${INBOX} carrier=calldata$`));

describe('a batcher', () => {
  it('runs once it is connected, and tells the load of its blocks', async () => {
    const { driver, options, nodes, logged, loads, connect, poll } = await driving();
    expect([driver.running, driver.version, driver.dataAvailability]).toEqual([true, '1.2.3', 'calldata']);
    expect([driver.log, driver.throttling]).toEqual([options.log, options.throttling]);
    await drain();
    expect([nodes.polls, logged('Batcher runs')]).toEqual([0, []]);
    await connect();
    expect([nodes.polls, logged('Batcher runs'), loads]).toEqual([1, [runs], [300]]);
    await poll();
    expect(nodes.polls).toBe(2);
  });

  it('that is started stopped runs when it is told to, before or after it is connected', async () => {
    const { driver, nodes, connect } = await driving({ isStopped: true });
    await connect();
    expect([driver.running, nodes.polls]).toEqual([false, 0]);
    driver.start();
    await drain();
    expect([driver.running, nodes.polls]).toEqual([true, 1]);
    const other = await driving({ isStopped: true });
    other.driver.start();
    await drain();
    expect([other.driver.running, other.nodes.polls]).toEqual([true, 0]);
    await other.connect();
    expect(other.nodes.polls).toBe(1);
  });

  it('runs once, however often it is started', async () => {
    const { driver, nodes, logged, connect } = await driving();
    await connect();
    driver.start();
    await drain();
    expect([nodes.polls, logged('Batcher runs').length]).toEqual([1, 1]);
  });

  it('stops, and runs anew', async () => {
    const { driver, nodes, logged, connect, poll } = await driving();
    await connect();
    await driver.stop();
    await poll();
    expect([driver.running, nodes.polls]).toEqual([false, 1]);
    expect(logged('Batcher stopped')).toEqual([expect.stringContaining('lvl=info')]);
    driver.flush();
    driver.start();
    await drain();
    expect([driver.running, nodes.reads]).toEqual([
      true,
      [
        [1, 3],
        [1, 3],
      ],
    ]);
  });

  it('stops before it is connected, and does not run when it is', async () => {
    const { driver, nodes, connect } = await driving();
    await driver.stop();
    await driver.end();
    driver.flush();
    await connect();
    expect([driver.running, nodes.polls]).toEqual([false, 0]);
  });

  it('ends with its program, without a word', async () => {
    const { driver, nodes, logged, connect, poll } = await driving();
    await connect();
    await driver.end();
    await poll();
    expect([nodes.polls, logged('Batcher stopped')]).toEqual([1, []]);
  });

  it('posts what it has read when it is flushed, by its DA type', async () => {
    const { driver, sent, connect } = await driving();
    await connect();
    expect(sent).toEqual([]);
    driver.flush();
    await drain();
    expect(sent.map(({ what, frames }) => [what, frames.length])).toEqual([['the channel of blocks 1 to 3', 1]]);
  });

  it('posts the commitments of its store, of which each run has its own', async () => {
    let stores = 0;
    const createStore = () => {
      const store = ++stores;
      return async () => Uint8Array.of(1, store);
    };
    const { driver, sent, connect } = await driving({ createStore });
    expect(stores).toBe(0);
    for (const begin of [connect, () => driver.start()]) {
      await begin();
      await drain();
      driver.flush();
      await drain();
      await driver.stop();
    }
    expect(sent.map(({ data }) => [...data])).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });
});

describe('another DA type', () => {
  it('is that of the next channel, and of the one that is open', async () => {
    const { driver, nodes, daType, logged, connect } = await driving();
    driver.setDataAvailability('auto');
    await connect();
    driver.setDataAvailability('blobs');
    await drain();
    expect([driver.dataAvailability, daType.setting]).toEqual(['blobs', 'blobs']);
    expect(nodes.reads).toEqual([
      [1, 3],
      [1, 3],
    ]);
    expect(logged('was changed')).toEqual([
      expect.stringMatching(/lvl=info .*carrier=auto$/),
      expect.stringMatching(/lvl=info .*carrier=blobs$/),
    ]);
  });

  it.each(['blobs', 'auto'] as const)('%s carries at most six frames', async (type) => {
    const { driver } = await driving({ targetNumFrames: 7 });
    expect(() => driver.setDataAvailability(type)).toThrow(
      new Error('--target-num-frames is 7, with blobs it must be at most 6'),
    );
    expect(driver.dataAvailability).toBe('calldata');
    driver.setDataAvailability('calldata');
    const six = await driving({ targetNumFrames: 6 });
    six.driver.setDataAvailability(type);
    expect(six.driver.dataAvailability).toBe(type);
  });

  it.each(['blobs', 'auto'] as const)('%s does not carry commitments', async (type) => {
    const { driver } = await driving({ createStore: () => async (data) => data });
    expect(() => driver.setDataAvailability(type)).toThrow(
      new Error('with --altda.enabled commitments are posted, in calldata'),
    );
    driver.setDataAvailability('calldata');
    expect(driver.dataAvailability).toBe('calldata');
  });
});
