import { styleText } from 'node:util';
import { readText } from '../../../system/files/folder.ts';
import { lastLines } from '../../../system/files/lines.ts';
import { onKey } from '../../../system/program/terminal.ts';
import { terminalText } from '../../../system/program/terminal-text.ts';
import { timeAt } from '../../../system/time/clock.ts';
import { pause } from '../../../system/time/pause.ts';
import { causeText, faultsOf } from '../../faults/describe.ts';
import { listedTasks } from '../../plan/order.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Event } from '../../state/events.ts';
import { NO_FAULTS } from '../../state/faults.ts';
import type { NetworkEvent } from '../../state/network-event-type.ts';
import type { State } from '../../state/state.ts';
import { type Progress, progressLines } from '../progress.ts';
import { gatherer } from './gather.ts';
import { type Line, type Tone, viewLines } from './lines.ts';
import type { LivePane, LiveView } from './view.ts';

/** Time (ms) between two reads of the network. */
const READ_INTERVAL_MS = 1000;
/** Lines of a log or a report that are read. */
const MAX_READ_LINES = 200;
/** Rows of a step by PgUp and PgDn, and rows that can be scrolled. */
const PAGE_ROWS = 10;
const MAX_SCROLL_ROWS = 2000;

/** How events begin that need the user's attention. */
const BAD = /^(unhealthy|restarting|blocked|divergence|stall)/;

const STYLES = { plain: 'reset', bold: 'bold', dim: 'dim', good: 'green', bad: 'red' } as const satisfies Record<
  Tone,
  string
>;

export interface LiveViewIo {
  /** Reads plan and state; they change while the network runs. @throws if the devnet is gone */
  read(): Promise<{ readonly plan: Plan; readonly state: State }>;
  /** Makes the commands in a text those of this installation. */
  runnable(text: string): string;
  /** Called for `d`. */
  detach(): void;
  /** Called for `q` and Ctrl-C, as an interrupt. */
  interrupt(): void;
}

/** Shows a running network on the terminal of stderr until it is stopped. */
export async function openLiveView(io: LiveViewIo): Promise<Progress> {
  const { createLogUpdate } = await import('log-update');
  return new LiveScreen(io, createLogUpdate(process.stderr));
}

/** Replaces what is on the terminal. */
type Draw = ReturnType<typeof import('log-update').createLogUpdate>;

/** The last problem, reorg or complaint. */
interface Complaint {
  readonly text: string;
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly isBad: boolean;
}

/** The picture of a running network on the terminal. It reads the network, events and keys. */
class LiveScreen implements Progress {
  readonly #io: LiveViewIo;
  readonly #draw: Draw;
  readonly #gatherer = gatherer();
  readonly #over = new AbortController();
  readonly #openedAt = performance.now();
  readonly #divergence = new DivergencePane();
  /** Stops the reading of keys; undefined: this terminal has none. */
  readonly #unfollowKeys: (() => void) | undefined;
  #complaint: Complaint | undefined;
  #view: LiveView | undefined;
  /** What the pane shows: the explanation, or the log of the task of this number. */
  #pane: 'explanation' | number | undefined;
  #scroll = 0;
  #tasks: Plan['tasks'] = [];

