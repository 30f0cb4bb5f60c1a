import { present } from '../../../protocol/present.ts';
import { compareBlocks, type Divergence, type NodeChain } from '../agreement.ts';
import type { Moment } from '../health/gauge.ts';
import { type Mismatch, ROLLUP_HEADS, type RollupHead, RollupHeads } from './rollup-heads.ts';
import { type BlockRef, BlockWindow, type HeadRef } from './window.ts';

/** A divergence between the nodes of one chain that was confirmed. */
export interface Standing {
  /** The first block at which they diverge. */
  readonly block: number;
  /** The minority, or the nodes that differ from the sequencer where there is no majority. */
  readonly nodes: readonly string[];
  readonly kind: 'hash' | 'refused';
  /** A node of the majority. */
  readonly against: string;
  /** Hash of the block on the majority, and on the minority where it has one. */
  readonly hash: string;
  readonly other?: string;
  /** For a refused block: the node that refused it, with its words. */
  readonly refusal?: { readonly node: string; readonly words: string };
  /** Unix milliseconds at which it was first seen. */
  readonly since: number;
}

/** A change of agreement. */
export type Change =
  | { readonly kind: 'divergence'; readonly standing: Standing }
  /** `block`: the newest block on which the nodes agree again. */
  | { readonly kind: 'agreement'; readonly standing: Standing; readonly block: number };

/** Time (ms) for which a difference must last: a node reorganises a moment after another. */
export interface Confirmation {
  readonly unsafe: number;
  /** Of blocks that both sides derived from L1. */
  readonly safe: number;
}

/** A node whose head stands below a child that another node has. */
export interface Stuck {
  readonly node: string;
  readonly next: BlockRef;
  /** The node that has it. */
  readonly holder: string;
}

interface Candidate {
  readonly since: Moment;
  /** Numbers of answers of the two nodes at that time. */
  readonly answers: readonly [number, number];
}

interface Node {
  readonly name: string;
  readonly reference: boolean;
  window: BlockWindow;
  rollup: RollupHeads;
  answers: number;
  safe: number;
  /** When its head last moved. */
  moved: number;
}

/** Heights between two bounds that are requested at once. */
const FANOUT = 15;

/** Time (ms) for which a head stands before the node counts as stuck below another. */
const STUCK = 1500;

/**
 * Compares the nodes of one chain as their heads move. Has no clock and makes no call.
 * Blocks name their parents, so two nodes with one hash at a height agree on all blocks below it. Each node is asked
 * for the heads of the others only, and for heights between the last equal and the first different block.
 */
export class Comparison {
  readonly chain: string;
  readonly #nodes: ReadonlyMap<string, Node>;
  readonly #confirmation: Confirmation;
  readonly #asked = new Map<string, Set<number>>();
  readonly #candidates = new Map<string, Candidate>();
  readonly #standing = new Map<string, Standing>();
  readonly #refusals = new Map<string, { readonly next: BlockRef; readonly holder: string; readonly words: string }>();
  /** Newest height at which all nodes had one hash. */
  #agreed = 0;

