import { describe, expect, it } from 'vitest';
import { Comparison } from '../../../../src/orchestrator/divergence/watch/comparison.ts';
import type { Change } from '../../../../src/orchestrator/divergence/watch/standing.ts';

const hashOf = (number: number, from: number, tag: string) => `${number < from ? 'a' : tag}${number}`;
const at = (ms: number) => ({ watched: ms, wall: 1_000_000 + ms });

/** By node: its head, from where its chain is another one, and the tag of that chain. */
type Heads = Readonly<Record<string, readonly [number, number?, string?]>>;

/** Nodes whose heads are moved and answers are given one by one. */
class Steps {
  readonly comparison: Comparison;
  now = 0;

  constructor(...names: string[]) {
    this.comparison = new Comparison('main', membersOf(names), { unsafe: 5000, safe: 2000 });
  }

  /** Answers with a head and the blocks that are asked for. From `from` on the chain is another one. */
  answer(name: string, head: number, from = Number.POSITIVE_INFINITY, tag = 'x') {
    const blocks = this.comparison
      .heightsFor(name)
      .filter((number) => number <= head)
      .map((number) => ({ number, hash: hashOf(number, from, tag) }));
    const ref = { number: head, hash: hashOf(head, from, tag), time: head };
    return this.comparison.observe(name, ref, blocks, at(this.now));
  }

  /** One second with an answer of each node: its head, and from where its chain is another one. */
  round(heads: Heads): Change[] {
    this.now += 1000;
    for (const [name, words] of Object.entries(heads)) this.answer(name, ...words);
    return this.comparison.changes(at(this.now));
  }

  rounds(count: number, heads: Heads): Change[] {
    return Array.from({ length: count }, () => this.round(heads)).flat();
  }

  stuck() {
    return this.comparison.stuck(at(this.now));
  }

  heights(name: string) {
    return this.comparison.heightsFor(name).toSorted((a, b) => a - b);
  }
}

const membersOf = (names: readonly string[]) => names.map((name) => ({ name, reference: name === 'sequencer' }));

describe('a node that is compared', () => {
  it('is asked for nothing beside its head before it has answered', () => {
    const { comparison } = new Steps('sequencer', 'a');
    expect(comparison.heightsFor('a')).toEqual([]);
    expect(comparison.changes(at(0))).toEqual([]);
    expect(comparison.stuck(at(5000))).toEqual([]);
  });

  it('is asked for its last head, each height once', () => {
    const steps = new Steps('sequencer', 'a');
    steps.answer('a', 7);
    expect(steps.comparison.heightsFor('a')).toEqual([7]);
    steps.answer('sequencer', 9);
    steps.comparison.changes(at(0));
    // The head of the lower node is a height of the higher one.
    expect(steps.heights('sequencer')).toEqual([7, 9]);
    expect(steps.heights('a')).toEqual([7]);
    steps.answer('sequencer', 9);
    steps.comparison.changes(at(0));
    expect(steps.heights('sequencer')).toEqual([9]);
  });

  it('is no other one than those of the network', () => {
    const { comparison } = new Steps('sequencer');
    const head = { number: 1, hash: 'a1', time: 1 };
    expect(comparison.heightsFor('other')).toEqual([]);
    expect(comparison.observe('other', head, [], at(0))).toBeUndefined();
    comparison.reported('other', { safe: head });
    comparison.forget('other');
    expect(comparison.isConfirmed('other')).toBe(true);
    expect(comparison.changes(at(0))).toEqual([]);
  });

  it('returns the head that it left', () => {
    const steps = new Steps('sequencer', 'a');
    expect(steps.answer('a', 7)).toBeUndefined();
    expect(steps.answer('a', 8)).toBeUndefined();
    expect(steps.answer('a', 6)).toMatchObject({ number: 8, hash: 'a8' });
  });

  it('is confirmed when it was forgotten before its first answer', () => {
    const { comparison } = new Steps('sequencer', 'a');
    comparison.forget('a');
    expect(comparison.isConfirmed('a')).toBe(true);
  });

  it('is known anew when it left the network and came back', () => {
    const steps = new Steps('sequencer', 'a', 'b');
    steps.rounds(2, { sequencer: [9], a: [9], b: [8] });
    const [stuck] = steps.comparison.stuck(at(steps.now + 1500));
    steps.comparison.refused(stuck!, 'bad');
    expect(steps.round({})).toHaveLength(1);
    steps.comparison.forget('b');
    expect(steps.comparison.isConfirmed('b')).toBe(false);
    steps.comparison.renew(membersOf(['sequencer', 'a']));
    expect(steps.comparison.isConfirmed('b')).toBe(true);
    expect(steps.comparison.standing).toEqual([]);
    steps.comparison.renew(membersOf(['sequencer', 'a', 'b']));
    expect(steps.comparison.heightsFor('b')).toEqual([]);
    expect(steps.rounds(2, { sequencer: [9], a: [9], b: [8] })).toEqual([]);
  });

  it('keeps what is known of it in another role', () => {
    const steps = new Steps('sequencer', 'a');
    steps.rounds(2, { sequencer: [5], a: [5, 5] });
    steps.comparison.renew([
      { name: 'sequencer', reference: false },
      { name: 'a', reference: true },
    ]);
    expect(steps.heights('a')).toEqual([5]);
    expect(steps.rounds(8, { sequencer: [5], a: [5, 5] })).toMatchObject([{ standing: { nodes: ['sequencer'] } }]);
  });
});

