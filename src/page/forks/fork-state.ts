import type { PictureChain } from '../../orchestrator/dashboard/picture-type.ts';
import { secondsTo, timeOn } from '../../orchestrator/status/forks.ts';
import { spanText } from '../../system/numbers/human.ts';
import { clockTime } from '../parts/values.ts';

type Row = PictureChain['forks'][number];

/** How far a fork is on a node: words for the table, a mark for the time line. */
export interface ForkState {
  readonly text: string;
  /** The state alone, with which the text begins. */
  readonly short: string;
  /** good: active. bad: its time is past and not reached, or only this node has it. */
  readonly kind: 'good' | 'bad' | 'dim';
  /** Unix seconds of the activation on this node; null: never. */
  readonly time: number | null;
}

/** Returns the state of a fork on a node. `now`: the network's clock, Unix seconds. */
export function forkState(
  row: Row,
  { name, unsafe }: PictureChain['nodes'][number],
  { now, genesisTime }: { readonly now: number; readonly genesisTime: number },
): ForkState {
  const time = timeOn(row, name);
  const isOwn = row.overrides[name] !== undefined;
  const clock = isOwn && time !== null && time > genesisTime ? ` (${clockTime(time)})` : '';
  const state = row.nodes[name] ?? 'unknown';
  switch (state) {
    case 'active':
      return stated('active', clock, 'good', time);
    case 'never':
      return stated('never', '', isOwn ? 'bad' : 'dim', time);
    case 'unknown':
      return stated('unknown', ': no answer', 'bad', time);
    case 'pending': {
      const seconds = time === null ? 0 : secondsTo(time, now);
      if (seconds > 0) return stated(`in ${spanText(seconds)}`, clock, isOwn ? 'bad' : 'dim', time);
      const at = unsafe === null ? '' : `: stands at block ${unsafe}`;
      return stated('not reached', `${at}${clock}`, 'bad', time);
    }
  }
}

const stated = (short: string, more: string, kind: ForkState['kind'], time: number | null): ForkState => {
  return { text: `${short}${more}`, short, kind, time };
};
