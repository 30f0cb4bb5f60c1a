import type { RpcClient } from '../../rpc/client/client.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Clock } from '../../system/time/clock.ts';
import type { Lead } from './lead.ts';
import type { Member } from './member.ts';
import { Pending } from './pending.ts';
import { Stall } from './stall.ts';
import { releaseIfGone, startLeader } from './start-leader.ts';

/** Starts of a leader in a row that fail before another member gets the lead. */
const MAX_FAILURES = 3;

/** Pause (ms) between two beats of this program, and the one after which it has stood still itself. */
const BEAT_EVERY_MS = 100;
const STOOD_STILL_MS = 500;

/** What the conductor works with. */
export interface ConductorParts {
  readonly members: readonly Member[];
  readonly lead: Lead;
  /** Undefined: it knows no L1. */
  readonly l1: RpcClient | undefined;
  /** Time (ms) after which a leader that does not answer, or makes no block that is due, loses the lead. */
  readonly lease: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

/**
 * Keeps one member of a set sequencing. It gives the lead to another member when the leader does not answer or makes no
 * blocks, and stops members that sequence without the lead.
 */
export class Conductor {
  readonly #parts: ConductorParts;
  readonly #stall: Stall;
  readonly #ending = new AbortController();
  /** Changes of the lead, one after another. */
  #turn: Promise<unknown> = Promise.resolve();
  #isDue = false;
  #isSuspended = false;
  #failures = 0;
  /** Monotonic milliseconds. */
  #beatAt = performance.now();
  /** Monotonic milliseconds of the start. */
  #began = 0;
  isPaused = false;
  /** What the next leader needs beside the last block. */
  readonly pending = new Pending();

  constructor(parts: ConductorParts) {
    this.#parts = parts;
    this.#stall = new Stall(parts.lease);
  }

  get parts(): ConductorParts {
    return this.#parts;
  }