describe('a difference between two nodes', () => {
  const differing = { sequencer: [5], a: [5], late: [5, 5] } as const;

  it('waits for its confirmation, and no longer', () => {
    const steps = new Steps('sequencer', 'a', 'late');
    expect(steps.comparison.isUrgent).toBe(false);
    steps.rounds(2, { sequencer: [4], a: [4], late: [4] });
    expect(steps.comparison.isUrgent).toBe(false);
    expect(steps.rounds(5, differing)).toEqual([]);
    expect(steps.comparison.isUrgent).toBe(true);
    // Five seconds after it was seen first.
    expect(steps.round(differing)).toMatchObject([{ kind: 'divergence', standing: { block: 5, since: 1_003_000 } }]);
    expect(steps.comparison.isUrgent).toBe(false);
    expect(steps.rounds(9, differing)).toEqual([]);
    expect(steps.comparison.isUrgent).toBe(false);
    steps.comparison.renew(membersOf(['sequencer', 'a', 'late']));
    expect(steps.comparison.standing).toHaveLength(1);
  });

  it('is dropped when the nodes are equal again before', () => {
    const steps = new Steps('sequencer', 'late');
    const other = { sequencer: [5], late: [5, 5] } as const;
    steps.rounds(2, { sequencer: [4], late: [4] });
    steps.rounds(4, other);
    steps.round({ sequencer: [5], late: [5] });
    expect(steps.comparison.isUrgent).toBe(false);
    // The first round asks for the blocks below, because the node had left its chain.
    expect(steps.rounds(6, other)).toEqual([]);
    expect(steps.round(other)).toHaveLength(1);
  });

  it('needs two more answers of both sides', () => {
    for (const silent of ['sequencer', 'late']) {
      const steps = new Steps('sequencer', 'late');
      steps.rounds(2, { sequencer: [4], late: [4] });
      const other = { sequencer: [5], late: [5, 5] } as const;
      steps.round(other);
      const one = Object.fromEntries(Object.entries(other).filter(([name]) => name !== silent));
      expect(steps.rounds(9, one)).toEqual([]);
      expect(steps.round(other)).toEqual([]);
      expect(steps.round(other)).toHaveLength(1);
    }
  });

  it('names both blocks, and a node of the majority', () => {
    const steps = new Steps('sequencer', 'a', 'late');
    steps.rounds(2, { sequencer: [4], a: [4], late: [4] });
    expect(steps.rounds(6, differing)).toEqual([
      {
        kind: 'divergence',
        standing: {
          ...{ block: 5, nodes: ['late'], kind: 'hash', against: 'sequencer', hash: 'a5', other: 'x5' },
          since: 1_003_000,
        },
      },
    ]);
  });

  it('is confirmed after 2 s when both sides derived the block from L1', () => {
    const seconds = (safe: Readonly<Record<string, number>>) => {
      const steps = new Steps('sequencer', 'late');
      steps.rounds(2, { sequencer: [4], late: [4] });
      for (const [name, number] of Object.entries(safe)) {
        steps.comparison.reported(name, { safe: { number, hash: `${name === 'late' ? 'x' : 'a'}${number}` } });
        steps.comparison.reported(name, { unsafe: { number: 5, hash: '0x0' } });
      }
      for (let count = 0; count < 20; count++)
        if (steps.round({ sequencer: [5], late: [5, 5] }).length > 0) return count;
      return undefined;
    };
    expect(seconds({ sequencer: 5, late: 5 })).toBe(2);
    expect(seconds({ sequencer: 6, late: 5 })).toBe(2);
    expect(seconds({ sequencer: 5, late: 4 })).toBe(5);
    expect(seconds({ sequencer: 4, late: 5 })).toBe(5);
    expect(seconds({})).toBe(5);
  });

  it('forgets the safe block of a node that was down', () => {
    const steps = new Steps('sequencer', 'late');
    steps.rounds(2, { sequencer: [4], late: [4] });
    steps.comparison.reported('sequencer', { safe: { number: 5, hash: 'a5' } });
    steps.comparison.reported('late', { safe: { number: 5, hash: 'x5' } });
    steps.comparison.forget('late');
    expect(steps.rounds(5, { sequencer: [5], late: [5, 5] })).toEqual([]);
    expect(steps.rounds(3, { sequencer: [5], late: [5, 5] })).toHaveLength(1);
  });

  it('is searched above the newest block that all had, at 15 heights at once', () => {
    // A node that never answers changes nothing.
    const steps = new Steps('sequencer', 'late', 'down');
    steps.rounds(2, { sequencer: [1000], late: [1000] });
    steps.round({ sequencer: [1160], late: [1160, 1037] });
    const heights = Array.from({ length: 15 }, (_, index) => 1010 + 10 * index);
    expect(steps.heights('late')).toEqual([...heights, 1160]);
    expect(steps.heights('sequencer')).toEqual([...heights, 1160]);
    steps.round({ sequencer: [1160], late: [1160, 1037] });
    expect(steps.heights('late')).toEqual([...Array.from({ length: 9 }, (_, index) => 1031 + index), 1160]);
    expect(steps.rounds(8, { sequencer: [1160], late: [1160, 1037] })).toMatchObject([{ standing: { block: 1037 } }]);
  });

  it('is searched from the genesis when a node has left its chain', () => {
    const steps = new Steps('sequencer', 'late');
    steps.rounds(2, { sequencer: [100], late: [100] });
    expect(steps.rounds(12, { sequencer: [100], late: [100, 50] })).toMatchObject([{ standing: { block: 50 } }]);
  });

  it.each<[string, (steps: Steps) => void]>([
    ['was down', ({ comparison }) => comparison.forget('late')],
    [
      'left the network',
      ({ comparison }) => {
        comparison.renew(membersOf(['sequencer', 'a']));
        comparison.renew(membersOf(['sequencer', 'a', 'late']));
      },
    ],
  ])('is searched from the genesis when a node %s and came back', (_, go) => {
    const steps = new Steps('sequencer', 'a', 'late');
    steps.rounds(3, { sequencer: [1000], a: [1000], late: [1000] });
    go(steps);
    steps.rounds(3, { sequencer: [1010], a: [1010] });
    const heads = { sequencer: [1010], a: [1010], late: [1010, 500] } as const;
    expect(steps.rounds(15, heads)).toMatchObject([{ standing: { block: 500, nodes: ['late'] } }]);
  });

  it('is another one when either block is another one', () => {
    for (const moved of ['sequencer', 'late']) {
      const steps = new Steps('sequencer', 'late');
      steps.rounds(2, { sequencer: [4], late: [4] });
      expect(steps.rounds(6, { sequencer: [5], late: [5, 5] })).toHaveLength(1);
      const next: Heads =
        moved === 'late' ? { sequencer: [5], late: [5, 5, 'y'] } : { sequencer: [5, 5, 'y'], late: [5, 5] };
      const changes = steps.rounds(9, next);
      // The block diverged when it did before.
      expect(changes).toMatchObject([{ standing: { block: 5, since: 1_003_000 } }]);
      expect(steps.comparison.standing).toHaveLength(1);
    }
  });

  it('keeps the blocks of a standing divergence, however far the heads move', () => {
    const steps = new Steps('sequencer', 'late');
    steps.rounds(2, { sequencer: [5], late: [5] });
    steps.rounds(9, { sequencer: [5], late: [5, 5] });
    expect(steps.comparison.standing).toHaveLength(1);
    for (let head = 6; head < 160; head++) steps.round({ sequencer: [head], late: [head, 5] });
    // The block before it is known still: nothing below is asked for.
    expect(steps.heights('late')).toEqual([5, 159]);
    expect(steps.heights('sequencer')).toEqual([5, 159]);
  });
});

