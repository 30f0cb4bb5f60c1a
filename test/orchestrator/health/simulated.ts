import { explain } from '../../../src/orchestrator/health/explain.ts';
import { healthFacts } from '../../../src/orchestrator/health/facts.ts';
import type { Moment } from '../../../src/orchestrator/health/gauge/gauge.ts';
import { readBlock, readNumber, readSyncStatus } from '../../../src/orchestrator/health/gauge/reading.ts';
import { Health } from '../../../src/orchestrator/health/model.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import type { Problem } from '../../../src/orchestrator/state/problem.ts';
import { planOf } from '../plan/planned.ts';

const START = 1_700_000_000_000;

/** How a simulated node stands: numbers of its blocks, and of L1's. */
interface NodeState {
  unsafe: number;
  safe: number;
  finalized: number;
  origin: number;
  derived: number;
  finalL1: number;
}

/**
 * Simulates L1 and its beacon, a sequencer, a verifier and a batcher. Each second of `run` moves every head that is
 * not stalled, and gives the model the answers of the tasks that are not silent.
 */
export class Simulated {
  readonly plan: Plan;
  readonly health: Health;
  readonly l1 = { head: 0, slot: 0, time: 0, ahead: 0 };
  readonly nonces: Record<string, number> = { 'main/batcher': 0, 'main/proposer': 0 };
  readonly balances: Record<string, bigint> = {};
  readonly nodes: Record<string, NodeState> = {};
  readonly stalled = new Set<string>();
  readonly silent = new Set<string>();
  /** Tasks that compute without a pause. */
  readonly busy = new Set<string>();
  seconds = 0;
  /** Newest block of the last batch. */
  batched = 0;
  /** Seconds of the network in a second. */
  readonly rate: number;
  readonly l1Seconds: number;
  readonly l2Seconds: number;
  /** Seconds between two batches. */
  batchSeconds: number;
  /** Seconds between two reads of L1 by the verifiers: its head, its final block. */
  polls = { head: 1, finality: 1 };
  /** Seconds between two blocks of a sequencer that does not keep up; 0: it does. */
  slow = 0;
  /** Heads that move by a block in so many seconds, by node and head: `verifier unsafe`. */
  readonly crawls = new Map<string, number>();
  /** L2 blocks between two proposals. */
  readonly proposalBlocks: number;
  /** L2 blocks by which a proposal moves the outputs. 0: it reverts. Undefined: it moves them to the safe head. */
  proposes: number | undefined;
  /** L1 blocks between two proposals. */
  proposesEvery = 1;
  #proposed = 0;

  constructor(spec = '{}') {
    this.plan = planOf(spec);
    this.rate = this.plan.time.rate;
    this.l1Seconds = this.plan.network.l1.blockTime / this.rate;
    this.l2Seconds = this.plan.network.chains[0]!.blockTime / this.rate;
    this.batchSeconds = this.l1Seconds;
    const paceMs = this.plan.tasks.find(({ id }) => id === 'main/proposer')?.paceMs ?? 0;
    this.proposalBlocks = paceMs / 1000 / this.plan.network.chains[0]!.blockTime;
    this.health = new Health(healthFacts(this.plan));
    for (const { name } of this.plan.network.chains[0]!.nodes)
      this.nodes[name] = { unsafe: 1, safe: 0, finalized: 0, origin: 0, derived: 0, finalL1: 0 };
    for (const { id } of this.plan.tasks) this.health.up(id, this.moment);
  }

  get moment(): Moment {
    return { watched: this.seconds * 1000, wall: START + this.seconds * 1000 };
  }

  /** Lets seconds pass; returns the problems after each. */
  run(seconds: number): Problem[][] {
    return Array.from({ length: seconds }, () => {
      this.seconds += 1;
      this.move();
      this.answer();
      for (const task of this.busy) this.health.busy(task, 1000, this.moment.watched);
      return this.problems();
    });
  }

  problems(): Problem[] {
    return explain(this.health.symptoms(this.moment.watched), () => undefined);
  }

  private does(...names: string[]): boolean {
    return names.every((name) => !this.stalled.has(name) && !this.silent.has(name));
  }

  /** Returns the next value of a head. */
  private crawled(head: string, from: number, to: number): number {
    const seconds = this.crawls.get(head);
    return seconds === undefined ? to : Math.min(to, from + Number(this.seconds % seconds === 0));
  }

