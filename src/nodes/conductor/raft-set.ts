import { messageOf } from '../../system/failure.ts';
import type { Logger } from '../../system/program/log.ts';
import { pause } from '../../system/time/pause.ts';
import type { Member } from './member.ts';
import { Pending } from './pending.ts';
import type { RaftServer, RaftServerState } from './raft-server.ts';

/** Pause (ms) between two readings of a member, and the time that a new leader has to sequence. */
const LOOK_EVERY_MS = 150;
const TRANSFER_MS = 25_000;

/** A sequencer, and the op-conductor that leads it. */
export interface RaftMember {
  readonly member: Member;
  readonly server: RaftServer;
}

/** What a set works with. */
export interface RaftSetParts {
  readonly members: readonly RaftMember[];
  /** Time (ms) for which an answer of a member counts. */
  readonly lease: number;
  readonly log: Logger;
}

/**
 * The sequencers of a set whose op-conductors elect the leader. It makes one raft cluster of them, starts the very
 * first leader, and knows from then on which one leads. It decides nothing else.
 */
export class RaftSet {
  readonly #parts: RaftSetParts;
  readonly #ending = new AbortController();
  readonly #states = new Map<RaftMember, RaftServerState & { readonly at: number }>();
  /** What the next leader may lack: an op-conductor keeps the last block alone. */
  readonly pending = new Pending();
  /** Number of the newest block whose transactions are known to be published. */
  #publishedTo = 0;
  #leader: RaftMember | undefined;
  #isJoined = false;
  #hasSequenced = false;

  constructor(parts: RaftSetParts) {
    this.#parts = parts;
  }

  get members(): readonly Member[] {
    return this.#parts.members.map(({ member }) => member);
  }

  /** Whether the op-conductor of the leader is paused. */
  get isPaused(): boolean {
    return this.#leader !== undefined && this.#states.get(this.#leader)?.isPaused === true;
  }

  /** Looks at the members until it is closed. */
  async run(): Promise<void> {
    const { signal } = this.#ending;
    await Promise.all([...this.#parts.members.map((each) => this.#watch(each)), this.#form(signal)]);
  }

  close(): void {
    this.#ending.abort();
  }

  /** Returns the member that led when its op-conductor answered last. */
  leader(): Member | undefined {
    return this.#leader?.member;
  }

  /** Whether all three processes of a member have answered lately. */
  isHealthy(member: Member): boolean {
    const part = this.#parts.members.find((each) => each.member === member);
    const at = part === undefined ? undefined : this.#states.get(part)?.at;
    const { lease } = this.#parts;
    return at !== undefined && performance.now() - at <= lease && member.isHealthy(lease);
  }

  /** Has the leader give the lead to a member. @throws Error if it does not, or if the member does not sequence then */
  async transfer(name: string): Promise<Member> {
    const to = this.#parts.members.find(({ member }) => member.name === name);
    const from = this.#leader;
    if (to === undefined) throw new Error(`no member to lead: ${name}`);
    if (from === undefined) throw new Error('no member leads');
    if (to === from) throw new Error(`${name} is the leader already`);
    await from.server.give(name, to.server);
    const until = performance.now() + TRANSFER_MS;
    while (this.#leader !== to || to.member.state?.isActive !== true) {
      if (performance.now() > until) throw new Error(`${name} did not start yet`);
      await pause(LOOK_EVERY_MS, this.#ending.signal);
    }
    return to.member;
  }

  async #watch(each: RaftMember): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const at = performance.now();
      await Promise.all([this.#lookAt(each, at), each.member.look()]).catch(() => undefined);
      if (each.member.state?.isActive === true) this.#hasSequenced = true;
      if (each !== this.#leader) await this.#forgetPublished(each.member).catch(() => undefined);
      await pause(LOOK_EVERY_MS, signal);
    }
  }

  async #lookAt(each: RaftMember, at: number): Promise<void> {
    const state = await each.server.look();
    this.#states.set(each, { ...state, at });
    if (!state.isLeader || this.#leader === each) return;
    this.#leader = each;
    this.#parts.log.info('A sequencer leads', { leader: each.member.name });
    void this.pending.resend(each.member);
  }

  /**
   * Drops the transactions that a follower has in its blocks. It got these from the leader, which commits a block
   * before it publishes it.
   */
  async #forgetPublished(follower: Member): Promise<void> {
    const head = follower.state?.head.number ?? 0;
    // Without kept transactions no block is read.
    if (this.pending.count === 0) this.#publishedTo = Math.max(this.#publishedTo, head);
    while (this.#publishedTo < head) {
      const number = this.#publishedTo + 1;
      const hashes = await follower.transactionsAt(number);
      if (this.#publishedTo < number) this.#publishedTo = number;
      this.pending.includedHashes(new Set(hashes));
    }
  }

  /** Makes one cluster of the servers, then starts the first leader. */
  async #form(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(this.#isJoined && this.#hasSequenced)) {
      await pause(LOOK_EVERY_MS, signal);
      const leader = this.#leader;
      if (leader === undefined || signal.aborted) continue;
      try {
        if (!this.#isJoined) await this.#join(leader);
        else await this.#startFirst(leader);
      } catch (error) {
        this.#parts.log.warn('The set of sequencers is not complete yet', { error: messageOf(error) });
      }
    }
  }

  async #join({ server }: RaftMember): Promise<void> {
    const ids = await server.servers();
    for (const each of this.#parts.members) {
      const { name } = each.member;
      if (ids.includes(name)) continue;
      await server.add(name, each.server);
      this.#parts.log.info('A sequencer joined the set', { member: name });
    }
    this.#isJoined = true;
  }

  /**
   * Starts the leader of a chain without a block. An op-conductor starts a sequencer upon the block that was committed
   * last, and here there is none.
   */
  async #startFirst({ member }: RaftMember): Promise<void> {
    if (this.members.some(({ state }) => state === undefined)) return;
    if (this.members.some(({ state }) => state?.head.number !== 0)) {
      this.#hasSequenced = true;
      return;
    }
    const { head, isActive } = await member.look();
    if (isActive || head.number !== 0) return;
    await member.start(head.hash);
    this.#parts.log.info('Started the first leader', { leader: member.name });
  }
}
