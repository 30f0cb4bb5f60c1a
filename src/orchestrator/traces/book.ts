import type { TraceMark, TraceMarkKind } from '../../system/channel/trace-marks.ts';

/** A mark of a task. */
export interface TaskMark extends TraceMark {
  readonly task: string;
}

/** What is known of a block of L2 or L1, or of a batch by the id of its channel. */
export interface Traced {
  readonly of: string;
  readonly kind: 'block' | 'batch' | 'l1';
  /** Its marks: the first of each kind and task. */
  readonly marks: readonly TaskMark[];
  /** Of a block: the batch that has it. */
  readonly batch: TaskMark | undefined;
}

interface Entry {
  readonly kind: Traced['kind'];
  readonly marks: Map<string, TaskMark>;
  parent: string | undefined;
  batch: TaskMark | undefined;
}

/** Blocks of an unknown hash for which marks wait. */
const MAX_WAITING = 256;

/**
 * The marks of the newest blocks and batches. A mark of a head counts for its ancestors, one of a batch for its blocks.
 * Processes report by connections of their own, so a mark may come before those of the blocks that it is about.
 */
export class TraceBook {
  readonly #capacity: number;
  readonly #entries = new Map<string, Entry>();
  /** Hash of the newest block of L1 by number. */
  readonly #l1 = new Map<number, string>();
  readonly #waiting = new Map<string, ((hash: string) => void)[]>();
  #touched = new Set<string>();

  /** `capacity`: blocks and batches that are kept. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(task: string, mark: TraceMark): void {
    const taskMark = { ...mark, task };
    if (mark.mark === 'safe' || mark.mark === 'finalized') this.#markHead(taskMark);
    else this.#markBlock(taskMark);
  }

  #markBlock(mark: TaskMark): void {
    const entry = this.#entry(mark);
    keep(entry.marks, mark);
    entry.parent ??= mark.parent;
    this.#touched.add(mark.of);
    if (mark.mark === 'l1' && mark.number !== undefined) this.#l1.set(mark.number, mark.of);
    if (mark.mark === 'batch') this.#markBatch(mark);
    const waiting = this.#waiting.get(mark.of) ?? [];
    this.#waiting.delete(mark.of);
    for (const go of waiting) go(mark.of);
  }

  get(of: string): Traced | undefined {
    const entry = this.#entries.get(of);
    return entry && { of, kind: entry.kind, marks: [...entry.marks.values()], batch: entry.batch };
  }

  /** The newest block of L1 with a number. */
  l1Block(number: number): Traced | undefined {
    const hash = this.#l1.get(number);
    return hash === undefined ? undefined : this.get(hash);
  }

  /** Takes the names of what has new marks since the last call. */
  takeTouched(): ReadonlySet<string> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  #entry({ of, mark }: TaskMark): Entry {
    const present = this.#entries.get(of);
    if (present !== undefined) return present;
    const kind = mark === 'batch' || mark === 'l1' ? mark : 'block';
    const entry: Entry = { kind, marks: new Map(), parent: undefined, batch: undefined };
    this.#entries.set(of, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#capacity && oldest !== undefined) this.#entries.delete(oldest);
    if (this.#l1.size > this.#capacity) this.#l1.delete(Math.min(...this.#l1.keys()));
    return entry;
  }

  #markHead(mark: TaskMark): void {
    this.#walk(mark.of, (entry, of) => keep(entry.marks, { ...mark, of }));
  }

  #markBatch(batch: TaskMark): void {
    const { first, last } = batch;
    if (last === undefined) return;
    this.#walk(last, (entry, of) => {
      entry.batch = batch;
      return of !== first;
    });
  }

  /** Visits a block and its ancestors while `visit` says so. It goes on at an unknown one once that has a mark. */
  #walk(from: string, visit: (entry: Entry, of: string) => boolean): void {
    for (let of: string | undefined = from; of !== undefined; ) {
      const entry = this.#entries.get(of);
      if (entry === undefined) {
        this.#wait(of, (hash) => this.#walk(hash, visit));
        return;
      }
      if (!visit(entry, of)) return;
      this.#touched.add(of);
      of = entry.parent;
    }
  }

  #wait(of: string, go: (hash: string) => void): void {
    this.#waiting.set(of, [...(this.#waiting.get(of) ?? []), go]);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > MAX_WAITING && oldest !== undefined) this.#waiting.delete(oldest);
  }
}

/** Keeps a mark, and returns whether it is the first of its kind and task. */
function keep(marks: Map<string, TaskMark>, mark: TaskMark): boolean {
  const key = `${mark.mark} ${mark.task}`;
  if (marks.has(key)) return false;
  marks.set(key, mark);
  return true;
}

/** The first mark of a kind, of one task or any. */
export function markOf({ marks }: Traced, kind: TraceMarkKind, task?: string): TaskMark | undefined {
  return marks.find((each) => each.mark === kind && (task === undefined || each.task === task));
}
