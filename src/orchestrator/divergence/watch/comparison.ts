import { present } from '../../../protocol/present.ts';
import type { Moment } from '../../health/gauge/gauge.ts';
import { type BlockRef, BlockWindow, type HeadRef } from '../../health/gauge/head-window.ts';
import { compareBlocks, type Divergence } from '../compare.ts';
import { blocksOf, type FollowedNode, heightsBetween, lastEqual, newestCommon } from './followed-node.ts';
import { Refusals, type Stuck } from './refusals.ts';
import { type Mismatch, ROLLUP_HEADS, type RollupHead, RollupHeads } from './rollup-heads.ts';
import { type Change, type Standing, StandingDivergences } from './standing.ts';

/** Time (ms) for which a difference must last: a node reorganises a moment after another. */
export interface Confirmation {
  readonly unsafe: number;
  /** Of blocks that both sides derived from L1. */
  readonly safe: number;
}

interface Candidate {
  readonly since: Moment;
  /** Numbers of answers of the two nodes at that time. */
  readonly answers: readonly [number, number];
}

/** Time (ms) for which a head stands before the node counts as stuck below another. */
const STUCK_AFTER_MS = 1500;

/**
 * Compares the nodes of one chain as their heads move. Has no clock and makes no call.
 * Blocks name their parents, so two nodes with one hash at a height agree on all blocks below it. Each node is asked
 * for the heads of the others only, and for heights between the last equal and the first different block.
 */
export class Comparison {
  readonly chain: string;
  #nodes: ReadonlyMap<string, FollowedNode>;
  readonly #confirmation: Confirmation;
  readonly #requests = new Map<string, Set<number>>();
  readonly #candidates = new Map<string, Candidate>();
  readonly #divergences = new StandingDivergences();
  readonly #refusals = new Refusals();
  /** Nodes that were down since their divergence was seen: whether it stands is unknown. */
  readonly #unconfirmed = new Set<string>();
  /** Newest height at which all nodes had one hash. */
  #agreed = 0;

  constructor(
    chain: string,
    nodes: readonly { readonly name: string; readonly reference: boolean }[],
    confirmation: Confirmation,
  ) {
    this.chain = chain;
    this.#confirmation = confirmation;
    this.#nodes = new Map(nodes.map((node) => [node.name, { ...node, ...unknown() }]));
  }

  /** Compares other nodes from now on. What is known of those that stay is kept, whatever their role is now. */
  renew(nodes: readonly { readonly name: string; readonly reference: boolean }[]): void {
    const before = this.#nodes;
    this.#nodes = new Map(nodes.map((node) => [node.name, { ...unknown(), ...before.get(node.name), ...node }]));
    for (const name of before.keys()) if (!this.#nodes.has(name)) this.#leave(name);
  }

  #leave(name: string): void {
    this.#unconfirmed.delete(name);
    this.#refusals.delete(name);
    this.#divergences.drop(name);
  }

  get standing(): readonly Standing[] {
    return this.#divergences.all;
  }

  /** Whether the answers of a node since it was last down, if ever, show the divergence. */
  isConfirmed(name: string): boolean {
    return !this.#unconfirmed.has(name);
  }

  /** Whether a difference waits for its confirmation, so that the next answer matters soon. */
  get isUrgent(): boolean {
    return this.#candidates.size > 0;
  }

