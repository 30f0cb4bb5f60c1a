import { describe, expect, it } from 'vitest';
import { viewLines } from '../../../../src/orchestrator/terminal/live-view/lines.ts';
import type { LiveNode, LivePoster, LiveView } from '../../../../src/orchestrator/terminal/live-view/view.ts';

const node = (name: string, changes: Partial<LiveNode> = {}): LiveNode => ({
  ...{ name, role: 'verifier', phase: 'ready', unsafe: 120, safe: 110, finalized: 90, rate: 0.5, behind: 0, peers: 2 },
  leads: false,
  ...changes,
});
const view: LiveView = {
  ...{ name: 'drill', phase: 'ready', upMs: 65_000, clock: { at: 1_790_000_000_000, rate: 1 } },
  l1: { head: 60, rpc: 'http://127.0.0.1:8545' },
  chains: [
    {
      name: 'main',
      nodes: [node('s', { leads: true }), node('late', { unsafe: 100, behind: 20, phase: 'unhealthy' })],
      forks: [{ fork: 'holocene', secondsToGo: 12, block: 132 }],
      posters: [
        {
          ...{ name: 'main/batcher', phase: 'ready', nonce: 9, balance: 1n },
          ...{ posts: 3, lastPostMs: 2000, cost: 5_000_000_000n },
        },
      ],
    },
  ],
  ...{ diverged: [], complaint: null, pane: null, scroll: 0, hasKeys: true, takeDown: '`npx devnet down drill`' },
};
const texts = (changes: Partial<LiveView> = {}, width = 80, height = 30) =>
  viewLines({ ...view, ...changes }, width, height).map(({ text }) => text);

const poster = { name: 'main/batcher', phase: 'ready', nonce: 0, balance: 1n, posts: 0, lastPostMs: null, cost: 0n };

describe('the live view in lines', () => {
  it.each<[string, Partial<LivePoster>, string]>([
    ['has posted nothing', {}, 'main/batcher  no post yet'],
    ['has posted before the view', { nonce: 12_345 }, 'main/batcher  12,345 posts before this view'],
    ['posts to an L1 that does not answer', { nonce: null, balance: null }, 'main/batcher  L1 does not answer'],
    ['is not ready', { phase: 'starting' }, 'main/batcher  starting  no post yet'],
  ])('says of a batcher that %s', (_, changes, line) => {
    const chains = [{ ...view.chains[0]!, posters: [{ ...poster, ...changes }] }];
    expect(texts({ chains })).toContain(line);
  });

  it('shows all of a network in 80 columns', () => {
    expect(texts()).toEqual([
      'drill  ready  up 1 min 5 s',
      'L1 block 60  http://127.0.0.1:8545  2026-09-21 14:13:20',
      '',
      'main  unsafe  safe  behind  final  blocks/s  peers',
      's *      120   110       0     90       0.5      2',
      'late     100   110      20     90       0.5      2  unhealthy',
      'main/batcher  last post 2 s ago, 3 for 5 gwei',
      'holocene in 12 s, block 132',
      'all nodes agree',
      '',
      'q take down  d detach  l logs  e explain  jk scroll',
    ]);
  });

  it.each<[string, Partial<LiveView>, string]>([
    ['a divergence', { diverged: ['main/late'] }, 'DIVERGED: main/late  (e explains)'],
    ['a clock that stands', { clock: { at: 0, rate: 0 } }, 'stands'],
    [
      'a complaint',
      { complaint: { text: 'l1: is silent', ageMs: 7_300_000, isBad: true } },
      '2 h 1 min ago: l1: is silent',
    ],
    ['a terminal without keys', { hasKeys: false }, 'Ctrl-C or `npx devnet down drill` takes it down'],
    [
      'letters of any width',
      { complaint: { text: '\u001b[31m漢\u0000…', ageMs: 0, isBad: true } },
      '0 s ago: ?[31m??...',
    ],
    ['a log', { pane: { title: 'log of l1', lines: ['a', 'b'], shows: 'last' } }, 'log of l1'],
  ])('shows %s', (_, changes, expected) => {
    expect(texts(changes).join('\n')).toContain(expected);
  });

  it.each([1, 10, 20, 33, 40, 79])('fits %i columns', (width) => {
    const pane = { title: 'log', lines: ['x'.repeat(10_000_000)], shows: 'last' as const };
    const lines = texts({ pane, complaint: { text: 'y'.repeat(100_000), ageMs: 0, isBad: true } }, width);
    expect(lines.filter(({ length }) => length > Math.max(10, width))).toEqual([]);
    expect(lines.join('\n')).toContain(width < 60 ? 'q d l' : 'q take down');
  });

  it.each([1, 4, 10, 12, 100])('fits %i rows and keeps the first line and the keys', (height) => {
    const lines = texts({ pane: { title: 'log', lines: Array(1000).fill('entry'), shows: 'last' } }, 80, height);
    expect(lines.length).toBeLessThanOrEqual(Math.max(3, height));
    expect([lines[0], lines.at(-1)]).toEqual(['drill  ready  up 1 min 5 s', expect.stringContaining('q take down')]);
  });

  it.each([
    ['first', 'line 0', 'line 99'],
    ['last', 'line 99', 'line 0'],
  ] as const)('shows the %s lines of a long text', (shows, present, absent) => {
    const lines = texts({
      pane: { title: 'text', lines: Array.from({ length: 100 }, (_, at) => `line ${at}`), shows },
    });
    expect(lines).toContain(present);
    expect(lines).not.toContain(absent);
  });

  it('wraps long lines, and shows each row of a long text at some scroll', () => {
    const words = Array.from({ length: 300 }, (_, at) => `word${at}`);
    const pane = { title: 'explanation', lines: [words.join(' ')], shows: 'first' as const };
    const rows = [0, 10, 20, 30, 40, 1999].flatMap((scroll) => texts({ pane, scroll }, 80, 24));
    expect(words.filter((word) => !rows.some((row) => row.split(' ').includes(word)))).toEqual([]);
    expect(rows.join('\n')).not.toContain('>');
  });

  it('shows a log from its end, and scrolls back to its begin', () => {
    const pane = { title: 'log', lines: Array.from({ length: 100 }, (_, at) => `line ${at}`), shows: 'last' as const };
    expect(texts({ pane, scroll: 5 })).not.toContain('line 99');
    expect(texts({ pane, scroll: 1999 })).toContain('line 0');
  });

  it('scrolls the table of two chains that a low terminal cuts', () => {
    const chains = ['one', 'two', 'three', 'four'].map((name) => ({ ...view.chains[0]!, name }));
    expect(texts({ chains }, 80, 24).join('\n')).not.toContain('all nodes agree');
    const end = texts({ chains, scroll: 1999 }, 80, 24);
    expect(end).toContain('all nodes agree');
    expect([end[0], end.length]).toEqual(['drill  ready  up 1 min 5 s', 24]);
  });

  it('gives a pane most of a low terminal, and wraps a complaint', () => {
    const text = Array.from({ length: 40 }, (_, at) => `reason${at}`).join(' ');
    const complaint = { text, ageMs: 1000, isBad: true };
    expect(texts({ complaint }).join(' ')).toContain('reason39');
    const pane = { title: 'log', lines: Array(100).fill('entry'), shows: 'last' as const };
    expect(texts({ complaint, pane }, 80, 24).filter((row) => row === 'entry').length).toBeGreaterThanOrEqual(17);
  });
});
