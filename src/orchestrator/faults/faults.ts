import type { LinkShape } from '../../system/net/link/line.ts';
import { type ClockState, timeAt } from '../../system/time/clock.ts';
import type { Plan } from '../plan/plan.ts';
import { type FaultDocument, type GivenFault, NO_FAULTS, type RpcFault } from '../state/faults.ts';
import type { NetworkEvent } from '../state/network-event-type.ts';
import { causeText, faultsOf, faultText, linkFault, type StandingFault } from './describe.ts';
import type { Links } from './links.ts';
import { refusal } from './places.ts';
import type { GivenDocument } from './schema.ts';
import { mustTouch, shapesOf, tasksTouched, wrongAnswersOf } from './shapes.ts';
import { wordOf } from './target.ts';

/** What the faults of a network work on. */
interface FaultParts {
  readonly links: Links;
  /** The plan in force. */
  readonly plan: () => Plan;
  readonly clock: () => ClockState;
  readonly emit: (event: NetworkEvent) => void;
  /** Keeps the faults where commands read them. */
  readonly keep: (document: FaultDocument) => void;
}

/** Longest time (ms) that a timer of this program waits before it looks at the clock again. */
const LOOK_AGAIN_MS = 60_000;

/** The faults of a running network: a document, and the links that are shaped by it. */
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
    const { partitions, shaping, rpc } = this.#document;
    this.#set(
      'partition' in fault
        ? { partitions: [...partitions, standing(fault.partition, id, times)], shaping, rpc }
        : 'rpc' in fault
          ? { partitions, shaping, rpc: [...rpc, standing(fault.rpc, id, times)] }
          : { partitions, shaping: [...shaping, standing(fault.shaping, id, times)], rpc },
    );
    return id;
  }

  /** Replaces all faults. One that has the id and the content of a standing one goes on. */
  apply({ partitions, shaping, rpc }: GivenDocument): void {
    for (const partition of partitions) mustTouch(this.#parts.plan(), { partition });
    for (const each of shaping) mustTouch(this.#parts.plan(), { shaping: each });
    for (const each of rpc) mustTouch(this.#parts.plan(), { rpc: each });
    const { now } = this;
    const ids = new Set<string>();
    const names = [...partitions, ...shaping, ...rpc].flatMap(({ id }) => id ?? []);
    const next = <Fault extends Given>(fault: Fault) => {
      const id = this.#idOf(fault.id, fault.id === undefined ? new Set([...ids, ...names]) : ids);
      ids.add(id);
      const before = faultsOf(this.#document).find((each) => isSame(each, { ...fault, id }));
      return standing(fault, id, before === undefined ? { since: now } : timesOf(before));
    };
    this.#set({ partitions: partitions.map(next), shaping: shaping.map(next), rpc: rpc.map(next) });
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
  #set(next: FaultDocument): void {
    const { links, plan, emit, keep } = this.#parts;
    const shapes = shapesOf(plan(), next);
    const answers = wrongAnswersOf(plan(), next);
    const [before, after] = [faultsOf(this.#document), faultsOf(next)];
    this.#document = next;
    this.#shapes = shapes;
    this.#answers = answers;
    links.shape(shapes);
    links.intercept(answers);
    this.#wait(after);
    const [over, fresh] = [before.filter(isNotIn(after)), after.filter(isNotIn(before))];
    if (over.length + fresh.length === 0) return;
    keep(next);
    const at = Date.now();
    for (const fault of over) emit({ kind: 'fault', at, id: fault.id, what: faultText(fault), state: 'healed' });
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

/** @throws Failure `fault` (exit 2) if an id is that of no fault, with those that stand */
export function mustStand(document: FaultDocument, ids: readonly string[]): void {
  const all = faultsOf(document).map(({ id }) => id);
  const unknown = ids.find((id) => !all.includes(id));
  if (unknown === undefined) return;
  throw refusal(
    `there is no fault ${unknown}`,
    { id: unknown, expected: all },
    all.length === 0 ? 'no fault stands' : `expected one of ${all.join(', ')}; it may have ended by itself`,
  );
}

/** @throws Failure `fault` (exit 2) if the network has no links, or a fault names none of them */
export function mustFit(plan: Plan, faults: readonly GivenFault[]): void {
  mustHaveLinks(plan);
  for (const fault of faults) mustTouch(plan, fault);
}

/** @throws Failure `fault` (exit 2) if the network was started without `faults: true` */
export function mustHaveLinks({ links, devnet }: Plan): void {
  if (links !== undefined) return;
  throw refusal(
    `${devnet} was started without links that can fail`,
    { devnet },
    'start it with `faults: true` in its spec, or with `devnet up --set faults=true`',
  );
}

/** Returns a fault without its kind. */
function contentOf(fault: GivenFault) {
  if ('partition' in fault) return fault.partition;
  return 'rpc' in fault ? fault.rpc : fault.shaping;
}

/** Whether no byte passes the links of a fault: it explains more than a slow link does. */
function isSeverance(fault: StandingFault): boolean {
  return fault.kind === 'partition' || (fault.kind === 'shaping' && (fault.cut === true || fault.drop === true));
}

function without({ partitions, shaping, rpc }: FaultDocument, ids: ReadonlySet<string>): FaultDocument {
  const stands = ({ id }: { readonly id: string }) => !ids.has(id);
  return { partitions: partitions.filter(stands), shaping: shaping.filter(stands), rpc: rpc.filter(stands) };
}

/** A fault as it is given. Times of a document that it comes from are of no account. */
interface Given {
  readonly id?: string;
  readonly since?: number;
  readonly until?: number;
}

interface Times {
  readonly since: number;
  readonly until?: number;
}

function standing<Fault extends Given>(fault: Fault, id: string, times: Times) {
  const { since: _since, until: _until, ...content } = fault;
  return { ...content, id, ...times };
}

function timesOf({ since, until }: StandingFault): Times {
  return { since, ...(until === undefined ? {} : { until }) };
}

function isSevered(shape: LinkShape | undefined): boolean {
  return shape !== undefined && (shape.isCut || shape.there.isDropped || shape.back.isDropped);
}

/** Whether two faults have the same id and do the same. */
function isSame(a: { readonly id: string }, b: { readonly id: string }): boolean {
  const contentOf = (fault: object) =>
    JSON.stringify(
      Object.entries(fault)
        .filter(([name]) => !['since', 'until', 'kind'].includes(name))
        .toSorted(([one], [other]) => one.localeCompare(other)),
    );
  return contentOf(a) === contentOf(b);
}

function isNotIn(others: readonly StandingFault[]): (fault: StandingFault) => boolean {
  return (fault) => !others.some((other) => isSame(fault, other));
}