describe('a node that may have refused a block', () => {
  const behind = { sequencer: [6], a: [6], late: [4] } as const;

  it('stands directly below a block of another node for 1.5 s', () => {
    const steps = new Steps('sequencer', 'a', 'late');
    steps.round({ sequencer: [4], a: [4], late: [4] });
    steps.answer('sequencer', 6);
    steps.answer('a', 6);
    expect(steps.comparison.stuck(at(2499))).toEqual([]);
    expect(steps.comparison.stuck(at(2500))).toEqual([]);
    // The block after its head is not known yet.
    expect(steps.heights('sequencer')).toEqual([4, 5, 6]);
    expect(steps.heights('late')).toEqual([4]);
    steps.answer('sequencer', 6);
    expect(steps.comparison.stuck(at(2499))).toEqual([]);
    expect(steps.comparison.stuck(at(2500))).toEqual([
      { node: 'late', next: { number: 5, hash: 'a5' }, holder: 'sequencer' },
    ]);
    steps.now = 2500;
    steps.answer('late', 4);
    expect(steps.comparison.stuck(at(2500))).toHaveLength(1);
    steps.answer('late', 5);
    expect(steps.comparison.stuck(at(3999))).toEqual([]);
  });

  it('is none that has the newest head, or another block than the other node', () => {
    const steps = new Steps('sequencer', 'late');
    steps.rounds(3, { sequencer: [6], late: [6] });
    expect(steps.comparison.stuck(at(9000))).toEqual([]);
    expect(steps.heights('sequencer')).toEqual([6]);
    expect(steps.heights('late')).toEqual([6]);
    const other = new Steps('sequencer', 'late');
    other.rounds(3, { sequencer: [6], late: [4, 4] });
    other.stuck();
    other.rounds(1, { sequencer: [6], late: [4, 4] });
    expect(other.stuck()).toEqual([]);
  });

  it('is compared with the next node when the first has another block below', () => {
    const steps = new Steps('odd', 'sequencer', 'late');
    const heads = { odd: [6, 3, 'o'], sequencer: [6], late: [4] } as const;
    steps.rounds(2, heads);
    steps.stuck();
    steps.rounds(1, heads);
    expect(steps.stuck()).toEqual([{ node: 'late', next: { number: 5, hash: 'a5' }, holder: 'sequencer' }]);
  });

  /** Steps in which `late` has refused the block after its head. */
  function refusing(): Steps {
    const steps = new Steps('sequencer', 'a', 'late');
    steps.rounds(3, behind);
    steps.stuck();
    steps.rounds(1, behind);
    const [stuck] = steps.stuck();
    steps.comparison.refused(stuck!, 'bad block');
    return steps;
  }

  it('has a divergence of that block until it passes it', () => {
    const steps = refusing();
    const changes = steps.round(behind);
    expect(changes).toEqual([
      {
        kind: 'divergence',
        standing: {
          ...{ block: 5, nodes: ['late'], kind: 'refused', against: 'sequencer', hash: 'a5' },
          ...{ refusal: { node: 'late', words: 'bad block' }, since: 1_000_000 + steps.now },
        },
      },
    ]);
    expect(steps.rounds(3, behind)).toEqual([]);
    expect(steps.rounds(2, { ...behind, late: [5] })).toMatchObject([{ kind: 'agreement', block: 5 }]);
    // It refuses it again after a rewind: the earlier refusal does not count.
    expect(steps.rounds(3, behind)).toEqual([]);
  });

  it('is confirmed by its refusal, with the nodes that have the block', () => {
    const steps = refusing();
    steps.round(behind);
    for (const name of ['late', 'sequencer', 'a']) steps.comparison.forget(name);
    steps.rounds(1, { sequencer: [6], late: [4] });
    steps.comparison.stuck(at(steps.now + 2000));
    steps.rounds(1, { sequencer: [6], late: [4] });
    steps.comparison.stuck(at(steps.now + 2000));
    expect(['late', 'sequencer', 'a'].map((name) => steps.comparison.isConfirmed(name))).toEqual([true, true, false]);
  });
});