  constructor(
    chain: string,
    nodes: readonly { readonly name: string; readonly reference: boolean }[],
    confirmation: Confirmation,
  ) {
    this.chain = chain;
    this.#confirmation = confirmation;
    this.#nodes = new Map(
      nodes.map((node) => {
        const unknown = { window: new BlockWindow(), rollup: new RollupHeads(), answers: 0, safe: 0, moved: 0 };
        return [node.name, { ...node, ...unknown }];
      }),
    );
  }

  get standing(): readonly Standing[] {
    return [...this.#standing.values()];
  }

  /** Whether a difference waits for its confirmation, so that the next answer matters soon. */
  get isUrgent(): boolean {
    return this.#candidates.size > 0;
  }

  /** Heights that a node is asked for beside its head. The last known head shows a reorganisation. */
  wanted(name: string): readonly number[] {
    const head = this.#nodes.get(name)?.window.head;
    return [...new Set([...(head === undefined ? [] : [head.number]), ...(this.#asked.get(name) ?? [])])];
  }

  /** Records an answer of a node. Returns its earlier head where it left its chain. */
  observe(name: string, head: HeadRef, blocks: readonly BlockRef[], at: Moment): HeadRef | undefined {
    const node = this.#nodes.get(name);
    if (node === undefined) return undefined;
    if (node.window.head?.hash !== head.hash) node.moved = at.watched;
    node.answers += 1;
    const left = node.window.observe(head, blocks, new Set([...this.#pinned(), ...node.rollup.open]));
    // How far it went back is unknown.
    if (left !== undefined) this.#agreed = 0;
    return left;
  }

  /** Records the heads that a rollup node reports. */
  reported(name: string, heads: Readonly<Partial<Record<RollupHead, BlockRef>>>): void {
    const node = this.#nodes.get(name);
    if (node === undefined) return;
    if (heads.safe !== undefined) node.safe = heads.safe.number;
    for (const head of ROLLUP_HEADS) {
      const block = heads[head];
      if (block !== undefined) node.rollup.report(head, block);
    }
  }

  /** Heads of rollup nodes that have long been other blocks than those of their execution clients, by node. */
  mismatches(at: Moment): readonly (Mismatch & { readonly node: string })[] {
    return [...this.#nodes.values()].flatMap(({ name, rollup }) =>
      rollup.mismatches
        .filter(({ since }) => at.watched - since.watched >= this.#confirmation.unsafe)
        .map((mismatch) => ({ ...mismatch, node: name })),
    );
  }

  /** Forgets what is known of a node: it is down, or it was restarted. */
  lost(name: string): void {
    const node = this.#nodes.get(name);
    if (node?.window.head === undefined) return;
    node.window = new BlockWindow();
    node.rollup = new RollupHeads();
    node.safe = 0;
  }

  /** Nodes whose head stands directly below a block of another node. They may have refused it. */
  stuck(at: Moment): readonly Stuck[] {
    const answering = this.#answering();
    return answering.flatMap(({ name, window: { head }, moved }): Stuck[] => {
      if (head === undefined || at.watched - moved < STUCK) return [];
      for (const other of answering) {
        if (other.name === name || (other.window.head?.number ?? 0) <= head.number) continue;
        const below = other.window.hashes.get(head.number);
        const next = other.window.hashes.get(head.number + 1);
        if (below === undefined || next === undefined) {
          this.#ask(other.name, head.number);
          this.#ask(other.name, head.number + 1);
        } else if (below === head.hash)
          return [{ node: name, next: { number: head.number + 1, hash: next }, holder: other.name }];
      }
      return [];
    });
  }

  /** Records that a stuck node refused the block. */
  refused({ node, next, holder }: Stuck, words: string): void {
    this.#refusals.set(node, { next, holder, words });
  }

  /** Compares all that is known and returns what has changed since the last call. */
  changes(at: Moment): Change[] {
    this.#asked.clear();
    const nodes = this.#answering();
    this.#askForHeads(nodes);
    for (const { name, window, rollup } of nodes)
      for (const height of rollup.judge(window, at)) this.#ask(name, height);
    const found = compareBlocks(this.chain, nodes.map(asChain));
    const seen = new Set<string>();
    const changes = [
      ...found.flatMap((divergence) => this.#different(divergence, nodes, at, seen)),
      ...this.#refusedBlocks(nodes, at),
    ];
    for (const key of this.#candidates.keys()) if (!seen.has(key)) this.#candidates.delete(key);
    if (found.length === 0) this.#agreed = Math.max(this.#agreed, newestCommon(nodes));
    return [...changes, ...this.#agreements(nodes, new Set(found.flatMap((each) => each.nodes)))];
  }

  #answering(): readonly Node[] {
    return [...this.#nodes.values()].filter(({ window }) => window.head !== undefined);
  }

  #pinned(): ReadonlySet<number> {
    return new Set(this.standing.flatMap(({ block }) => [block - 1, block]));
  }

  #ask(name: string, number: number): void {
    const asked = this.#asked.get(name) ?? new Set();
    this.#asked.set(name, asked.add(number));
  }

  /** Each node is asked for the heads of the nodes below it, and for the blocks of standing divergences. */
  #askForHeads(nodes: readonly Node[]): void {
    const heights = new Set([
      ...nodes.map(({ window }) => window.head?.number ?? 0),
      ...this.standing.map(({ block }) => block),
    ]);
    for (const { name, window } of nodes)
      for (const height of heights)
        if (height <= (window.head?.number ?? 0) && !window.hashes.has(height)) this.#ask(name, height);
  }

  /** Narrows a difference down to its first block and confirms it. */
  #different(divergence: Divergence, nodes: readonly Node[], at: Moment, seen: Set<string>): Change[] {
    const minority = present(
      nodes.find(({ name }) => name === divergence.nodes[0]),
      'node of the minority',
    );
    const { block } = divergence;
    const other = present(minority.window.hashes.get(block), 'block of the minority');
    const against = nodes.find(
      ({ name, window }) =>
        !divergence.nodes.includes(name) && window.hashes.has(block) && window.hashes.get(block) !== other,
    );
    if (against === undefined) return [];
    const hash = present(against.window.hashes.get(block), 'block of the majority');
    const key = `${block} ${divergence.nodes.join(' ')} ${other} ${hash}`;
    const lower = lastEqual(minority, against, block) ?? Math.min(this.#agreed, block - 1);
    if (lower < block - 1) {
      for (const height of between(lower, block)) for (const { name } of [minority, against]) this.#ask(name, height);
      return [];
    }
    for (const { name } of nodes) this.#ask(name, block);
    seen.add(key);
    const candidate = this.#candidates.get(key) ?? { since: at, answers: [minority.answers, against.answers] };
    this.#candidates.set(key, candidate);
    const { safe, unsafe } = this.#confirmation;
    const needed = Math.min(minority.safe, against.safe) >= block ? safe : unsafe;
    const isAnswered = minority.answers > candidate.answers[0] + 1 && against.answers > candidate.answers[1] + 1;
    if (at.watched - candidate.since.watched < needed || !isAnswered) return [];
    seen.delete(key);
    const before = this.#standing.get(nameOf(divergence.nodes));
    if (before?.block === block && before.other === other && before.hash === hash) return [];
    return this.#stand({
      ...{ block, nodes: divergence.nodes, kind: 'hash', against: against.name, hash, other },
      since: before?.block === block ? before.since : candidate.since.wall,
    });
  }

  /** Reports blocks that one side refused, until it has passed them. */
  #refusedBlocks(nodes: readonly Node[], at: Moment): Change[] {
    for (const [name, { next }] of this.#refusals) {
      const head = this.#nodes.get(name)?.window.head;
      if (head !== undefined && head.number >= next.number) this.#refusals.delete(name);
    }
    const blocks = Map.groupBy(this.#refusals, ([, { next }]) => `${next.number} ${next.hash}`);
    return [...blocks.values()].flatMap((refusals) => {
      const [first, { next, words }] = present(refusals[0], 'refusal');
      const refusers = refusals.map(([name]) => name).sort();
      const holders = nodes.filter(({ window }) => window.hashes.get(next.number) === next.hash);
      const isRight = holders.length > refusers.length;
      const isReference = holders.some(({ reference }) => reference);
      const keep = isRight || (holders.length === refusers.length && isReference);
      const minority = keep ? refusers : holders.map(({ name }) => name).sort();
      const against = keep ? holders[0]?.name : first;
      if (minority.length === 0 || against === undefined) return [];
      const before = this.#standing.get(nameOf(minority));
      if (before?.block === next.number) return [];
      return this.#stand({
        ...{ block: next.number, nodes: minority, kind: 'refused', against, hash: next.hash },
        refusal: { node: first, words },
        since: at.wall,
      });
    });
  }

  #stand(standing: Standing): Change[] {
    for (const [key, { nodes }] of this.#standing)
      if (nodes.every((name) => standing.nodes.includes(name))) this.#standing.delete(key);
    this.#standing.set(nameOf(standing.nodes), standing);
    return [{ kind: 'divergence', standing }];
  }

  /** Ends the divergences whose nodes have the block, or a later one, in common with another node. */
  #agreements(nodes: readonly Node[], different: ReadonlySet<string>): Change[] {
    return this.standing.flatMap((standing): Change[] => {
      const own = nodes.filter(({ name }) => standing.nodes.includes(name));
      const others = nodes.filter(({ name }) => !standing.nodes.includes(name) && !different.has(name));
      if (own.length < standing.nodes.length || own.some(({ name }) => different.has(name))) return [];
      const common = own.map((node) => Math.max(-1, ...others.map((other) => newestCommon([node, other]))));
      const block = Math.min(...common);
      if (block < standing.block) return [];
      this.#standing.delete(nameOf(standing.nodes));
      for (const name of standing.nodes) this.#refusals.delete(name);
      return [{ kind: 'agreement', standing, block }];
    });
  }
}

const nameOf = (nodes: readonly string[]) => nodes.join(' ');

function asChain({ name, reference, window }: Node): NodeChain {
  return {
    ...{ name, implementation: name, reference, gossip: true, head: window.head?.number },
    blocks: new Map([...window.hashes].map(([number, hash]) => [number, { hash }])),
  };
}

/** Newest height at which all nodes have one hash; -1 where none is known. */
function newestCommon(nodes: readonly Node[]): number {
  const [first, ...others] = nodes;
  if (first === undefined || others.length === 0) return -1;
  const equal = [...first.window.hashes].filter(([number, hash]) =>
    others.every(({ window }) => window.hashes.get(number) === hash),
  );
  return Math.max(-1, ...equal.map(([number]) => number));
}

/** Newest height below `block` at which both have one hash. */
function lastEqual(a: Node, b: Node, block: number): number | undefined {
  const equal = [...a.window.hashes].filter(([number, hash]) => number < block && b.window.hashes.get(number) === hash);
  return equal.length === 0 ? undefined : Math.max(...equal.map(([number]) => number));
}

/** Up to {@link FANOUT} heights strictly between two, evenly spaced. */
function between(low: number, high: number): number[] {
  const gap = high - low;
  const parts = Math.min(FANOUT + 1, gap);
  return [...new Set(Array.from({ length: parts - 1 }, (_, at) => low + Math.ceil((gap * (at + 1)) / parts)))].filter(
    (height) => height < high,
  );
}
