import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeBatcherTransaction, type Frame } from '../../../src/protocol/codec/frame.ts';
import { calldataTransaction } from './scripted/l1.ts';
import { derive, inCalldata, type Network } from './scripted/network.ts';
import { BOTH, derivedHashes, hashes, networkWithChannels } from './scripted/network-with-channels.ts';

describe.each(BOTH)('any content of the inbox (%s)', (fork) => {
  /** Expects that derivation comes to an end, and that blocks with transactions are those of the sequencer. */
  async function expectOrderly(network: Network) {
    const { outcome, engine } = await derive(network);
    expect(outcome.kind).toBe('eof');
    const expected = new Set(network.sequencer.chain().flatMap(({ transactions }) => transactions));
    const users = engine
      .chain()
      .flatMap(({ transactions }) => transactions.filter((encoded) => !encoded.startsWith('0x7e')));
    for (const user of users) expect(expected).toContain(user);
    return engine;
  }

  test('such as garbage never throws nor stalls', async () => {
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      fc.uint8Array({ maxLength: 80 }).map((data) => Uint8Array.from([0, ...data])),
      fc
        .record({
          channelId: fc.constantFrom(`0x${'00'.repeat(15)}61`, `0x${'00'.repeat(15)}62`),
          number: fc.nat(3),
          data: fc.uint8Array({ maxLength: 40 }).map((data) => Uint8Array.from([0x78, 0x9c, ...data])),
          isLast: fc.boolean(),
        })
        .map((frame) => encodeBatcherTransaction([frame as Frame])),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(garbage, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        async (blocks) => {
          const network = await networkWithChannels(fork, 3);
          for (const data of blocks) network.l1.mine({ transactions: data.map((bytes) => calldataTransaction(bytes)) });
          network.l1.mine({ transactions: network.channels.flatMap(inCalldata) });
          network.l1.mine();
          await expectOrderly(network);
          expect((await derivedHashes(network)).slice(0, 10)).toEqual(hashes(network));
        },
      ),
      { numRuns: 25 },
    );
  });

  test('such as lost and repeated frames in any order never throws nor stalls', async () => {
    const network = await networkWithChannels(fork, 4, 80);
    const frames = network.channels.flat();
    const base = network.l1.head().number;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(frames.length - 1), { maxLength: 60 }), fc.nat(4), async (picks, perBlock) => {
        network.l1.reorgTo(base);
        const picked = picks.map((index) => frames[index]!);
        while (picked.length > 0) network.l1.mine({ transactions: inCalldata(picked.splice(0, perBlock + 1)) });
        for (let more = 0; more < 16; more++) network.l1.mine();
        const engine = await expectOrderly(network);
        expect(engine.chain().length).toBeGreaterThan(1);
      }),
      { numRuns: 25 },
    );
  });

  test('such as changed or missing bytes never throws nor stalls', async () => {
    const network = await networkWithChannels(fork, 3);
    const sent = network.channels.flatMap((frames) => frames.map((frame) => encodeBatcherTransaction([frame])));
    const base = network.l1.head().number;
    const damage = fc.record({
      which: fc.nat(sent.length - 1),
      at: fc.nat(400),
      value: fc.nat(255),
      cut: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 6 }), async (damages) => {
        network.l1.reorgTo(base);
        const data = sent.map((bytes) => Uint8Array.from(bytes));
        for (const { which, at, value, cut } of damages) {
          const bytes = data[which]!;
          if (cut) data[which] = bytes.slice(0, at);
          else if (bytes.length > 0) bytes[at % bytes.length] = value;
        }
        network.l1.mine({ transactions: data.map((bytes) => calldataTransaction(bytes)) });
        for (let more = 0; more < 16; more++) network.l1.mine();
        expect((await derive(network)).outcome.kind).toBe('eof');
      }),
      { numRuns: 40 },
    );
  });
});

describe('frames before holocene', () => {
  test('in any order and repeated give the same chain', async () => {
    const network = await networkWithChannels('granite', 3, 80);
    const frames = network.channels.flat();
    const base = network.l1.head().number;
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(frames, { minLength: frames.length }),
        fc.subarray(frames),
        async (all, again) => {
          network.l1.reorgTo(base);
          network.l1.mine({ transactions: inCalldata([...all.slice(0, 9), ...again]) });
          network.l1.mine({ transactions: inCalldata(all.slice(9)) });
          network.l1.mine();
          expect(await derivedHashes(network)).toEqual(hashes(network));
        },
      ),
      { numRuns: 20 },
    );
  });
});
