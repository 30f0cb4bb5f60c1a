import { styleText } from 'node:util';
import { readText } from '../../../system/files/folder.ts';
import { lastLines } from '../../../system/files/lines.ts';
import { onKey } from '../../../system/program/terminal.ts';
import { terminalText } from '../../../system/program/terminal-text.ts';
import { timeAt } from '../../../system/time/clock-state.ts';
import { pause } from '../../../system/time/pause.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Event } from '../../state/events.ts';
import type { State } from '../../state/state.ts';
import { type Progress, progressLines } from '../progress.ts';
import { gatherer } from './gather.ts';
import { type Line, type Tone, viewLines } from './lines.ts';
import type { LiveView } from './view.ts';

/** Time (ms) between two reads of the network. */
const READ_INTERVAL_MS = 1000;
/** Lines of a log or a report that are read. */
const MAX_READ_LINES = 200;

/** How events begin that need the user's attention. */
const BAD = /^(unhealthy|restarting|blocked|divergence|stall)/;

const STYLES = { plain: 'reset', bold: 'bold', dim: 'dim', good: 'green', bad: 'red' } as const satisfies Record<
  Tone,
  string
>;

export interface LiveViewIo {
  /** Reads plan and state; they change while the network runs. @throws where the devnet is gone */
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
  const draw = createLogUpdate(process.stderr);
  const gather = gatherer();
  const over = new AbortController();
  const began = performance.now();
  const diverged = new Map<string, string | undefined>();
  let complaint: { readonly text: string; readonly at: number; readonly isBad: boolean } | undefined;
  let view: LiveView | undefined;
  let pane: 'explanation' | number | undefined;
  let tasks: Plan['tasks'] = [];

  function paneNow(): LiveView['pane'] {
    if (pane === undefined) return null;
    if (pane === 'explanation') {
      const paths = [...diverged.values()].flatMap((path) => path ?? []);
      const none = diverged.size === 0 ? 'no divergence is known' : 'the explanation is being written';
      const lines = paths.flatMap((path) => (readText(path) ?? '').split('\n').slice(0, MAX_READ_LINES));
      return { title: 'explanation', lines: lines.length === 0 ? [none] : lines, shows: 'first' };
    }
    const task = tasks[pane % Math.max(1, tasks.length)];
    return task === undefined
      ? null
      : { title: `log of ${task.id}`, lines: lastLines(task.log, MAX_READ_LINES), shows: 'last' };
  }

  function redraw(): void {
    if (over.signal.aborted || view === undefined) return;
    const now = performance.now();
    const shown: LiveView = {
      ...view,
      upMs: now - began,
      diverged: [...diverged.keys()],
      complaint:
        complaint === undefined
          ? null
          : { text: io.runnable(complaint.text), ageMs: now - complaint.at, isBad: complaint.isBad },
      pane: paneNow(),
    };
    // The last column and row stay empty: writing there would scroll some terminals.
    const { columns = 80, rows = 24 } = process.stderr;
    draw(
      viewLines(shown, columns - 1, rows - 1)
        .map(styled)
        .join('\n'),
    );
  }

  const unfollow = onKey((key) => {
    if (key === 'q' || key === '\u0003') return io.interrupt();
    if (key === 'd') return io.detach();
    if (key === 'l') pane = typeof pane === 'number' ? pane + 1 : 0;
    else if (key === 'e') pane = pane === 'explanation' ? undefined : 'explanation';
    else if (key === '\u001b') pane = undefined;
    redraw();
  });
  process.stderr.on('resize', redraw);

  async function follow(): Promise<void> {
    while (!over.signal.aborted) {
      try {
        const { plan, state } = await io.read();
        const { l1Head, chains } = await gather.gather(plan, state);
        tasks = plan.tasks;
        const [problem] = state.problems;
        const found = problem === undefined ? undefined : `${problem.subject}: ${problem.what}`;
        if (found !== undefined && complaint?.text !== found)
          complaint = { text: found, at: performance.now(), isBad: true };
        view = {
          ...{ name: plan.devnet, phase: state.phase, upMs: 0, chains },
          clock: { at: timeAt(state.clock, Date.now()), rate: state.clock.rate },
          l1: { head: l1Head, rpc: plan.network.l1.rpc },
          ...{ diverged: [], complaint: null, pane: null },
          takeDown: io.runnable(`\`devnet down ${plan.devnet}\``),
          hasKeys: unfollow !== undefined,
        };
        redraw();
      } catch {
        // The network is ending: the last picture stays until the session ends.
      }
      await pause(READ_INTERVAL_MS, over.signal);
    }
  }
  void follow();

  return {
    tell(event) {
      const text = notable(event);
      if (text !== undefined) complaint = { text, at: performance.now(), isBad: BAD.test(text) };
      if (event.event === 'network') {
        const { network } = event;
        if (network.kind === 'divergence' || network.kind === 'explanation')
          for (const node of network.nodes)
            diverged.set(`${network.chain}/${node}`, network.kind === 'explanation' ? network.path : undefined);
        if (network.kind === 'agreement') for (const node of network.nodes) diverged.delete(`${network.chain}/${node}`);
      }
      redraw();
    },
    async stop() {
      if (over.signal.aborted) return;
      over.abort();
      unfollow?.();
      process.stderr.off('resize', redraw);
      draw.clear();
      draw.done();
    },
  };
}

/** Returns what an event adds as the last complaint. A fork that activates is worth it too. */
function notable(event: Event): string | undefined {
  if (event.event === 'phase') return undefined;
  const [first] = progressLines(event);
  return first?.replace(/\s+/g, ' ');
}

function styled({ text, tone }: Line): string {
  const shown = terminalText(text);
  return tone === 'plain' || text === '' ? shown : styleText(STYLES[tone], shown, { stream: process.stderr });
}
