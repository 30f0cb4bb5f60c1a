import { FORKS, type ForkName, type ForkSchedule } from '../../../protocol/forks/index.ts';
import { scheduleOfNode } from '../forks.ts';
import type { Path } from '../json.ts';
import { type Check, forkChainsOf } from './check.ts';

/** Two forks of a schedule that activate at one time. */
interface SharedTime {
  readonly fork: ForkName;
  readonly before: ForkName;
}

/** No client is given two forks at one time after genesis, if it refuses that (op-node: `Config.Check`). */
export const forkTimes: Check = (context) => {
  for (const [name, chain] of forkChainsOf(context)) {
    const clock = context.clock(chain);
    for (const [node, { el, cl, override }] of Object.entries(chain.nodes)) {
      const schedule = scheduleOfNode(context.schedule(chain), override, clock);
      for (const { client } of [el, cl]) {
        const from = context.clients.get(client)?.distinctTimesFrom ?? null;
        const shared = sharedTime(schedule, from, clock.genesisTime);
        if (shared === undefined) continue;
        const { fork, before } = shared;
        const own = [fork, before].find((each) => override[each] !== undefined);
        const path: Path =
          own === undefined ? ['chains', name, 'forks', fork] : [...context.nodePath(name, node), 'override', own];
        const message = `${client} of ${node} refuses ${fork} at the same time as ${before}`;
        context.report(path, 'fork-client', message, {
          allowed: `a later time than that of ${before}, or genesis for both`,
        });
      }
    }
  }
};

/** Returns the first fork from `from` on that activates after genesis together with the fork before it. */
function sharedTime(schedule: ForkSchedule, from: string | null, genesisTime: number): SharedTime | undefined {
  const ordered = FORKS.filter(({ optional }) => !optional);
  const first = ordered.findIndex(({ name }) => name === from);
  if (first < 1) return undefined;
  for (const [at, { name: fork }] of ordered.entries()) {
    const before = ordered[at - 1]?.name;
    const time = schedule[fork];
    if (at < first || before === undefined || time === undefined || time <= genesisTime) continue;
    if (schedule[before] === time) return { fork, before };
  }
  return undefined;
}
