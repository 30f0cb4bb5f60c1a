import type { L1Answer, L1Refusal, L1Request } from '../../../system/channel/l1-requests.ts';
import { Failure, messageOf } from '../../../system/failure.ts';
import type { Mutex } from '../../../system/time/mutex.ts';
import type { L1Service } from '../../channel/l1-service.ts';
import { isoInstant } from '../../clock/warp.ts';
import { isBusy, stillStarting } from '../../control/refusals.ts';
import type { LiveTask } from '../../processes/live-task.ts';
import { L1Pool } from './l1-pool.ts';

/** The task that makes L1's blocks. */
const MAKER = 'l1-beacon';

/** Wall time (ms) between two checks of the clock while a stall lasts. */
const STALL_CHECK_MS = 100;

/** A stall of L1. */
export interface L1Stall {
  /** Unix milliseconds of the wall clock. */
  readonly since: number;
  /** Time of the network's clock (ms) at which it ends by itself. Null: it does not. */
  readonly until: number | null;
}

/** A reorganisation of L1, for the answer to its request. */
type Reorganised = Omit<Extract<L1Answer, { kind: 'reorganised' }>, 'kind'>;

/** What the control of L1 reads and calls. */
export interface L1ControlIo {
  readonly channel: L1Service;
  readonly tasks: ReadonlyMap<string, LiveTask>;
  /** Returns the network's clock, ms. */
  readonly now: () => number;
  readonly isReady: () => boolean;
  /** Takes turns with snapshots and restarts. */
  readonly runExclusive: Mutex;
}

/** Stalls and reorganises the L1 of a running network, through the program that makes its blocks. */
export class L1Control {
  readonly #io: L1ControlIo;
  readonly pool: L1Pool;
  #stall: L1Stall | undefined;
  /** The last request of a stall, which a program that was started again does not know. */
  #last: L1Request | undefined;
  #isReorganising = false;
  #onChange: () => void = () => undefined;

  constructor(io: L1ControlIo) {
    this.#io = io;
    this.pool = new L1Pool((request) => io.channel.ask(MAKER, request));
    io.channel.onConnected((task) => {
      if (task !== MAKER) return;
      if (this.#last !== undefined) void io.channel.ask(MAKER, this.#last).catch(() => undefined);
      this.pool.sendAll();
    });
  }

  /** Sets what is called when a stall begins or is ended. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** The stall under way. */
  get stalled(): L1Stall | undefined {
    const { until = null } = this.#stall ?? {};
    if (until !== null && this.#io.now() >= until) this.#stall = undefined;
    return this.#stall;
  }

  /** Stalls L1 for some time (ms) of the network's clock; without it until `resume`. @throws Failure */
  async stall(ms: number | undefined): Promise<L1Stall> {
    this.mustMakeBlocks();
    const before = this.stalled;
    if (before !== undefined)
      throw new Failure('l1', `L1 is stalled already${endOf(before)}: \`devnet l1 resume\` ends it`, {
        data: { ...before },
      });
    const stall = { since: Date.now(), until: ms === undefined ? null : this.#io.now() + ms };
    this.#stall = stall;
    try {
      await this.#ask({ do: 'stall', until: stall.until });
    } catch (error) {
      this.#stall = undefined;
      throw error;
    }
    this.#onChange();
    return stall;
  }

  /** Ends the stall. The next block is that of the next slot. @throws Failure if there is none */
  async resume(): Promise<L1Stall> {
    this.mustMakeBlocks();
    const stall = this.stalled;
    if (stall === undefined) throw new Failure('l1', 'L1 is not stalled');
    await this.#ask({ do: 'stall', until: this.#io.now() + 1 });
    this.#stall = undefined;
    this.#onChange();
    return stall;
  }

  /** Resolves when no stall is under way, or when aborted. */
  async resumed(signal: AbortSignal): Promise<void> {
    if (this.stalled === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setInterval(() => this.stalled === undefined && resolve(), STALL_CHECK_MS);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise.finally(() => clearInterval(timer));
  }

  /** Replaces the newest blocks of L1 above `final`. @throws Failure if they are final, or not there */
  async reorganise(depth: number, drop: readonly string[], final?: number): Promise<Reorganised> {
    this.mustMakeBlocks();
    if (this.#isReorganising)
      throw isBusy('a reorganisation of L1', 'L1 is being reorganised: wait until that is done');
    this.#isReorganising = true;
    try {
      const answer = await this.#io.runExclusive(() =>
        this.#ask({ do: 'reorg', depth, drop, ...(final === undefined ? {} : { final }) }),
      );
      if (answer.kind === 'refused') throw refusalOf(answer.why, depth);
      if (answer.kind !== 'reorganised') throw new Failure('l1', `${MAKER} answered another request`);
      const { kind: _, ...reorganised } = answer;
      return reorganised;
    } finally {
      this.#isReorganising = false;
    }
  }

  /** Returns the sender and the nonce of a transaction that waits. @throws Failure if it does not */
  async find(hash: string): Promise<{ readonly from: string; readonly nonce: number }> {
    const answer = await this.#ask({ do: 'find', hash });
    if (answer.kind !== 'found') throw new Failure('l1', `no transaction ${hash} waits on L1`, { data: { hash } });
    return { from: answer.from, nonce: answer.nonce };
  }

  async #ask(request: L1Request): Promise<L1Answer> {
    if (request.do === 'stall') this.#last = request;
    const answer = await this.#io.channel.ask(MAKER, request).catch((cause: unknown) => {
      throw new Failure('l1', `L1 was not changed: ${messageOf(cause)}`, { cause });
    });
    if (answer.kind === 'refused' && answer.why.kind === 'foreign') throw refusalOf(answer.why, 0);
    return answer;
  }

  /** @throws Failure if no process of this network makes L1's blocks */
  mustMakeBlocks(): void {
    if (!this.#io.isReady()) throw stillStarting();
    const live = this.#io.tasks.get(MAKER);
    if (live === undefined || live.task.clock !== 'network')
      throw new Failure('external', `no ${MAKER} makes the blocks of this L1: change it where it runs`, {
        data: { task: 'l1' },
      });
    if (live.phase !== 'ready' && live.phase !== 'unhealthy')
      throw new Failure('l1', `${MAKER} is ${live.phase}: \`devnet node start ${MAKER}\` starts it`);
  }
}

function endOf({ until }: L1Stall): string {
  return until === null ? '' : ` until ${isoInstant(until)}`;
}

/** Says why L1 is as it was, and what allows the request. */
function refusalOf(why: L1Refusal, depth: number): Failure<'l1'> {
  const refused = (message: string, hint?: string) =>
    new Failure('l1', `L1 was not reorganised: ${message}`, {
      data: { depth, ...why },
      ...(hint === undefined ? {} : { hint }),
    });
  switch (why.kind) {
    case 'depth':
      return refused(`its head is block ${why.head}, and genesis stays: expected at most ${why.head} blocks`);
    case 'final': {
      const most = why.head - why.final;
      return refused(
        `block ${why.final} is final and the head is block ${why.head}: expected at most ${most} blocks`,
        '`l1: { finality: real }` in the spec makes a block final after 64 others; in a network with `faults: true`, ' +
          '`devnet l1 finality stop` keeps later blocks from it',
      );
    }
    case 'transaction':
      return refused(`the blocks to replace have no transaction ${why.hash}`);
    case 'state':
      return refused(`it has the states of 128 blocks, and none from before its last start: expected fewer blocks`);
    case 'foreign':
      return new Failure('l1', 'this L1 makes its blocks by itself: change it where it runs', { data: { ...why } });
  }
}
