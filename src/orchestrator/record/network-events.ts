import type { Event } from '../state/events.ts';
import type { NetworkEvent } from '../state/network-event-type.ts';
import type { Problem } from '../state/problem.ts';
import type { Phase, TaskPhase } from '../state/state.ts';

/** Collects the events of a network for `devnet watch`. */
export interface NetworkEvents {
  emit(event: NetworkEvent): void;
  /** Translates a message of the supervisor: processes that start and end, the phase. */
  follow(event: Event): void;
  /**
   * Compares the problems with the last ones. A process that starts or stops does not stall: nothing is told of it,
   * and a stall from before is not over yet.
   */
  problems(all: readonly Problem[], phaseOf: (task: string) => TaskPhase | undefined): void;
  /** The events that describe the present. */
  present(): readonly Event[];
}

/** Phases of a task whose process has ended. */
const OVER: ReadonlySet<TaskPhase> = new Set(['stopped', 'failed', 'restarting', 'blocked']);

/** Phases of a task whose process starts or stops. */
const CHANGING: ReadonlySet<TaskPhase | undefined> = new Set(['waiting', 'preparing', 'starting', 'stopping']);

/** Creates the collection. `tell` receives each event. */
export function createNetworkEvents(tell: (event: NetworkEvent) => void): NetworkEvents {
  const present = new Map<string, NetworkEvent>();
  const pids = new Map<string, number | null>();
  const stalls = new Map<string, Problem>();
  let phase: Phase | undefined;

  function emit(event: NetworkEvent): void {
    remember(present, event);
    tell(event);
  }

  return {
    emit,
    follow(event) {
      if (event.event === 'phase' && phase !== event.phase) {
        phase = event.phase;
        emit({ kind: 'phase', at: event.at, phase });
      }
      if (event.event !== 'task') return;
      const { task, phase: now, at, pid = null, detail } = event;
      if (now === 'ready' && pids.get(task) !== pid) {
        pids.set(task, pid);
        emit({ kind: 'started', at, task, pid });
      } else if (OVER.has(now) && pids.delete(task)) emit({ kind: 'ended', at, task, what: detail ?? now });
    },
    problems(all, phaseOf) {
      const at = Date.now();
      const now = new Map(all.map((problem) => [problem.subject, problem]));
      for (const [subject, { what, since }] of stalls) {
        if (now.has(subject)) continue;
        stalls.delete(subject);
        emit({ kind: 'recovery', at, subject, what, since });
      }
      for (const [subject, problem] of now) {
        if (CHANGING.has(phaseOf(subject))) continue;
        if (stalls.get(subject)?.what !== problem.what) emit({ kind: 'stall', at, ...problem });
        stalls.set(subject, problem);
      }
    },
    present: () => [...present.values()].map((network) => ({ event: 'network', network })),
  };
}

/** Keeps the events that a new reader needs: heads, standing problems and divergences, processes, the phase. */
function remember(present: Map<string, NetworkEvent>, event: NetworkEvent): void {
  const key = keyOf(event);
  for (const over of endedBy(event)) present.delete(over);
  if (key === undefined) return;
  present.delete(key);
  present.set(key, event);
}

/** Key of an event that describes the present until another event ends it. */
function keyOf(event: NetworkEvent): string | undefined {
  switch (event.kind) {
    case 'head':
      return `head ${event.chain} ${event.node}`;
    case 'stall':
      return `stall ${event.subject}`;
    case 'divergence':
    case 'explanation':
      return `${event.kind} ${event.chain} ${event.nodes.join(' ')}`;
    case 'started':
      return `task ${event.task}`;
    case 'fault':
      return event.state === 'added' ? `fault ${event.id}` : undefined;
    case 'phase':
      return 'phase';
    default:
      return undefined;
  }
}

/** Keys of the events that an event ends. */
function endedBy(event: NetworkEvent): readonly string[] {
  if (event.kind === 'recovery') return [`stall ${event.subject}`];
  if (event.kind === 'fault') return [`fault ${event.id}`];
  if (event.kind === 'ended') return [`task ${event.task}`];
  if (event.kind !== 'agreement') return [];
  return ['divergence', 'explanation'].map((kind) => `${kind} ${event.chain} ${event.nodes.join(' ')}`);
}

const MATTERS: ReadonlySet<NetworkEvent['kind']> = new Set([
  ...(['fork', 'reorg', 'divergence', 'explanation', 'agreement', 'fault'] as const),
]);

/** Whether an event is shown by an attached `up`, which shows processes and problems in its own lines. */
export function matters({ kind }: NetworkEvent): boolean {
  return MATTERS.has(kind);
}
