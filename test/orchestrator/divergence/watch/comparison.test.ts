import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Comparison } from '../../../../src/orchestrator/divergence/watch/comparison.ts';
import type { Change } from '../../../../src/orchestrator/divergence/watch/standing.ts';
import type { BlockRef } from '../../../../src/orchestrator/health/gauge/head-window.ts';

const CONFIRMATION = { unsafe: 5000, safe: 2000 };

/** Chains of blocks. A tag distinguishes two chains from a height on. */
class Chain {
  #tags: string[] = ['g'];
  get head() {
    return this.#tags.length - 1;
  }
  hash(number: number): string {
    return `0x${this.#tags.slice(0, number + 1).join('')}`.replace(/(.)\1+/g, (run) => `${run[0]}${run.length}`);
  }
  grow(count: number, tag = 'a'): this {
    for (let at = 0; at < count; at++) this.#tags.push(tag);
    return this;
  }
  rewind(head: number): this {
    this.#tags = this.#tags.slice(0, Math.max(1, head + 1));
    return this;
  }
  copy(other: Chain, head = other.head): this {
    this.#tags = other.#tags.slice(0, head + 1);
    return this;
  }
  ref(number: number): BlockRef {
    return { number, hash: this.hash(number) };
  }
}

/** Nodes that are polled once a second, as the health watch does. */
class Polled {
  readonly comparison: Comparison;
  readonly chains = new Map<string, Chain>();
  readonly silent = new Set<string>();
  readonly changes: Change[] = [];
  readonly left: string[] = [];
  seconds = 0;
  /** Blocks that were asked for. */
  requestCount = 0;

  constructor(...names: string[]) {
    this.comparison = new Comparison(
      'main',
      names.map((name) => ({ name, reference: name === 'sequencer' })),
      CONFIRMATION,
    );
    for (const name of names) this.chains.set(name, new Chain());
  }

  chain(name: string): Chain {
    return this.chains.get(name)!;
  }

  get moment() {
    return { watched: this.seconds * 1000, wall: this.seconds * 1000 };
  }

  poll(seconds = 1): Change[] {
    const before = this.changes.length;
    for (let at = 0; at < seconds; at++) {
      this.seconds += 1;
      this.changes.push(...this.comparison.changes(this.moment));
      this.comparison.stuck(this.moment);
      for (const [name, chain] of this.chains) {
        if (this.silent.has(name)) continue;
        const heights = this.comparison.heightsFor(name);
        this.requestCount += heights.length;
        const blocks = heights.filter((number) => number <= chain.head).map((number) => chain.ref(number));
        const parent = chain.head > 0 ? { parentHash: chain.hash(chain.head - 1) } : {};
        const head = { ...chain.ref(chain.head), ...parent, time: chain.head };
        if (this.comparison.observe(name, head, blocks, this.moment)) this.left.push(name);
      }
    }
    return this.changes.slice(before);
  }
}

const divergences = (changes: readonly Change[]) =>
  changes.flatMap(({ kind, standing: { block, nodes } }) => (kind === 'divergence' ? [{ block, nodes }] : []));