  /** Heights that a node is asked for beside its head. The last known head shows a reorganisation. */
  heightsFor(name: string): readonly number[] {
    const head = this.#nodes.get(name)?.window.head;
    return [...new Set([...(head === undefined ? [] : [head.number]), ...(this.#requests.get(name) ?? [])])];
  }

  /** Records an answer of a node. Returns its earlier head if it left its chain. */
  observe(name: string, head: HeadRef, blocks: readonly BlockRef[], at: Moment): HeadRef | undefined {
    const node = this.#nodes.get(name);
    if (node === undefined) return undefined;
    const before = node.window.head;
    if (before?.hash !== head.hash) node.moved = at.watched;
    node.answers += 1;
    const left = node.window.observe(head, blocks, new Set([...this.#pinned(), ...node.rollup.open]));
    // How far it went back is unknown, also of a node that was down or is new.
    if (left !== undefined || before === undefined) this.#agreed = 0;
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
  forget(name: string): void {
    const node = this.#nodes.get(name);
    if (node?.window.head === undefined) return;
    this.#unconfirmed.add(name);
    node.window = new BlockWindow();
    node.rollup = new RollupHeads();
    node.safe = 0;
  }

  /** Nodes whose head stands directly below a block of another node. They may have refused it. */
  stuck(at: Moment): readonly Stuck[] {
    const answering = this.#answering();
    return answering.flatMap(({ name, window: { head }, moved }): Stuck[] => {
      if (head === undefined || at.watched - moved < STUCK_AFTER_MS) return [];
      for (const other of answering) {
        if (other.name === name || (other.window.head?.number ?? 0) <= head.number) continue;
        const below = other.window.hashes.get(head.number);
        const next = other.window.hashes.get(head.number + 1);
        if (below === undefined || next === undefined) {
          this.#ask(other.name, head.number);
          this.#ask(other.name, head.number + 1);
        } else if (below === head.hash) {
          const child = { number: head.number + 1, hash: next };
          if (this.#refusals.has(name, child)) this.#confirmRefusal(name, child, answering);
          return [{ node: name, next: child, holder: other.name }];
        }
      }
      return [];
    });
  }

  /** Records that a stuck node refused the block. */
  refused(stuck: Stuck, words: string): void {
    this.#refusals.add(stuck, words);
  }

  /** Compares all that is known and returns what has changed since the last call. */
  changes(at: Moment): Change[] {
    this.#requests.clear();
    const nodes = this.#answering();
    this.#askForHeads(nodes);
    for (const { name, window, rollup } of nodes)
      for (const height of rollup.judge(window, at)) this.#ask(name, height);
    const divergences = compareBlocks(this.chain, nodes.map(blocksOf));
    for (const { nodes: different } of divergences) for (const name of different) this.#unconfirmed.delete(name);
    const currentKeys = new Set<string>();
    const changes = [
      ...divergences.flatMap((divergence) => this.#different(divergence, nodes, at, currentKeys)),
      ...this.#refusedBlocks(nodes, at),
    ];
    for (const key of this.#candidates.keys()) if (!currentKeys.has(key)) this.#candidates.delete(key);
    if (divergences.length === 0) this.#agreed = Math.max(this.#agreed, newestCommon(nodes));
    return [...changes, ...this.#agreements(nodes, new Set(divergences.flatMap((each) => each.nodes)))];
  }

  /** A refused block divides the node that refused it, and those that have it. */
  #confirmRefusal(refuser: string, { number, hash }: BlockRef, nodes: readonly FollowedNode[]): void {
    this.#unconfirmed.delete(refuser);
    for (const { name, window } of nodes) if (window.hashes.get(number) === hash) this.#unconfirmed.delete(name);
  }

  #answering(): readonly FollowedNode[] {
    return [...this.#nodes.values()].filter(({ window }) => window.head !== undefined);
  }

  #pinned(): ReadonlySet<number> {
    return new Set(this.standing.flatMap(({ block }) => [block - 1, block]));
  }

  #ask(name: string, number: number): void {
    const heights = this.#requests.get(name) ?? new Set();
    this.#requests.set(name, heights.add(number));
  }

  /** Each node is asked for the heads of the nodes below it, and for the blocks of standing divergences. */
  #askForHeads(nodes: readonly FollowedNode[]): void {
    const heights = new Set([
      ...nodes.map(({ window }) => window.head?.number ?? 0),
      ...this.standing.map(({ block }) => block),
    ]);
    for (const { name, window } of nodes)
      for (const height of heights)
        if (height <= (window.head?.number ?? 0) && !window.hashes.has(height)) this.#ask(name, height);
  }

  /** Narrows a difference down to its first block and confirms it. */
  #different(divergence: Divergence, nodes: readonly FollowedNode[], at: Moment, currentKeys: Set<string>): Change[] {
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
      for (const height of heightsBetween(lower, block))
        for (const { name } of [minority, against]) this.#ask(name, height);
      return [];
    }
    for (const { name } of nodes) this.#ask(name, block);
    const before = this.#divergences.of(divergence.nodes);
    if (before?.block === block && before.other === other && before.hash === hash) return [];
    currentKeys.add(key);
    const candidate = this.#candidates.get(key) ?? { since: at, answers: [minority.answers, against.answers] };
    this.#candidates.set(key, candidate);
    const { safe, unsafe } = this.#confirmation;
    const needed = Math.min(minority.safe, against.safe) >= block ? safe : unsafe;
    const isAnswered = minority.answers > candidate.answers[0] + 1 && against.answers > candidate.answers[1] + 1;
    if (at.watched - candidate.since.watched < needed || !isAnswered) return [];
    currentKeys.delete(key);
    const standing = this.#divergences.add({
      ...{ block, nodes: divergence.nodes, kind: 'hash', against: against.name, hash, other },
      since: before?.block === block ? before.since : candidate.since.wall,
    });
    return [standing];
  }

  /** Reports blocks that one side refused, until it has passed them. */
  #refusedBlocks(nodes: readonly FollowedNode[], at: Moment): Change[] {
    this.#refusals.forgetPassed(this.#nodes.values());
    return this.#refusals
      .divergences(nodes, at.wall)
      .filter((divergence) => this.#divergences.of(divergence.nodes)?.block !== divergence.block)
      .map((divergence) => this.#divergences.add(divergence));
  }

  #agreements(nodes: readonly FollowedNode[], different: ReadonlySet<string>): Change[] {
    const agreements = this.#divergences.end(nodes, different);
    for (const { standing } of agreements) for (const name of standing.nodes) this.#refusals.delete(name);
    return agreements;
  }
}

function unknown(): Omit<FollowedNode, 'name' | 'reference'> {
  return { window: new BlockWindow(), rollup: new RollupHeads(), answers: 0, safe: 0, moved: 0 };
}