describe('the heads of rollup nodes', () => {
  it('are mismatches once they differ for the time of an unsafe block', () => {
    const steps = new Steps('sequencer', 'a');
    steps.rounds(2, { sequencer: [4], a: [4] });
    steps.comparison.reported('a', { finalized: { number: 3, hash: 'z3' } });
    steps.comparison.changes(at(steps.now));
    expect(steps.heights('a')).toEqual([3, 4]);
    steps.rounds(1, { sequencer: [4], a: [4] });
    const since = steps.now;
    expect(steps.comparison.mismatches(at(since + 4999))).toEqual([]);
    expect(steps.comparison.mismatches(at(since + 5000))).toEqual([
      { node: 'a', head: 'finalized', block: { number: 3, hash: 'z3' }, other: 'a3', since: at(since) },
    ]);
    steps.comparison.forget('a');
    expect(steps.comparison.mismatches(at(since + 9000))).toEqual([]);
  });

  it('keep the block that they are compared with, however far the head moves', () => {
    const steps = new Steps('sequencer', 'a');
    steps.round({ sequencer: [1], a: [1] });
    steps.comparison.reported('a', { safe: { number: 1, hash: 'z1' } });
    // No comparison between these answers.
    for (let head = 2; head < 90; head++) steps.answer('a', head);
    steps.comparison.changes(at(steps.now));
    expect(steps.comparison.mismatches(at(steps.now + 5000))).toHaveLength(1);
  });
});
