import { expect, it } from 'vitest';
import { ENDED } from '../../../src/orchestrator/dashboard/failure-words.ts';
import { createFeed } from '../../../src/orchestrator/dashboard/feed.ts';
import type { Message, Picture } from '../../../src/orchestrator/dashboard/picture-type.ts';
import type { NetworkEvent } from '../../../src/orchestrator/state/network-event-type.ts';
import { Failure } from '../../../src/system/failure.ts';

const picture = (at: number, unsafe: number | null): Picture => ({
  ...{ name: 'net', id: 'a', phase: 'ready', isUp: true, at, startedAt: 0, genesisTime: 0, clock: { at, rate: 1 } },
  ...{ problems: [], faults: [], divergences: [], reports: [], l1: { rpc: '', chainId: 900, head: 1 }, processes: [] },
  chains: [
    {
      ...{ name: 'main', chainId: 901, forks: [], posters: [] },
      nodes: [
        {
          ...{ name: 'a', role: 'sequencer', phase: 'ready', el: '', cl: '', http: '', rate: null, behind: null },
          ...{ unsafe, safe: null, finalized: null, peers: [] },
        },
      ],
    },
  ],
});

/** Collects messages and waits for the first that fits. */
function receiver() {
  const all: Message[] = [];
  const waiting = new Set<() => void>();
  const receive = (message: Message) => {
    all.push(message);
    for (const look of waiting) look();
  };
  const first = (kind: Message['kind']) =>
    new Promise<Message>((resolve) => {
      const look = () => {
        const match = all.find((each) => each.kind === kind);
        if (match === undefined) return;
        waiting.delete(look);
        resolve(match);
      };
      waiting.add(look);
      look();
    });
  return { all, receive, first };
}

const silent = () => new Promise<void>(() => {});

it.each([
  ['does not answer', new Error('no answer'), false],
  ['was taken down', new Failure(ENDED, 'no answer'), true],
])('the feed says of a network that it %s, and shows it again when it can', async (_, error, isDown) => {
  const answers = [() => Promise.reject(error), async () => picture(1000, 7)];
  const feed = createFeed(
    { picture: () => (answers.shift() ?? (async () => picture(2000, 8)))(), events: silent, marks: silent },
    1,
  );
  const { receive, first } = receiver();
  const leave = feed.follow(receive);
  expect(await first('gone')).toEqual({ kind: 'gone', because: 'no answer', isDown });
  expect(await first('picture')).toMatchObject({ picture: { chains: [{ nodes: [{ unsafe: 7 }] }] } });
  leave();
});

it('the feed reads nothing without a listener, and keeps the heads for the next page', async () => {
  let reads = 0;
  const feed = createFeed({ picture: async () => picture(++reads * 1000, reads), events: silent, marks: silent }, 1);
  const early = receiver();
  const leave = feed.follow(early.receive);
  await early.first('picture');
  leave();
  const before = reads;
  await new Promise(setImmediate);
  expect(reads).toBe(before);
  const late = receiver();
  feed.follow(late.receive)();
  expect(await late.first('history')).toMatchObject({ nodes: ['main/a'], samples: expect.arrayContaining([[1, 1]]) });
});

it('the feed sends a prepared picture to the first listener', async () => {
  let reads = 0;
  const feed = createFeed(
    { picture: async () => picture(++reads * 1000, reads), events: silent, marks: silent },
    60_000,
  );
  feed.prepare();
  feed.prepare();
  expect(reads).toBe(1);
  const { receive, first } = receiver();
  const leave = feed.follow(receive);
  expect(await first('picture')).toMatchObject({ picture: { at: 1000 } });
  feed.prepare();
  leave();
  expect(reads).toBe(1);
});

it('the feed shortens events, and sends none of heads', async () => {
  const event = (fields: number): NetworkEvent => ({
    ...{ kind: 'divergence', at: 5, chain: 'main', block: 3, nodes: ['late'], how: 'hash', since: 0 },
    reason: 'x'.repeat(9000),
    fields: Array.from({ length: fields }, (_, at) => `field${at}`),
  });
  const feed = createFeed(
    {
      picture: async () => picture(1000, 1),
      marks: silent,
      events: async (receive) => {
        receive({ kind: 'head', at: 4, chain: 'main', node: 'a', number: 1, hash: '0x', time: 1 });
        receive(event(1000));
        await silent();
      },
    },
    1,
  );
  const { all, receive, first } = receiver();
  const leave = feed.follow(receive);
  const message = await first('event');
  expect(message).toMatchObject({ at: 5, what: 'divergence' });
  expect(JSON.stringify(message).length).toBeLessThan(2200);
  expect(all.filter(({ kind }) => kind === 'event')).toHaveLength(1);
  leave();
});
