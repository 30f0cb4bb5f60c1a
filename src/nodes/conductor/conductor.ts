import { messageOf } from '../../system/failure.ts';
import type { Logger } from '../../system/program/log.ts';
import { pause } from '../../system/time/pause.ts';
import type { Lead } from './lead.ts';
import type { Member } from './member.ts';

/** Time (ms) in which a new leader must have the last block, and the pause between two readings. */
const CATCH_UP_MS = 5000;
const CATCH_UP_PAUSE_MS = 50;

/** Starts of a leader in a row that fail before another member gets the lead. */
const MAX_FAILURES = 3;

/** What the conductor works with. */
export interface ConductorParts {
  readonly members: readonly Member[];
  readonly lead: Lead;
  /** Time (ms) after which a leader that does not answer loses the lead. */
  readonly lease: number;
  readonly log: Logger;
}

/**
 * Keeps one member of a set sequencing. It gives the lead to another member when the leader does not answer, and stops
 * members that sequence without the lead.
 */
export class Conductor {
  readonly #parts: ConductorParts;
  readonly #ending = new AbortController();
  /** Changes of the lead, one after another. */
  #turn: Promise<unknown> = Promise.resolve();
  #isDue = false;
  #failures = 0;
  isPaused = false;

  constructor(parts: ConductorParts) {
    this.#parts = parts;
  }

  get parts(): ConductorParts {
    return this.#parts;
  }

  /** Watches the members until it is closed. */
  async run(): Promise<void> {
    const { members } = this.#parts;
    await Promise.all(members.map((member) => member.watch(this.#ending.signal, () => this.#look())));
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

  /**
   * Gives the lead to a member, or to the best other one.
   * @throws Error if it does not answer or does not start: it has the lead then, or the former leader keeps it
   */
  async transfer(name: string | undefined): Promise<Member> {
    const done = this.#turn.then(async () => {
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

  /** Acts upon the newest states, unless it is about to. */
  #look(): void {
    if (this.#isDue || this.isPaused) return;
    this.#isDue = true;
    this.#turn = this.#turn.then(async () => {
      this.#isDue = false;
      if (!this.#ending.signal.aborted) await this.#act();
    });
  }

  async #act(): Promise<void> {
    const { members, lead, log } = this.#parts;
    const leader = this.leader();
    for (const member of members)
      if (member !== leader && member.state?.isActive && this.isHealthy(member))
        await member.stop().then(
          () => log.info('Stopped a sequencer without the lead', { member: member.name }),
          () => undefined,
        );
    if (leader !== undefined && this.isHealthy(leader) && this.#failures < MAX_FAILURES) {
      if (leader.state?.isActive) this.#failures = 0;
      else if (await this.#start(leader)) this.#failures = 0;
      else this.#failures++;
      return;
    }
    const [next] = this.#others();
    // At the first start all may still come: the first of the set leads if it answers.
    if (next === undefined || (lead.leader === null && !this.#isComplete())) return;
    if (leader !== undefined) log.warn('The leader does not answer', { leader: leader.name, next: next.name });
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

  /** Gives the lead to a member and starts it. Returns whether it sequences. */
  async #elect(member: Member): Promise<boolean> {
    const { lead, log } = this.#parts;
    lead.give(member.name);
    this.#failures = 0;
    log.info('Gave the lead', { leader: member.name, term: lead.term, last: lead.last?.number ?? null });
    return this.#start(member);
  }

  /** Hands the last block to the leader, and starts it upon that. Returns whether it sequences. */
  async #start(member: Member): Promise<boolean> {
    const { lead, log } = this.#parts;
    try {
      const head = await this.#catchUp(member);
      await member.start(head);
      await member.look();
      log.info('The leader sequences', { leader: member.name, head });
      return true;
    } catch (error) {
      log.warn('The leader does not start', { leader: member.name, term: lead.term, error: messageOf(error) });
      return false;
    }
  }

  /** Resolves with the head of a member once it has the last block. @throws Error if it does not get it in time */
  async #catchUp(member: Member) {
    const { last } = this.#parts.lead;
    const until = performance.now() + CATCH_UP_MS;
    let isPosted = false;
    for (;;) {
      const { head } = await member.look();
      if (last === null || head.hash === last.hash) return head.hash;
      if (!isPosted) await member.post(last.envelope);
      isPosted = true;
      if (performance.now() > until)
        throw new Error(`its head is block ${head.number} ${head.hash}, not block ${last.number} ${last.hash}`);
      await pause(CATCH_UP_PAUSE_MS, this.#ending.signal);
    }
  }
}
