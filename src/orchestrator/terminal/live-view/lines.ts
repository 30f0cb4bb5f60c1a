import { digitGroups, roundedEther, spanText } from '../../../system/numbers/human.ts';
import { isoTime } from '../../status/forks.ts';
import type { LiveChain, LiveNode, LivePane, LivePoster, LiveView } from './view.ts';

/** How a line is drawn. */
export type Tone = 'plain' | 'bold' | 'dim' | 'good' | 'bad';

export interface Line {
  readonly text: string;
  readonly tone: Tone;
}

/** Fewest columns and rows that are drawn. */
const MIN_COLUMNS = 10;
const MIN_ROWS = 3;

const line = (text: string, tone: Tone = 'plain'): Line => ({ text, tone });

/**
 * Formats the live view of a network as at most `height` lines of at most `width` columns.
 * A smaller terminal than 3 lines of 10 columns has that much.
 */
export function viewLines(view: LiveView, width: number, height: number): readonly Line[] {
  const columns = Math.max(MIN_COLUMNS, width);
  const top = [
    line(`${view.name}  ${view.phase}  up ${spanText(view.upMs / 1000)}`, toneOf(view.phase)),
    line(`L1 block ${number(view.l1.head)}  ${view.l1.rpc}  ${clockText(view)}`),
    ...view.chains.flatMap((chain) => chainLines(chain, columns)),
    agreementLine(view),
    ...complaintLines(view),
  ];
  const keys = keyLines(view, columns);
  const rows = Math.max(MIN_ROWS, height);
  const pane = view.pane === null ? [] : paneLines(view.pane, rows - top.length - keys.length);
  // The first line and the keys stay if the terminal is low.
  const body = [...top, ...pane].slice(0, Math.max(1, rows - keys.length));
  return [...body, ...keys].map(({ text, tone }) => ({ text: cut(printableText(text), columns), tone }));
}

/** Columns of the table of nodes in their order. A narrow terminal leaves out the last ones first. */
const COLUMNS: readonly (readonly [string, (node: LiveNode) => string])[] = [
  ['unsafe', ({ unsafe }) => number(unsafe)],
  ['safe', ({ safe }) => number(safe)],
  ['behind', ({ behind }) => number(behind)],
  ['final', ({ finalized }) => number(finalized)],
  ['blocks/s', ({ rate }) => (rate === null ? '-' : rate.toFixed(1))],
  ['peers', ({ peers }) => number(peers)],
];

function chainLines(chain: LiveChain, columns: number): readonly Line[] {
  const names = chain.nodes.map(({ name, role }) => (role === 'sequencer' ? `${name} *` : name));
  const first = Math.min(Math.max(chain.name.length, ...names.map(({ length }) => length)), Math.max(6, columns - 10));
  const widths = COLUMNS.map(([title, cell]) =>
    Math.max(title.length, ...chain.nodes.map((node) => cell(node).length)),
  );
  let room = columns - first;
  const fitting = COLUMNS.flatMap((column, index) => {
    room -= (widths[index] ?? 0) + 2;
    return room < 0 ? [] : [{ column, width: widths[index] ?? 0 }];
  });
  const header = fitting.map(({ column: [title], width }) => `  ${title.padStart(width)}`).join('');
  const rows = chain.nodes.map((node, index) => {
    const cells = fitting.map(({ column: [, cell], width }) => `  ${cell(node).padStart(width)}`).join('');
    const state = node.phase === 'ready' ? '' : `  ${node.phase}`;
    return line(`${cut(names[index] ?? '', first).padEnd(first)}${cells}${state}`, toneOf(node.phase));
  });
  return [
    line(''),
    line(`${cut(chain.name, first).padEnd(first)}${header}`, 'bold'),
    ...rows,
    ...chain.posters.map(posterLine),
    ...chain.forks.map(({ fork, secondsToGo, block }) =>
      line(`${fork} in ${spanText(secondsToGo)}${block === null ? '' : `, block ${block}`}`),
    ),
  ];
}

function posterLine({ name, phase, posts, lastPostMs, cost }: LivePoster): Line {
  const last = lastPostMs === null ? 'no post yet' : `last post ${spanText(lastPostMs / 1000)} ago`;
  const posting = posts === 0 ? '' : `, ${posts} for ${roundedEther(cost)}`;
  return line(`${name}  ${phase === 'ready' ? '' : `${phase}  `}${last}${posting}`, toneOf(phase));
}

function agreementLine({ diverged, hasKeys }: LiveView): Line {
  if (diverged.length === 0) return line('all nodes agree', 'good');
  return line(`DIVERGED: ${diverged.join(', ')}${hasKeys ? '  (e explains)' : ''}`, 'bad');
}

function complaintLines({ complaint }: LiveView): readonly Line[] {
  if (complaint === null) return [];
  return [line(`${spanText(complaint.ageMs / 1000)} ago: ${complaint.text}`, complaint.isBad ? 'bad' : 'plain')];
}

function paneLines({ title, lines, shows }: LivePane, room: number): readonly Line[] {
  if (room < 3) return [];
  const fitting = shows === 'first' ? lines.slice(0, room - 2) : lines.slice(-(room - 2));
  return [line(''), line(title, 'bold'), ...fitting.map((text) => line(text, 'dim'))];
}

function keyLines({ takeDown, hasKeys, pane }: LiveView, columns: number): readonly Line[] {
  if (!hasKeys) return [line(''), line(`Ctrl-C or ${takeDown} takes it down`, 'dim')];
  const words = [
    'q take down',
    'd detach',
    pane === null ? 'l logs' : 'l next log',
    'e explain',
    ...(pane ? ['Esc close'] : []),
  ];
  const whole = words.join('  ');
  // A narrow terminal shows the keys alone.
  return [line(''), line(whole.length <= columns ? whole : words.map((word) => word.split(' ')[0]).join(' '), 'dim')];
}

function clockText({ clock }: LiveView): string {
  const time = isoTime(Math.floor(clock.at / 1000))
    .slice(0, 19)
    .replace('T', ' ');
  if (clock.rate === 1) return time;
  return `${time}  ${clock.rate === 0 ? 'stands' : `${clock.rate} times as fast`}`;
}

function toneOf(phase: string): Tone {
  if (phase === 'ready') return 'plain';
  return ['starting', 'waiting', 'preparing', 'stopped', 'manual'].includes(phase) ? 'dim' : 'bad';
}

function number(value: number | null): string {
  return value === null ? '-' : digitGroups(value);
}

/** Leaves letters that take one column each: a log or a name of a user's may hold anything. */
function printableText(text: string): string {
  return text.slice(0, 1000).replace(/[^\x20-\x7e]/g, '?');
}

function cut(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, columns - 1)}>`;
}
