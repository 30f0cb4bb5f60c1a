import { digitGroups, roundedEther, spanText } from '../../../system/numbers/human.ts';
import { COMING_PHASES } from '../../state/coming-phases.ts';
import { isoTime } from '../../status/forks.ts';
import type { LiveChain, LiveNode, LivePoster, LiveView } from './view.ts';
import { windowStart, wrapText } from './window.ts';

/** How a line is drawn. */
export type Tone = 'plain' | 'bold' | 'dim' | 'good' | 'bad';

export interface Line {
  readonly text: string;
  readonly tone: Tone;
}

/** Fewest columns and rows that are drawn. */
const MIN_COLUMNS = 10;
const MIN_ROWS = 3;
/** Rows of a pane below which the table gives way to it. */
const MIN_PANE_ROWS = 10;
/** Letters of a line of a log, and rows of a complaint, that are drawn. */
const MAX_LINE_CHARS = 4000;
const MAX_COMPLAINT_ROWS = 6;

const line = (text: string, tone: Tone = 'plain'): Line => ({ text, tone });

/**
 * Formats the live view of a network as at most `height` lines of at most `width` columns.
 * A smaller terminal than 3 lines of 10 columns has that much.
 */
export function viewLines(view: LiveView, width: number, height: number): readonly Line[] {
  const columns = Math.max(MIN_COLUMNS, width);
  const first = line(`${view.name}  ${view.phase}  up ${spanText(view.upMs / 1000)}`, toneOf(view.phase));
  const table = [
    line(`L1 block ${number(view.l1.head)}  ${view.l1.rpc}  ${clockText(view)}`),
    ...view.chains.flatMap((chain) => chainLines(chain, columns)),
    agreementLine(view),
    ...complaintLines(view, columns),
  ];
  const keys = keyLines(view, columns);
  // The first line and the keys stay if the terminal is low.
  const room = Math.max(MIN_ROWS, height) - keys.length - 1;
  const lines = [
    first,
    ...(view.pane === null ? tableRows(table, view, room) : splitRows(table, view, room, columns)),
    ...keys,
  ];
  return lines.map(({ text, tone }) => ({ text: cut(printableText(text), columns), tone }));
}

/** Returns the rows of the table that fit, from where it is scrolled to. */
function tableRows(table: readonly Line[], { scroll }: LiveView, room: number): readonly Line[] {
  const start = windowStart(table.length, room, { shows: 'first', scroll });
  return table.slice(start, start + Math.max(0, room));
}

/** Returns the table with the pane below it. A table that leaves it too few rows gives way, but for one line. */
function splitRows(table: readonly Line[], view: LiveView, room: number, columns: number): readonly Line[] {
  const isLow = room - table.length < MIN_PANE_ROWS;
  const above = isLow ? [agreementLine(view)].slice(0, Math.max(0, room)) : table;
  return [...above, ...paneLines(view, room - above.length, columns)];
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
  const names = chain.nodes.map(({ name, leads }) => (leads ? `${name} *` : name));
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

function posterLine(poster: LivePoster): Line {
  const { name, phase, posts, cost } = poster;
  const posting = posts === 0 ? '' : `, ${posts} for ${roundedEther(cost)}`;
  return line(`${name}  ${phase === 'ready' ? '' : `${phase}  `}${lastPostText(poster)}${posting}`, toneOf(phase));
}

function lastPostText({ nonce, lastPostMs }: LivePoster): string {
  if (nonce === null) return 'L1 does not answer';
  if (lastPostMs !== null) return `last post ${spanText(lastPostMs / 1000)} ago`;
  return nonce === 0 ? 'no post yet' : `${digitGroups(nonce)} posts before this view`;
}

function agreementLine({ diverged, hasKeys }: LiveView): Line {
  if (diverged.length === 0) return line('all nodes agree', 'good');
  return line(`DIVERGED: ${diverged.join(', ')}${hasKeys ? '  (e explains)' : ''}`, 'bad');
}

function complaintLines({ complaint }: LiveView, columns: number): readonly Line[] {
  if (complaint === null) return [];
  const text = printableText(`${spanText(complaint.ageMs / 1000)} ago: ${complaint.text}`);
  const rows = wrapText(text, columns);
  // What does not fit is in `devnet status`.
  const end = rows.length > MAX_COMPLAINT_ROWS ? ['...'] : [];
  return [...rows.slice(0, MAX_COMPLAINT_ROWS), ...end].map((row) => line(row, complaint.isBad ? 'bad' : 'plain'));
}

function paneLines({ pane, scroll }: LiveView, room: number, columns: number): readonly Line[] {
  if (pane === null || room < 3) return [];
  const rows = pane.lines.flatMap((text) => wrapText(printableText(text), columns));
  const start = windowStart(rows.length, room - 2, { shows: pane.shows, scroll });
  const part = rows.slice(start, start + room - 2);
  const where = part.length === rows.length ? '' : `  ${start + 1}-${start + part.length} of ${rows.length}`;
  return [line(''), line(`${pane.title}${where}`, 'bold'), ...part.map((text) => line(text, 'dim'))];
}

function keyLines({ takeDown, hasKeys, pane }: LiveView, columns: number): readonly Line[] {
  if (!hasKeys) return [line(''), line(`Ctrl-C or ${takeDown} takes it down`, 'dim')];
  const words = [
    'q take down',
    'd detach',
    pane === null ? 'l logs' : 'l next log',
    'e explain',
    'jk scroll',
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
  return phase === 'stopped' || COMING_PHASES.has(phase) ? 'dim' : 'bad';
}

function number(value: number | null): string {
  return value === null ? '-' : digitGroups(value);
}

/** Leaves letters that take one column each: a log or a name of a user's may hold anything. */
function printableText(text: string): string {
  return text
    .slice(0, MAX_LINE_CHARS)
    .replaceAll('…', '...')
    .replace(/[^\x20-\x7e]/g, '?');
}

function cut(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, columns - 1)}>`;
}