  /** Watches the members until it is closed. */
  async run(): Promise<void> {
    const { members } = this.#parts;
    const timer = setInterval(() => this.#beat(), BEAT_EVERY_MS);
    this.#began = performance.now();
    await Promise.all(members.map((member) => member.watch(this.#ending.signal, () => this.#look())));
    clearInterval(timer);
    await this.#turn;
  }

  close(): void {
    this.#ending.abort();
  }

  /** Returns the member that has the lead. */
  leader(): Member | undefined {
    const { members, lead } = this.#parts;
    return members.find(({ name }) => name === lead.leader);
  }

  isHealthy(member: Member): boolean {
    return member.isHealthy(this.#parts.lease);
  }

  /** Commits a block of a member. @throws Error if it may not commit it */
  commit(member: Member, envelope: unknown): void {
    this.pending.included(this.#parts.lead.commit(member.name, envelope));
    this.#stall.committed();
  }

  /**
   * Gives the lead to a member, or to the best other one.
   * @throws Error if it does not answer or does not start: it has the lead then, or the former leader keeps it
   */
  async transfer(name: string | undefined): Promise<Member> {
    const done = this.#turn.then(async () => {
      if (this.#isSuspended) throw new Error('the network returns to a checkpoint');
      const from = this.leader();
      const to = name === undefined ? this.#others()[0] : this.#parts.members.find((each) => each.name === name);
      if (to === undefined) throw new Error(`no member to lead: ${name ?? 'none of the others answers'}`);
      if (to === from) throw new Error(`${to.name} is the leader already`);
      if (!this.isHealthy(to)) throw new Error(`${to.name} does not answer`);
      await from?.stop().catch(() => undefined);
      if (!(await this.#elect(to))) throw new Error(`${to.name} has the lead and did not start yet`);
      return to;
    });
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Returns a function that restores the present state. It is called between `suspend` and `resume`. */
  remember(): () => void {
    const [restoreLead, restorePending] = [this.#parts.lead.remember(), this.pending.remember()];
    const { isPaused } = this;
    return () => {
      restoreLead();
      restorePending();
      this.isPaused = isPaused;
      this.#failures = 0;
    };
  }

  /** Ends its work, and leaves the lead where it is until `resume`. */
  async suspend(): Promise<void> {
    this.#isSuspended = true;
    await this.#turn;
  }

  /** Goes on. The members were suspended, too: their leases begin anew. */
  resume(): void {
    this.#isSuspended = false;
    this.#renew();
  }

  /** Renews the leases if this program stood still: the members may have answered meanwhile. */
  #beat(): void {
    const now = performance.now();
    if (now - this.#beatAt > STOOD_STILL_MS) this.#renew();
    this.#beatAt = now;
  }

  #renew(): void {
    for (const member of this.#parts.members) member.renew();
    this.#stall.renew();
  }

  /** Acts upon the newest states, unless it is about to. */
  #look(): void {
    this.#beat();
    if (this.#isDue) return;
    this.#isDue = true;
    this.#turn = this.#turn.then(async () => {
      this.#isDue = false;
      if (!this.isPaused && !this.#isSuspended && !this.#ending.signal.aborted) await this.#act();
    });
  }

  async #act(): Promise<void> {
    const { members, lead, lease, log } = this.#parts;
    const leader = this.leader();
    for (const member of members)
      if (member !== leader && member.state?.isActive && this.isHealthy(member))
        await member.stop().then(
          () => log.info('Stopped a sequencer without the lead', { member: member.name }),
          () => undefined,
        );
    const [next] = this.#others();
    if (leader !== undefined && this.isHealthy(leader)) {
      if (!(await this.#isLeading(leader)) && next !== undefined) await this.#replace(leader, next);
      return;
    }
    // A leader of before this start has its lease to answer for the first time.
    if (leader !== undefined && leader.state === undefined && performance.now() - this.#began <= lease) return;
    // At the first start all may still come: the first of the set leads if it answers.
    if (next === undefined || (lead.leader === null && !this.#isComplete())) return;
    if (leader !== undefined) log.warn('The leader does not answer', { leader: leader.name, next: next.name });
    await this.#elect(next);
  }

  /** Starts a leader that does not sequence. Resolves with whether it may keep the lead. */
  async #isLeading(leader: Member): Promise<boolean> {
    const { lead, clock } = this.#parts;
    const { state } = leader;
    if (state?.isActive !== true) {
      if (await this.#start(leader)) this.#failures = 0;
      else this.#failures++;
      return this.#failures < MAX_FAILURES;
    }
    this.#failures = 0;
    // Its engine has moved away from the last block before it committed one of its own.
    if (!lead.hasCommitted && lead.last !== null && state.head.hash !== lead.last.hash)
      await releaseIfGone(leader, this.#parts);
    return !this.#stall.isOver(state.headTime, clock.now());
  }

  async #replace(leader: Member, next: Member): Promise<void> {
    this.#parts.log.warn('The leader makes no blocks', { leader: leader.name, next: next.name });
    await leader.stop().catch(() => undefined);
    await this.#elect(next);
  }

  #isComplete(): boolean {
    return this.#parts.members.every((member) => this.isHealthy(member));
  }

  /** Lists the members beside the leader that answer, those with the highest block first. */
  #others(): readonly Member[] {
    const { members } = this.#parts;
    const leader = this.leader();
    const number = ({ state }: Member) => state?.head.number ?? -1;
    return members
      .filter((member) => member !== leader && this.isHealthy(member))
      .toSorted((one, other) => number(other) - number(one));
  }

  /** Gives the lead to a member and starts it. Resolves with whether it sequences. */
  async #elect(member: Member): Promise<boolean> {
    const { lead, log } = this.#parts;
    lead.give(member.name);
    this.#failures = 0;
    this.#stall.changed();
    log.info('Gave the lead', { leader: member.name, term: lead.term, last: lead.last?.number ?? null });
    return this.#start(member);
  }

  async #start(member: Member): Promise<boolean> {
    const isStarted = await startLeader(member, this.#parts, this.#ending.signal);
    this.#stall.renew();
    if (isStarted) void this.pending.resend(member);
    return isStarted;
  }
}
