import { quantity } from '../../../protocol/hex.ts';
import type { Moment } from '../../health/gauge/gauge.ts';
import type { HeadRef } from '../../health/gauge/head-window.ts';
import { limitOf } from '../../health/gauge/pace.ts';
import type { Reading } from '../../health/gauge/reading.ts';
import type { Symptom } from '../../health/gauge/symptom.ts';
import type { ChainView, NodeView, Plan } from '../../plan/plan.ts';
import { redactor } from '../../plan/redact.ts';
import { clientFor } from '../../probe/call.ts';
import type { NetworkEvent } from '../../state/network-event-type.ts';
import { compareBlocks, type Divergence, isHeader } from '../compare.ts';
import { refusalOf } from '../refusal.ts';
import { Comparison } from './comparison.ts';
import { headEvents } from './head-events.ts';
import type { Stuck } from './refusals.ts';
import { type Mismatch, ROLLUP_HEADS } from './rollup-heads.ts';
import type { Change, Standing } from './standing.ts';

export interface ObserverIo {
  /** The plan in force. A change of a running network replaces it. */
  plan(): Plan;
  emit(event: NetworkEvent): void;
  /**
   * Called once for each divergence, with a node of the majority. Called again if the node that refused a block has
   * another one in its place.
   */
  diverged(divergence: Divergence, against: string): void;
}

/** Time (ms) for which a difference between blocks that both sides derived from L1 must last. */
const SAFE_MISMATCH_MS = 3000;

/** Bytes at the end of a log that are searched for a refusal. */
const MAX_SEARCHED_BYTES = 512 * 1024;

/** Time (ms) before the logs of a stuck node are searched again; it doubles. */
const SEARCH_RETRY_MS = 1500;

/** Timeout (ms) of a request for a header. */
const HEADER_TIMEOUT_MS = 4000;

/** The process of a node that a task is. */
interface Place {
  readonly chain: string;
  readonly node: string;
  readonly isExecution: boolean;
}

/** Compares the heads that the health watch reads, and tells what has changed. */
export class Observer {
  readonly #io: ObserverIo;
  readonly #comparisons: ReadonlyMap<string, Comparison>;
  /** Execution clients and rollup nodes by task. */
  #places: ReadonlyMap<string, Place>;
  readonly #heads = new Map<string, HeadRef>();
  readonly #divergences = new Map<Standing, Divergence>();
  readonly #searches = new Map<string, { readonly hash: string; readonly times: number; readonly at: number }>();

