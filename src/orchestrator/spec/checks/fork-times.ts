import { type ForkName, type ForkSchedule, scheduleOf } from '../../../protocol/forks/index.ts';
import { BASES } from '../schema/fork-names.ts';
import { scheduleOfNode } from '../schema/forks.ts';
import type { Path } from '../schema/json.ts';
import type { ChainSpec } from '../schema/types.ts';
import { type Check, type CheckContext, chainsOf, forkChainsOf } from './check.ts';

/** Two forks of a schedule that activate at one time. */
interface SharedTime {
  readonly fork: ForkName;
  readonly before: ForkName;
}

/** No client is given two forks at one time after genesis, if it refuses that (op-node: `Config.Check`). */
export const forkTimes: Check = (context) => {
  for (const { name, chain, forks, genesisTime, place } of scheduled(context)) {
    const clock = context.clock(chain);
    for (const [node, { el, cl, override }] of Object.entries(chain.nodes)) {
      const schedule = scheduleOfNode(forks, override, clock);
      for (const { client } of [el, cl]) {
        const from = context.clients.get(client)?.distinctTimesFrom ?? null;
        const shared = sharedTime(schedule, from, genesisTime);
        if (shared === undefined) continue;
        const { fork, before } = shared;
        const key = [fork, before].find((each) => override[each] !== undefined);
        const path = key === undefined ? place(fork) : [...context.nodePath(name, node), 'override', key];
        const message = `${client} of ${name}/${node} refuses ${fork} at the same time as ${before}`;
        context.report(path, 'fork-client', message, {
          allowed: `a later time than that of ${before}, or genesis for both`,
        });
      }
    }
  }
};

interface Scheduled {
  readonly name: string;
  readonly chain: ChainSpec;
  readonly forks: ForkSchedule;
  /** Unix seconds. */
  readonly genesisTime: number;
  /** Returns where a fork's time is said. */
  readonly place: (fork: ForkName) => Path;
}

/** Returns the chains whose fork times are known: from the spec, or from an existing chain's rollup configuration. */
function scheduled(context: CheckContext): readonly Scheduled[] {
  const chains = forkChainsOf(context).map(([name, chain]) => ({
    name,
    chain,
    forks: context.schedule(chain),
    genesisTime: context.clock(chain).genesisTime,
    place: (fork: ForkName) => ['chains', name, 'forks', fork],
  }));
  const existing = chainsOf(context).flatMap(([name, chain]) => {
    const config = chain.from === null ? undefined : context.files.rollupConfigs[chain.from.rollup];
    if (config === undefined) return [];
    const place = () => ['chains', name, 'from', 'rollup'];
    return [{ name, chain, forks: scheduleOf(config), genesisTime: config.genesis.l2_time, place }];
  });
  return [...chains, ...existing];
}

/** Returns the first fork from `from` on that activates after genesis together with the fork before it. */
function sharedTime(schedule: ForkSchedule, from: string | null, genesisTime: number): SharedTime | undefined {
  const names: readonly (string | null)[] = BASES;
  const first = names.indexOf(from);
  if (first < 1) return undefined;
  return BASES.slice(first)
    .map((fork, index) => ({ fork, before: BASES[first + index - 1] ?? fork }))
    .find(({ fork, before }) => (schedule[fork] ?? 0) > genesisTime && schedule[fork] === schedule[before]);
}
