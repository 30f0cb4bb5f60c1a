import type { PoolFaultMatch } from '../../system/channel/l1-requests.ts';
import type { LinkShape } from '../../system/net/link/line.ts';
import { type ClockState, timeAt } from '../../system/time/clock.ts';
import type { Plan } from '../plan/plan.ts';
import { type FaultDocument, type GivenFault, type L1PoolFault, NO_FAULTS, type RpcFault } from '../state/faults.ts';
import type { NetworkEvent } from '../state/network-event-type.ts';
import { mustStand } from './checks.ts';
import { causeText, contentOf, faultsOf, faultText, linkFault, type StandingFault } from './describe.ts';
import { type Given, isNotIn, isSame, standing, type Times, timesOf, without } from './document.ts';
import type { Links } from './links.ts';
import { refusal } from './places.ts';
import { endOfEpochs, withSender } from './pool.ts';
import { type GivenDocument, MOST_POOL_FAULTS } from './schema.ts';
import { isSeverance } from './severance.ts';
import { mustTouch, shapesOf, tasksTouched, wrongAnswersOf } from './shapes.ts';
import { wordOf } from './target.ts';

/** What the faults of a network work on. */
interface FaultParts {
  readonly links: Links;
  /** Has L1's pool follow its faults. */
  readonly pool: (faults: readonly L1PoolFault[]) => void;
  /** The plan in force. */
  readonly plan: () => Plan;
  readonly clock: () => ClockState;
  readonly emit: (event: NetworkEvent) => void;
  /** Keeps the faults where commands read them. */
  readonly keep: (document: FaultDocument) => void;
}

type PoolGiven = Extract<GivenFault, { pool: unknown }>['pool'];

/** Longest time (ms) that a timer of this program waits before it looks at the clock again. */
const LOOK_AGAIN_MS = 60_000;