  constructor(io: LiveViewIo, draw: Draw) {
    this.#io = io;
    this.#draw = draw;
    this.#unfollowKeys = onKey((key) => this.#onKey(key));
    process.stderr.on('resize', this.#redraw);
    void this.#follow();
  }

  tell(event: Event): void {
    const text = notable(event);
    if (text !== undefined) this.#complaint = { text, at: performance.now(), isBad: BAD.test(text) };
    if (event.event === 'network') this.#divergence.tell(event.network);
    this.#redraw();
  }

  async stop(): Promise<void> {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.#unfollowKeys?.();
    process.stderr.off('resize', this.#redraw);
    this.#draw.clear();
    this.#draw.done();
  }

  /** Reads the network until the view is stopped. */
  async #follow(): Promise<void> {
    while (!this.#over.signal.aborted) {
      try {
        await this.#read();
        this.#redraw();
      } catch {
        // The network is ending: the last picture stays until the session ends.
      }
      await pause(READ_INTERVAL_MS, this.#over.signal);
    }
  }

  async #read(): Promise<void> {
    const { plan, state } = await this.#io.read();
    const { l1Head, chains } = await this.#gatherer.gather(plan, state);
    this.#tasks = listedTasks(plan);
    const [problem] = state.problems;
    const [fault] = faultsOf(state.faults ?? NO_FAULTS);
    const text = problem ? `${problem.subject}: ${problem.what}` : fault && causeText(fault);
    if (text !== undefined && this.#complaint?.text !== text)
      this.#complaint = { text, at: performance.now(), isBad: problem !== undefined };
    this.#view = {
      ...{ name: plan.devnet, phase: state.phase, upMs: 0, chains },
      clock: { at: timeAt(state.clock, Date.now()), rate: state.clock.rate },
      l1: { head: l1Head, rpc: plan.network.l1.rpc },
      ...{ diverged: [], complaint: null, pane: null, scroll: 0 },
      takeDown: this.#io.runnable(`\`devnet down ${plan.devnet}\``),
      hasKeys: this.#unfollowKeys !== undefined,
    };
  }

  #onKey(key: string): void {
    switch (key) {
      case 'q':
      case '\u0003':
        this.#io.interrupt();
        return;
      case 'd':
        this.#io.detach();
        return;
      case 'j':
      case '\u001b[B':
        this.#scrollBy(1);
        break;
      case 'k':
      case '\u001b[A':
        this.#scrollBy(-1);
        break;
      case '\u001b[6~':
      case ' ':
        this.#scrollBy(PAGE_ROWS);
        break;
      case '\u001b[5~':
        this.#scrollBy(-PAGE_ROWS);
        break;
      case 'l':
        this.#scroll = 0;
        this.#pane = typeof this.#pane === 'number' ? this.#pane + 1 : 0;
        break;
      case 'e':
        this.#scroll = 0;
        this.#pane = this.#pane === 'explanation' ? undefined : 'explanation';
        break;
      case '\u001b':
        this.#scroll = 0;
        this.#pane = undefined;
    }
    this.#redraw();
  }

  /** Scrolls down by rows. A log begins at its end, so that down is back to it. */
  #scrollBy(rows: number): void {
    const step = typeof this.#pane === 'number' ? -rows : rows;
    this.#scroll = Math.min(MAX_SCROLL_ROWS, Math.max(0, this.#scroll + step));
  }

  readonly #redraw = (): void => {
    if (this.#over.signal.aborted || this.#view === undefined) return;
    const now = performance.now();
    const complaint = this.#complaint;
    const view: LiveView = {
      ...this.#view,
      upMs: now - this.#openedAt,
      diverged: this.#divergence.nodes(),
      complaint: complaint
        ? { text: this.#io.runnable(complaint.text), ageMs: now - complaint.at, isBad: complaint.isBad }
        : null,
      pane: this.#paneNow(),
      scroll: this.#scroll,
    };
    // The last column and row stay empty: writing there would scroll some terminals.
    const { columns = 80, rows = 24 } = process.stderr;
    this.#draw(
      viewLines(view, columns - 1, rows - 1)
        .map(styled)
        .join('\n'),
    );
  };

  #paneNow(): LiveView['pane'] {
    if (this.#pane === undefined) return null;
    if (this.#pane === 'explanation') return this.#divergence.pane();
    const task = this.#tasks[this.#pane % Math.max(1, this.#tasks.length)];
    return task === undefined
      ? null
      : { title: `log of ${task.id}`, lines: lastLines(task.log, MAX_READ_LINES), shows: 'last' };
  }
}

/** The nodes whose blocks differ, and the explanations of that. */
class DivergencePane {
  /** Path of the explanation by node; undefined: it is being written. */
  readonly #explanations = new Map<string, string | undefined>();

  nodes(): readonly string[] {
    return [...this.#explanations.keys()];
  }

  tell(event: NetworkEvent): void {
    if (event.kind === 'divergence' || event.kind === 'explanation')
      for (const node of event.nodes)
        this.#explanations.set(`${event.chain}/${node}`, event.kind === 'explanation' ? event.path : undefined);
    if (event.kind === 'agreement') for (const node of event.nodes) this.#explanations.delete(`${event.chain}/${node}`);
  }

  /** Returns the begin of all explanations, read anew. */
  pane(): LivePane {
    const paths = [...this.#explanations.values()].flatMap((path) => path ?? []);
    const none = this.#explanations.size === 0 ? 'no divergence is known' : 'the explanation is being written';
    const lines = paths.flatMap((path) => (readText(path) ?? '').split('\n').slice(0, MAX_READ_LINES));
    return { title: 'explanation', lines: lines.length === 0 ? [none] : lines, shows: 'first' };
  }
}

/** Returns what an event adds as the last complaint. A fork that activates is worth it too. */
function notable(event: Event): string | undefined {
  if (event.event === 'phase') return undefined;
  const [first] = progressLines(event);
  return first?.replace(/\s+/g, ' ');
}

function styled({ text, tone }: Line): string {
  const visible = terminalText(text);
  return tone === 'plain' || text === '' ? visible : styleText(STYLES[tone], visible, { stream: process.stderr });
}