  private move(): void {
    const at = this.seconds;
    const [sequencer] = this.plan.network.chains[0]!.nodes;
    if (at % this.l1Seconds === 0 && this.does('l1', 'l1-beacon')) {
      this.l1.slot = this.l1.head += 1;
      this.l1.time = at * this.rate;
    }
    const lead = this.nodes[sequencer!.name]!;
    if (this.does(sequencer!.cl.task, sequencer!.el.task, `${sequencer!.name} unsafe`)) {
      // One that was held up catches up with the clock, three blocks a second.
      const due = Math.floor(at / this.l2Seconds) - lead.unsafe;
      lead.unsafe += this.slow > 0 ? Number(at % this.slow === 0) : Math.min(3, Math.max(0, due));
      if (this.does('l1')) lead.origin = Math.max(lead.origin, this.l1.head - 1);
    }
    const posts = at % this.batchSeconds === 0 && this.does('main/batcher', 'l1', 'l1-beacon', sequencer!.cl.task);
    if (posts) this.nonces['main/batcher'] = (this.nonces['main/batcher'] ?? 0) + 1;
    // The proposer posts a safe block that is an interval after the last one.
    const isL1Block = this.proposes === undefined || at % (this.l1Seconds * this.proposesEvery) === 0;
    const isDue = lead.safe >= this.#proposed + this.proposalBlocks && isL1Block;
    if (isDue && this.does('main/proposer', 'l1', 'l1-beacon')) {
      this.#proposed = this.proposes === undefined ? lead.safe : Math.min(lead.safe, this.#proposed + this.proposes);
      this.nonces['main/proposer'] = (this.nonces['main/proposer'] ?? 0) + 1;
    }
    for (const { name, el, cl } of this.plan.network.chains[0]!.nodes) {
      const node = this.nodes[name]!;
      if (!this.does(el.task, cl.task)) continue;
      if (name !== sequencer!.name && this.does(`${name} gossip`))
        node.unsafe = Math.max(node.unsafe, this.crawled(`${name} unsafe`, node.unsafe, lead.unsafe));
      if (!this.does('l1', `${name} derivation`)) continue;
      const polls = name === sequencer!.name ? { head: 1, finality: 1 } : this.polls;
      this.batched = posts ? lead.unsafe - 1 : this.batched;
      if (at % polls.head === 0) {
        node.derived = this.crawled(`${name} derivation`, node.derived, this.l1.head);
        if (this.does(`${name} safe`)) node.safe = this.crawled(`${name} safe`, node.safe, this.batched);
      }
      if (!this.crawls.has(`${name} unsafe`)) node.unsafe = Math.max(node.unsafe, node.safe);
      node.finalL1 = Math.max(0, this.l1.head - 2);
      if (at % polls.finality === 0 && this.does(`${name} finality`))
        node.finalized = Math.max(node.finalized, node.safe - 2);
    }
  }

  private answer(): void {
    const at = this.moment;
    const network = START + this.seconds * 1000 * this.rate;
    const hash = '';
    const tell = (task: string, ...readings: { values: Record<string, object> }[]) => {
      if (this.silent.has(task)) return;
      const values = Object.assign({}, ...readings.map((reading) => reading.values));
      this.health.answered(task, { ...readings[0], values, balances: task === 'l1' ? this.balances : {} }, at, network);
    };
    const l1Time = START / 1000 + this.l1.time + this.l1.ahead;
    tell(
      'l1',
      readBlock('l1 head', { number: this.l1.head, hash: `${this.l1.head}`, timestamp: l1Time }),
      readNumber('main/proposer outputs', String(this.#proposed)),
      ...Object.entries(this.nonces).map(([task, nonce]) => readNumber(`${task} posts`, String(nonce))),
    );
    tell('l1-beacon', readNumber('l1-beacon slot', String(this.l1.slot)));
    for (const task of ['main/batcher', 'main/proposer']) tell(task, { values: {} });
    for (const { name, el, cl } of this.plan.network.chains[0]!.nodes) {
      const node = this.nodes[name]!;
      const timestamp = START / 1000 + node.unsafe * this.l2Seconds * this.rate;
      tell(el.task, readNumber(`${el.task} head`, String(node.unsafe)));
      tell(
        cl.task,
        readSyncStatus(cl.task, {
          unsafe_l2: { number: node.unsafe, hash, timestamp, l1origin: { number: node.origin, hash } },
          safe_l2: { number: node.safe, hash, timestamp: START / 1000 + node.safe * this.l2Seconds * this.rate },
          finalized_l2: { number: node.finalized, hash },
          current_l1: { number: node.derived, hash },
          finalized_l1: { number: node.finalL1, hash },
        }),
      );
    }
  }
}
