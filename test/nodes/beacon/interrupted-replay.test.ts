import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningBeacon, startBeacon } from '../../../src/nodes/beacon/service.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { manualClock, memoryLog, until } from '../batcher/helpers.ts';
import { ACCOUNTS, GENESIS_TIME, startAnvil, type TestAnvil, temporaryFolder } from './anvil.ts';
import { beaconConfig, SLOT } from './beacon-on-anvil.ts';

const BLOCKS = 12;

/** Seed of the requests at which a kill falls. */
const SEED = 20_261_122;

/** What happens before a request with this body. */
type Act = (body: string) => Promise<'goes on' | 'breaks'>;

/** Requests between the beacon and anvil; before one of them something can happen. */
class Wire {
  readonly #server: Server;
  #before: { method: string; left: number; act: Act } | undefined;

  constructor(target: () => string) {
    this.#server = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      const event = this.#before;
      if (event !== undefined && body.includes(`"${event.method}"`) && --event.left === 0) {
        this.#before = undefined;
        if ((await event.act(body)) === 'breaks') {
          request.socket.destroy();
          return;
        }
      }
      try {
        const answer = await fetch(target(), { method: 'POST', body, headers: { 'content-type': 'application/json' } });
        response.end(await answer.text());
      } catch {
        request.socket.destroy();
      }
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Runs `act` before the `count`th request with a method from now on; resolves when it ran. */
  before(method: string, count: number, act: Act): Promise<void> {
    return new Promise((resolve) => {
      this.#before = {
        method,
        left: count,
        act: async (body) => {
          const outcome = await act(body);
          resolve();
          return outcome;
        },
      };
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Counts from 1 to `most`, by a linear congruential generator. */
function countsFrom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 1 + Math.floor((state / 2 ** 32) * most);
  };
}

describe('a replay that is interrupted', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  it('ends in the same chain at whatever point anvil and the beacon are killed', async () => {
    const clock = manualClock(GENESIS_TIME);
    const { log, lines } = memoryLog();
    const datadir = temporaryFolder();
    let anvil: TestAnvil = await startAnvil();
    closers.push(() => anvil.kill());
    const wire = new Wire(() => anvil.url);
    const l1 = await wire.listen();
    closers.push(() => wire.close());
    const start = async (): Promise<RunningBeacon> => {
      const beacon = await startBeacon(beaconConfig({ l1, datadir }), clock, log);
      beacon.failed.catch((error: unknown) => lines.push(`the beacon failed: ${error}`));
      return beacon;
    };
    let beacon = await start();
    closers.push(() => beacon.stop());
    const reach = async (slot: number) => {
      clock.moveTo(GENESIS_TIME + slot * SLOT);
      await until(`slot ${slot}; ${lines.at(-1)}`, async () => {
        const answer = await fetch(`http://127.0.0.1:${beacon.port}/eth/v1/node/syncing`);
        const { data } = (await answer.json()) as { data: { head_slot: string; el_offline: boolean } };
        return data.head_slot === String(slot) && !data.el_offline;
      });
    };
    const hashes = (count: number) =>
      Promise.all(
        Array.from({ length: count }, async (_, at) => {
          const number = `0x${(at + 1).toString(16)}`;
          return (await anvil.rpc.call<{ hash: Hex } | null>('eth_getBlockByNumber', [number, false]))?.hash;
        }),
      );
    const restartAnvil = async () => {
      await anvil.kill();
      anvil = await startAnvil();
    };

    for (let slot = 1; slot <= BLOCKS; slot++) {
      const value = `0x${slot.toString(16)}`;
      await anvil.rpc.call('eth_sendTransaction', [
        { from: ACCOUNTS[0]!.address, to: ACCOUNTS[1]!.address, value, gas: '0x5208' },
      ]);
      await reach(slot);
    }
    const before = await hashes(BLOCKS);
    /** Has anvil make the block with a transaction too many, whose answer is lost. */
    const mineForeign: Act = async (body) => {
      await anvil.rpc.call('eth_sendTransaction', [
        { from: ACCOUNTS[1]!.address, to: ACCOUNTS[0]!.address, gas: '0x5208' },
      ]);
      await fetch(anvil.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
      return 'breaks';
    };
    const count = countsFrom(SEED);
    /** What happens at a seeded request of a replay. */
    const interruptions: [string, string, Act][] = [
      ['anvil is killed', 'evm_mine_detailed', () => restartAnvil().then(() => 'breaks' as const)],
      ['anvil is back before the next request', 'evm_mine_detailed', () => restartAnvil().then(() => 'goes on')],
      ['anvil is back', 'anvil_setNextBlockBaseFeePerGas', () => restartAnvil().then(() => 'goes on')],
      ['anvil is back', 'eth_sendRawTransaction', () => restartAnvil().then(() => 'goes on')],
      ['the connection ends with a foreign transaction in the block', 'evm_mine_detailed', mineForeign],
    ];
    for (const [what, method, act] of interruptions) {
      const at = count(BLOCKS - 1);
      const happened = wire.before(method, at, act);
      await restartAnvil();
      // A block is due while the replay is under way.
      clock.moveTo(clock.now() / 1000 + SLOT);
      await happened;
      await reach((clock.now() / 1000 - GENESIS_TIME) / SLOT);
      expect(await hashes(BLOCKS), `${what} at ${method} ${at}`).toEqual(before);
    }

    // The beacon is killed in between, then anvil again in the replay of the next beacon.
    const stopped = wire.before('evm_mine_detailed', count(BLOCKS - 1), async () => {
      void beacon.stop();
      return 'goes on';
    });
    await restartAnvil();
    clock.moveTo(clock.now() / 1000 + SLOT);
    await stopped;
    await beacon.stop();
    const killed = wire.before('evm_mine_detailed', 1, () => restartAnvil().then(() => 'goes on'));
    beacon = await start();
    await killed;
    await reach((clock.now() / 1000 - GENESIS_TIME) / SLOT);
    expect(await hashes(BLOCKS)).toEqual(before);

    // A restart between the look at the head and the next block.
    const between = wire.before('evm_mine_detailed', 1, () => restartAnvil().then(() => 'goes on'));
    clock.moveTo(clock.now() / 1000 + SLOT);
    await between;
    await reach((clock.now() / 1000 - GENESIS_TIME) / SLOT);
    expect(await hashes(BLOCKS)).toEqual(before);

    expect(lines.filter((line) => /came out different|was reorganised|the beacon failed/.test(line))).toEqual([]);
  });
});