  constructor(io: ObserverIo) {
    this.#io = io;
    const { chains } = io.plan().network;
    this.#comparisons = new Map(
      chains.map(({ name, nodes, blockTime }) => [
        name,
        new Comparison(name, nodes.map(followed), { unsafe: limitOf(blockTime * 1000), safe: SAFE_MISMATCH_MS }),
      ]),
    );
    this.#places = placesOf(chains);
  }

  /** Compares the nodes of the plan in force from now on. What is known of those that stay is kept. */
  renew(): void {
    const { chains } = this.#io.plan().network;
    for (const { name, nodes } of chains) this.#comparisons.get(name)?.renew(nodes.map(followed));
    this.#places = placesOf(chains);
    for (const task of this.#heads.keys()) if (!this.#places.has(task)) this.#heads.delete(task);
  }

  get isUrgent(): boolean {
    return [...this.#comparisons.values()].some(({ isUrgent }) => isUrgent);
  }

  /** Numbers of blocks that a task is asked for beside its head. */
  heightsFor(task: string): readonly number[] {
    const place = this.#places.get(task);
    return (place && this.#comparisons.get(place.chain)?.heightsFor(place.node)) ?? [];
  }

  /** Records an answer of a task. */
  answered(task: string, { chain: read, values }: Reading, at: Moment): void {
    const place = this.#placeOf(task);
    if (place === undefined) return;
    const { chain, node, comparison, isExecution } = place;
    if (!isExecution) {
      const heads = ROLLUP_HEADS.flatMap((head) => {
        const { number, hash } = values[`${task} ${head}`] ?? {};
        return number === undefined || hash === undefined ? [] : [[head, { number, hash: hash.toLowerCase() }]];
      });
      comparison.reported(node.name, Object.fromEntries(heads));
      return;
    }
    if (read === undefined) return;
    const { head, blocks } = read;
    const left = comparison.observe(node.name, head, blocks, at);
    if (left !== undefined)
      this.#io.emit({
        ...{ kind: 'reorg', at: at.wall, chain: chain.name, node: node.name },
        from: { number: left.number, hash: left.hash },
        to: { number: head.number, hash: head.hash },
      });
    for (const event of headEvents(this.#io.plan(), chain, node, head, this.#heads.get(task), at)) this.#io.emit(event);
    this.#heads.set(task, head);
  }

  /** Forgets a task that is not up. */
  forget(task: string): void {
    const place = this.#places.get(task);
    if (place?.isExecution === true) this.#comparisons.get(place.chain)?.forget(place.node);
  }

  /** Compares what the last answers brought. */
  round(at: Moment): void {
    for (const [chain, comparison] of this.#comparisons) {
      for (const change of comparison.changes(at)) void this.#tell(chain, change);
      for (const stuck of comparison.stuck(at)) this.#search(chain, comparison, stuck, at);
    }
  }

  /**
   * The standing differences as problems. Execution clients of the minority have one. So has a rollup node whose head
   * is another block than its execution client's.
   */
  symptoms(at: Moment): Symptom[] {
    const mismatches = [...this.#comparisons].flatMap(([chain, comparison]) =>
      comparison.mismatches(at).flatMap((mismatch): Symptom[] => {
        const task = this.#nodeOf(chain, mismatch.node)?.node.cl.task;
        if (task === undefined) return [];
        const { head, since } = mismatch;
        return [{ id: `${task} ${head}`, subject: task, what: mismatchOf(mismatch), since: since.wall, causes: [] }];
      }),
    );
    return mismatches.concat(this.#divergent());
  }

  #divergent(): Symptom[] {
    return [...this.#comparisons].flatMap(([chain, comparison]) =>
      comparison.standing.flatMap((standing) => {
        const divergence = this.#divergences.get(standing);
        if (divergence === undefined) return [];
        return standing.nodes
          .filter((name) => comparison.isConfirmed(name))
          .flatMap((name): Symptom[] => {
            const task = this.#nodeOf(chain, name)?.node.el.task;
            if (task === undefined) return [];
            return [
              {
                ...{ id: task, subject: task, what: problemOf(chain, standing), since: standing.since, causes: [] },
                ...(divergence.reason === '' ? {} : { because: divergence.reason }),
              },
            ];
          });
      }),
    );
  }

  async #tell(chain: string, change: Change): Promise<void> {
    const { standing } = change;
    const at = Date.now();
    const { nodes, since } = standing;
    if (change.kind === 'agreement') {
      this.#divergences.delete(standing);
      return this.#io.emit({ kind: 'agreement', at, chain, block: change.block, nodes: [...nodes] });
    }
    const divergence = await this.#describe(chain, standing);
    this.#divergences.set(standing, divergence);
    const { block, fields, reason } = divergence;
    this.#io.emit({
      kind: 'divergence',
      at,
      chain,
      block,
      nodes: [...nodes],
      how: standing.kind,
      fields: [...fields],
      reason,
      since,
    });
    this.#io.diverged(divergence, standing.against);
  }

  /** Reads both headers and names the fields that differ. */
  async #describe(chain: string, standing: Standing): Promise<Divergence> {
    const { block, nodes, kind, against, refusal } = standing;
    const bare: Divergence = { ...{ chain, block, nodes, kind, fields: [] }, reason: refusal?.words ?? '' };
    if (kind === 'refused') return bare;
    const sides = await Promise.all(
      [against, nodes[0]].map(async (name = '') => {
        const url = this.#nodeOf(chain, name)?.node.el.http;
        if (url === undefined) return [];
        const params = [quantity(block), false];
        const header = await clientFor(url)
          .call('eth_getBlockByNumber', params, { timeoutMs: HEADER_TIMEOUT_MS })
          .catch(() => undefined);
        if (!isHeader(header)) return [];
        return [{ name, reference: name === against, blocks: new Map([[block, header]]) }];
      }),
    );
    const [divergence] = compareBlocks(chain, sides.flat());
    return divergence === undefined ? bare : { ...bare, fields: divergence.fields, reason: divergence.reason };
  }

  /** Searches the logs of a stuck node for the words with which it refused the next block. */
  #search(chain: string, comparison: Comparison, stuck: Stuck, at: Moment): void {
    const place = this.#nodeOf(chain, stuck.node);
    if (place === undefined) return;
    const key = `${chain} ${stuck.node}`;
    const before = this.#searches.get(key);
    const times = before?.hash === stuck.next.hash ? before.times : 0;
    if (before !== undefined && at.watched - before.at < SEARCH_RETRY_MS * 2 ** times) return;
    this.#searches.set(key, { hash: stuck.next.hash, times: times + 1, at: at.watched });
    const tasks = this.#io.plan().tasks.filter(({ id }) => id === place.node.el.task || id === place.node.cl.task);
    const words = refusalOf(
      tasks.map(({ log }) => log),
      stuck.next,
      MAX_SEARCHED_BYTES,
    );
    if (words !== undefined) comparison.refused(stuck, redactor(tasks.flatMap(({ secrets }) => secrets))(words));
  }

  #placeOf(task: string) {
    const place = this.#places.get(task);
    if (place === undefined) return undefined;
    const view = this.#nodeOf(place.chain, place.node);
    const comparison = this.#comparisons.get(place.chain);
    return view && comparison && { ...view, comparison, isExecution: place.isExecution };
  }

  #nodeOf(name: string, node: string): { readonly chain: ChainView; readonly node: NodeView } | undefined {
    const chain = this.#io.plan().network.chains.find((each) => each.name === name);
    const view = chain?.nodes.find((each) => each.name === node);
    return chain && view && { chain, node: view };
  }
}

function followed({ name, role }: NodeView): { readonly name: string; readonly reference: boolean } {
  return { name, reference: role === 'sequencer' };
}

function placesOf(chains: readonly ChainView[]): ReadonlyMap<string, Place> {
  return new Map(
    chains.flatMap((chain) =>
      chain.nodes.flatMap(({ name: node, el, cl }) =>
        [el.task, cl.task].map((task) => [task, { chain: chain.name, node, isExecution: task === el.task }] as const),
      ),
    ),
  );
}

function problemOf(chain: string, { kind, block, against, nodes, refusal }: Standing): string {
  if (kind === 'hash') return `has another block ${block} than ${chain}/${against}`;
  if (refusal !== undefined && !nodes.includes(refusal.node))
    return `its block ${block} was refused by ${chain}/${refusal.node}`;
  return `refused block ${block} of ${chain}/${against}`;
}

function mismatchOf({ head, block, other }: Mismatch): string {
  const [ours, engine] = [block.hash, other].map((hash) => `${hash.slice(0, 10)}…`);
  return `its ${head} head is block ${block.number} (${ours}), its execution client has another one there (${engine})`;
}
