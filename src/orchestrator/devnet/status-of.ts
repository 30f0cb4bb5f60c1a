import { servedDashboards } from '../folder/served-dashboards.ts';
import { readHeads } from '../status/heads.ts';
import { readLeaders } from '../status/leaders.ts';
import { type Status, statusDocument } from '../status/status.ts';
import { freshState } from './fresh-state.ts';
import { type Devnet, isUp, viewOf } from './select.ts';

/** Asks the supervisor for the status of a devnet, else reads its files. @throws Failure if there is no state */
export async function statusOf(devnet: Devnet): Promise<Status> {
  const { plan } = viewOf(devnet);
  const state = await freshState(devnet);
  const [heads, leaders] = isUp(devnet)
    ? await Promise.all([readHeads(plan), readLeaders(plan)])
    : [new Map(), new Map()];
  return statusDocument(plan, state, isUp(devnet), heads, servedDashboards(devnet.paths), leaders);
}
