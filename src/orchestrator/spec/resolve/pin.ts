import { edit, isMap, type Json, type Path } from '../schema/json.ts';
import { parseForkTime } from '../schema/values.ts';

/** When a network began and when it was planned, Unix seconds. */
export interface Moment {
  readonly genesisTime: number;
  readonly now: number;
}

const TIMES: readonly Path[] = [
  ['chains', '*', 'forks', '*'],
  ['chains', '*', 'nodes', '*', 'override', '*'],
];

/** Prints `spec.yaml` of a devnet's folder, as JSON, which is YAML too. Planning again from it changes nothing. */
export function keptText(document: Json, { genesisTime, now }: Moment): string {
  const pin = (written: Json): Json => {
    const time = parseForkTime(written);
    return time?.kind === 'now' ? Math.floor(now) + time.seconds : written;
  };
  const pinned = TIMES.reduce((value, path) => edit(value, path, pin), document);
  if (!isMap(pinned)) return `${JSON.stringify(pinned, null, 2)}\n`;
  const { time } = pinned;
  const newTime = { ...(isMap(time) ? time : {}), genesis: genesisTime };
  return `${JSON.stringify({ ...pinned, time: newTime }, null, 2)}\n`;
}