describe('the comparison of moving heads', () => {
  it('finds the first different block of a node among hundreds that it did not read', () => {
    const polled = new Polled('sequencer', 'a', 'late');
    for (const name of ['sequencer', 'a', 'late']) polled.chain(name).grow(1000);
    expect(polled.poll(3)).toEqual([]);
    for (const name of ['sequencer', 'a']) polled.chain(name).grow(500);
    polled.chain('late').grow(37).grow(400, 'b');
    expect(divergences(polled.poll(12))).toEqual([{ block: 1038, nodes: ['late'] }]);
  });

  it('blames the sequencer if the others agree, and of two nodes the one that is not the sequencer', () => {
    const three = new Polled('sequencer', 'a', 'b');
    three.chain('sequencer').grow(5).grow(5, 'x');
    for (const name of ['a', 'b']) three.chain(name).grow(10);
    expect(divergences(three.poll(9))).toEqual([{ block: 6, nodes: ['sequencer'] }]);
    const two = new Polled('a', 'sequencer');
    two.chain('sequencer').grow(10);
    two.chain('a').grow(9).grow(1, 'x');
    expect(divergences(two.poll(9))).toEqual([{ block: 10, nodes: ['a'] }]);
  });

  it('keeps what it knows when nodes come and go, and forgets the divergences of those that went', () => {
    const polled = new Polled('sequencer', 'a', 'b', 'odd');
    for (const name of ['sequencer', 'a', 'b']) polled.chain(name).grow(10);
    polled.chain('odd').grow(4).grow(6, 'x');
    expect(divergences(polled.poll(9))).toEqual([{ block: 5, nodes: ['odd'] }]);
    const members = (...names: string[]) => names.map((name) => ({ name, reference: name === 'sequencer' }));
    polled.chains.set('late', new Chain().grow(7).grow(3, 'y'));
    polled.comparison.renew(members('sequencer', 'a', 'b', 'odd', 'late'));
    expect(divergences(polled.poll(9))).toEqual([{ block: 8, nodes: ['late'] }]);
    polled.chains.delete('odd');
    polled.comparison.renew(members('sequencer', 'a', 'b', 'late'));
    expect(polled.comparison.standing.map(({ nodes }) => nodes)).toEqual([['late']]);
    expect(polled.poll(9)).toEqual([]);
  });

  it('reports a divergence once, keeps it while a node is silent, and ends it at a later block in common', () => {
    const polled = new Polled('sequencer', 'a', 'late');
    const grow = () => {
      polled.chain('sequencer').grow(1);
      polled.chain('a').grow(1);
      polled.chain('late').grow(1, 'b');
    };
    for (let at = 0; at < 20; at++) {
      grow();
      polled.poll();
    }
    expect(divergences(polled.changes)).toEqual([{ block: 1, nodes: ['late'] }]);
    polled.silent.add('late');
    polled.comparison.forget('late');
    polled.poll(20);
    expect(polled.comparison.standing).toHaveLength(1);
    polled.silent.delete('late');
    polled.chain('late').copy(polled.chain('sequencer'), 0);
    polled.poll(5);
    expect(polled.comparison.standing).toHaveLength(1);
    polled.chain('late').copy(polled.chain('sequencer'), 7);
    polled.poll(3);
    expect(polled.comparison.standing).toEqual([]);
    expect(polled.changes.at(-1)).toMatchObject({ kind: 'agreement', block: 7 });
  });

  it('confirms a divergence anew when its node was down, by its blocks or its refusal', () => {
    const polled = new Polled('sequencer', 'a', 'late');
    for (const name of ['sequencer', 'a']) polled.chain(name).grow(20);
    polled.chain('late').grow(9).grow(3, 'x');
    polled.poll(9);
    expect(polled.comparison.isConfirmed('late')).toBe(true);
    polled.comparison.forget('late');
    expect(polled.comparison.isConfirmed('late')).toBe(false);
    // It comes back with its block, so the divergence stands.
    polled.poll(2);
    expect(polled.comparison.isConfirmed('late')).toBe(true);
    // It comes back below its block, so nothing is known of the divergence until it passes the block.
    polled.comparison.forget('late');
    polled.chain('late').rewind(8);
    polled.poll(5);
    expect(polled.comparison.isConfirmed('late')).toBe(false);
    polled.chain('late').copy(polled.chain('sequencer'), 9);
    const [stuck] = polled.poll(3) && polled.comparison.stuck(polled.moment);
    polled.comparison.refused(stuck!, 'bad block');
    polled.poll();
    expect(polled.comparison.stuck(polled.moment)).toHaveLength(1);
    expect(polled.comparison.isConfirmed('late')).toBe(true);
  });

  it.each(['another block', 'refused'])(
    'ends a divergence (%s) when all nodes have gone back below its block',
    (kind) => {
      const polled = new Polled('sequencer', 'a', 'late');
      for (const name of ['sequencer', 'a']) polled.chain(name).grow(20);
      polled.chain('late').grow(9);
      if (kind === 'refused') {
        polled.poll(3);
        const [stuck] = polled.comparison.stuck(polled.moment);
        polled.comparison.refused(stuck!, 'invalid block 10');
      } else polled.chain('late').grow(3, 'x');
      expect(divergences(polled.poll(9))).toEqual([{ block: 10, nodes: ['late'] }]);
      // The others have the block still: that late is below it says nothing.
      polled.chain('late').rewind(5);
      expect(polled.poll(9)).toEqual([]);
      for (const name of ['sequencer', 'a']) polled.chain(name).rewind(5);
      expect(polled.poll(3)).toMatchObject([{ kind: 'agreement', block: 5 }]);
      expect(polled.comparison.standing).toEqual([]);
      // It is reported again when it comes back.
      for (const name of ['sequencer', 'a']) polled.chain(name).grow(10);
      polled.chain('late').grow(4).grow(3, 'x');
      expect(divergences(polled.poll(9))).toEqual([{ block: 10, nodes: ['late'] }]);
    },
  );

  it('treats a difference that is shorter than its confirmation as a reorganisation', () => {
    const polled = new Polled('sequencer', 'a');
    for (const name of ['sequencer', 'a']) polled.chain(name).grow(40);
    polled.poll(3);
    polled.chain('sequencer').rewind(30).grow(12, 'b');
    polled.poll(4);
    polled.chain('a').copy(polled.chain('sequencer'));
    polled.poll(20);
    expect(polled.changes).toEqual([]);
    expect(polled.left).toEqual(['sequencer', 'a']);
  });

  it('confirms blocks that both sides derived from L1 sooner', () => {
    const at = (safe: number) => {
      const polled = new Polled('sequencer', 'late');
      polled.chain('sequencer').grow(10);
      polled.chain('late').grow(10, 'b');
      for (const name of ['sequencer', 'late'])
        polled.comparison.reported(name, { safe: polled.chain(name).ref(safe) });
      for (let at = 0; polled.changes.length === 0 && at < 60; at++) polled.poll();
      return polled.seconds;
    };
    expect(at(1)).toBeLessThan(at(0));
  });

  it('reports a refused block until the node passes it', () => {
    const polled = new Polled('sequencer', 'a', 'late');
    for (const name of ['sequencer', 'a', 'late']) polled.chain(name).grow(10);
    polled.poll(2);
    for (const name of ['sequencer', 'a']) polled.chain(name).grow(20);
    polled.poll(4);
    const [stuck] = polled.comparison.stuck(polled.moment);
    expect(stuck).toMatchObject({ node: 'late', next: polled.chain('sequencer').ref(11) });
    polled.comparison.refused(stuck!, 'bad block');
    expect(polled.poll()).toMatchObject([
      { standing: { kind: 'refused', block: 11, nodes: ['late'], refusal: { node: 'late', words: 'bad block' } } },
    ]);
    expect(polled.poll(10)).toEqual([]);
    // It derives another block instead: the same divergence with more evidence.
    polled.chain('late').grow(1, 'x');
    expect(polled.poll(9)).toMatchObject([{ kind: 'divergence', standing: { kind: 'hash', block: 11 } }]);
    polled.chain('late').copy(polled.chain('sequencer'));
    expect(polled.poll(4)).toMatchObject([{ kind: 'agreement' }]);
  });

  it('asks for few blocks, however fast the heads move', () => {
    const polled = new Polled('sequencer', 'a', 'b');
    const lead = polled.chain('sequencer');
    for (let at = 0; at < 60; at++) {
      lead.grow(100);
      polled.chain('a').copy(lead, lead.head - (at % 7));
      polled.chain('b').copy(lead, lead.head - 50);
      polled.poll();
    }
    expect(polled.changes).toEqual([]);
    expect(polled.requestCount).toBeLessThan(60 * 3 * 6);
  });

  it('holds for any history of reorganisations, rewinds and restarts that ends in one chain', () => {
    const step = fc.record({
      blocks: fc.integer({ min: 0, max: 120 }),
      reorg: fc.option(fc.integer({ min: 1, max: 40 }), { freq: 4 }),
      lags: fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 3 })),
      down: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
        const polled = new Polled('sequencer', 'a', 'b');
        const lead = polled.chain('sequencer').grow(1);
        let tag = 0;
        for (const { blocks, reorg, lags, down } of steps) {
          if (reorg !== null) lead.rewind(lead.head - reorg).grow(1, String.fromCharCode(98 + (tag++ % 24)));
          lead.grow(blocks);
          // Verifiers are behind the sequencer, a for up to 3 s after a reorganisation.
          if (reorg === null || lags[1] === 0) polled.chain('a').copy(lead, Math.max(0, lead.head - lags[0]));
          polled.chain('b').copy(lead, Math.max(0, lead.head - lags[1]));
          if (down) polled.comparison.forget('b');
          polled.poll(reorg === null ? 1 : lags[1]);
          polled.chain('a').copy(lead, Math.max(0, lead.head - lags[0]));
        }
        expect(polled.changes).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('finds a planted divergence in any history, at its first block', () => {
    const step = fc.record({ blocks: fc.integer({ min: 1, max: 90 }), lag: fc.integer({ min: 0, max: 40 }) });
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 300 }),
        (steps, planted) => {
          const polled = new Polled('sequencer', 'a', 'late');
          const lead = polled.chain('sequencer').grow(1);
          const wrong = new Chain();
          const move = (blocks: number, lag: number) => {
            lead.grow(blocks);
            polled.chain('a').copy(lead, Math.max(0, lead.head - lag));
            wrong.copy(lead, Math.min(lead.head, planted - 1)).grow(Math.max(0, lead.head - planted + 1), 'z');
            polled.chain('late').copy(wrong, Math.max(0, wrong.head - lag));
            polled.poll();
          };
          for (const { blocks, lag } of steps) move(blocks, lag);
          for (let at = 0; at < 40; at++) move(20, at % 3);
          expect(divergences(polled.changes)).toEqual([{ block: planted, nodes: ['late'] }]);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('the heads of rollup nodes', () => {
  const setUp = () => {
    const polled = new Polled('sequencer', 'a');
    for (const name of ['sequencer', 'a']) polled.chain(name).grow(300);
    const report = (seconds: number, safe: BlockRef) => {
      for (let at = 0; at < seconds; at++) {
        for (const name of ['sequencer', 'a']) polled.chain(name).grow(1);
        polled.comparison.reported('a', { unsafe: polled.chain('a').ref(polled.chain('a').head), safe });
        polled.poll();
      }
      return polled.comparison.mismatches(polled.moment).map(({ node, head, block }) => [node, head, block.number]);
    };
    return { polled, report };
  };

  it('match those of their execution clients, however old, and each block is requested once', () => {
    const { polled, report } = setUp();
    expect(report(3, polled.chain('a').ref(7))).toEqual([]);
    const before = polled.requestCount;
    polled.poll(5);
    const perPoll = (polled.requestCount - before) / 5;
    const now = polled.requestCount;
    expect(report(5, polled.chain('a').ref(7))).toEqual([]);
    expect(polled.requestCount - now).toBeLessThanOrEqual(5 * perPoll + 10);
  });

  it('are reported if they differ for long, until they are equal again', () => {
    const { polled, report } = setUp();
    expect(report(4, { number: 7, hash: '0xother' })).toEqual([]);
    expect(report(4, { number: 8, hash: '0xanother' })).toEqual([['a', 'safe', 8]]);
    expect(report(3, polled.chain('a').ref(9))).toEqual([]);
    expect(polled.changes).toEqual([]);
  });

  it('are not compared before the node knows its head', () => {
    const { report } = setUp();
    expect(report(9, { number: 0, hash: `0x${'0'.repeat(64)}` })).toEqual([]);
    expect(report(9, { number: 9000, hash: '0xabove' })).toEqual([]);
  });
});