/** The faults of a running network: a document, the links that are shaped by it, and L1's pool. */
export class Faults {
  readonly #parts: FaultParts;
  #document = NO_FAULTS;
  #shapes: ReadonlyMap<string, LinkShape> = new Map();
  #answers: ReadonlyMap<string, readonly RpcFault[]> = new Map();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: FaultParts) {
    this.#parts = parts;
  }

  get document(): FaultDocument {
    return this.#document;
  }

  /** Adds a fault, which ends after some time of the network, or when it is healed. Returns its id. */
  add(fault: GivenFault, forMs?: number): string {
    mustTouch(this.#parts.plan(), fault);
    const { now } = this;
    const id = this.#idOf(contentOf(fault).id, this.#ids());
    const times = { since: now, ...(forMs === undefined ? {} : { until: now + forMs }) };
    const { partitions, shaping, rpc, pool } = this.#document;
    if ('partition' in fault)
      this.#set({ ...this.#document, partitions: [...partitions, standing(fault.partition, id, times)] });
    else if ('rpc' in fault) this.#set({ ...this.#document, rpc: [...rpc, standing(fault.rpc, id, times)] });
    else if ('pool' in fault) this.#set({ ...this.#document, pool: [...pool, this.#ofPool(fault.pool, id, times)] });
    else this.#set({ ...this.#document, shaping: [...shaping, standing(fault.shaping, id, times)] });
    return id;
  }

  /** A fault of L1's pool has met a transaction: it is over, or holds that one. */
  meet({ fault: id, nonce, isOver }: PoolFaultMatch): void {
    const { pool } = this.#document;
    if (isOver) this.#set(without(this.#document, new Set([id])), 'done');
    else {
      this.#document = { ...this.#document, pool: pool.map((each) => (each.id === id ? { ...each, nonce } : each)) };
      this.#parts.keep(this.#document);
    }
  }

  /** Replaces all faults. One that has the id and the content of a standing one goes on. */
  apply({ partitions, shaping, rpc, pool }: GivenDocument): void {
    for (const partition of partitions) mustTouch(this.#parts.plan(), { partition });
    for (const each of shaping) mustTouch(this.#parts.plan(), { shaping: each });
    for (const each of rpc) mustTouch(this.#parts.plan(), { rpc: each });
    const { now } = this;
    const ids = new Set<string>();
    const names = [...partitions, ...shaping, ...rpc, ...pool].flatMap(({ id }) => id ?? []);
    const nextId = <Fault extends Given>(fault: Fault) => {
      const id = this.#idOf(fault.id, fault.id === undefined ? new Set([...ids, ...names]) : ids);
      ids.add(id);
      return id;
    };
    const next = <Fault extends Given>(fault: Fault) => {
      const id = nextId(fault);
      const before = faultsOf(this.#document).find((each) => isSame(each, { ...fault, id }));
      return standing(fault, id, before === undefined ? { since: now } : timesOf(before));
    };
    this.#set({
      partitions: partitions.map(next),
      shaping: shaping.map(next),
      rpc: rpc.map(next),
      pool: pool.map((each) => {
        const id = nextId(each);
        const before = this.#document.pool.find((other) => isSame(other, { ...each, id }));
        return before ?? this.#ofPool(each, id, { since: now });
      }),
    });
  }

  #ofPool(fault: PoolGiven, id: string, times: Times): L1PoolFault {
    const { epochs } = fault;
    const until = epochs === undefined ? {} : { until: endOfEpochs(this.#parts.plan(), epochs, times.since) };
    return { ...withSender(this.#parts.plan(), fault), id, ...times, ...until };
  }

  /** Ends faults. @throws Failure `fault` (exit 2) if one of the ids is none */
  heal(ids: readonly string[] | 'all'): readonly string[] {
    const all = faultsOf(this.#document).map(({ id }) => id);
    if (ids === 'all') this.#set(NO_FAULTS);
    else {
      mustStand(this.#document, ids);
      this.#set(without(this.#document, new Set(ids)));
    }
    return ids === 'all' ? all : ids;
  }

  /** Applies the faults to the links of a changed plan, and ends those that are over on the network's clock. */
  refresh(): void {
    const { now } = this;
    const over = faultsOf(this.#document).filter(({ until }) => until !== undefined && until <= now);
    this.#set(without(this.#document, new Set(over.map(({ id }) => id))));
  }

  /** Returns the fault that touches a task, as a cause; undefined: none does. */
  causeOf(task: string): string | undefined {
    const plan = this.#parts.plan();
    const all = faultsOf(this.#document).filter((each) => tasksTouched(plan, linkFault(each)).has(task));
    const fault = all.find(isSeverance) ?? all[0];
    return fault === undefined ? undefined : causeText(fault);
  }

  /** Returns which links of a task are cut, silent or answer wrongly: those to its peers, or other ones too. */
  severed(task: string): 'peers' | 'more' | undefined {
    if (this.#shapes.size + this.#answers.size === 0) return undefined;
    const words = (this.#parts.plan().links ?? [])
      .filter(({ from, to, port }) => from === task || (to === task && port === 'p2p'))
      .filter(({ id }) => isSevered(this.#shapes.get(id)) || this.#answers.get(id)?.some(({ at }) => at === undefined))
      .map(wordOf);
    if (words.length === 0) return undefined;
    return words.some((word) => word !== 'p2p') ? 'more' : 'peers';
  }

  /** Ends the timer. The links are closed by their owner. */
  close(): void {
    clearTimeout(this.#timer);
  }

  /** The network's clock, Unix ms. */
  get now(): number {
    return Math.round(timeAt(this.#parts.clock(), Date.now()));
  }

  #ids(): ReadonlySet<string> {
    return new Set(faultsOf(this.#document).map(({ id }) => id));
  }

  #idOf(name: string | undefined, others: ReadonlySet<string>): string {
    if (name !== undefined) {
      if (others.has(name)) throw refusal(`two faults have the id ${name}`, { id: name });
      return name;
    }
    do this.#count += 1;
    while (others.has(String(this.#count)));
    return String(this.#count);
  }

  /** Puts a document in force as a whole, or throws before anything has changed. */
  #set(next: FaultDocument, end: 'healed' | 'done' = 'healed'): void {
    const { links, pool, plan, emit, keep } = this.#parts;
    if (next.pool.length > MOST_POOL_FAULTS)
      throw refusal(`expected at most ${MOST_POOL_FAULTS} faults of L1's pool`, { most: MOST_POOL_FAULTS });
    const shapes = shapesOf(plan(), next);
    const answers = wrongAnswersOf(plan(), next);
    const [before, after] = [faultsOf(this.#document), faultsOf(next)];
    this.#document = next;
    this.#shapes = shapes;
    this.#answers = answers;
    links.shape(shapes);
    links.intercept(answers);
    pool(next.pool);
    this.#wait(after);
    const [over, fresh] = [before.filter(isNotIn(after)), after.filter(isNotIn(before))];
    if (over.length + fresh.length === 0) return;
    keep(next);
    const at = Date.now();
    for (const fault of over) emit({ kind: 'fault', at, id: fault.id, what: faultText(fault), state: end });
    for (const fault of fresh) emit({ kind: 'fault', at, id: fault.id, what: faultText(fault), state: 'added' });
  }

  /** Waits for the end of the next fault that ends by itself. A clock that stands, or is moved, calls `refresh`. */
  #wait(faults: readonly StandingFault[]): void {
    clearTimeout(this.#timer);
    const ends = faults.flatMap(({ until }) => until ?? []);
    const { rate } = this.#parts.clock();
    if (ends.length === 0 || rate === 0) return;
    const ms = (Math.min(...ends) - this.now) / rate;
    this.#timer = setTimeout(() => this.refresh(), Math.min(Math.max(1, Math.ceil(ms)), LOOK_AGAIN_MS));
  }
}

function isSevered(shape: LinkShape | undefined): boolean {
  return shape !== undefined && (shape.isCut || shape.there.isDropped || shape.back.isDropped);
}
