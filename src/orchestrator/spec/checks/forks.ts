import { FORKS, type ForkName, type ForkSchedule, orderProblems, rulesAt } from '../../../protocol/forks/index.ts';
import { basedOn, forksWithBundle, scheduleOfNode } from '../schema/forks.ts';
import type { Path } from '../schema/json.ts';
import type { ChainSpec } from '../schema/types.ts';
import { FORK_TIME, forkSeconds } from '../schema/values.ts';
import { type Check, forkChainsOf } from './check.ts';

/** Forks follow one another, and none contradicts the base. */
export const forkOrder: Check = (context) => {
  for (const [name, chain] of forkChainsOf(context)) {
    const path = ['chains', name, 'forks'];
    const covered = new Set<string>();
    for (const fork of basedOn(chain.forks.base)) {
      const time = chain.forks.times[fork];
      if (time === undefined || time.kind === 'genesis') continue;
      covered.add(fork);
      const message = `${fork} is active at genesis already, because the base is ${chain.forks.base}`;
      context.report([...path, fork], 'fork-order', message, { allowed: `genesis, or a base before ${fork}` });
    }
    const schedule = context.schedule(chain);
    for (const { fork, before } of orderProblems(schedule)) {
      if (covered.has(fork) || covered.has(before)) continue;
      context.report([...path, fork], 'fork-order', orderText(fork, before, schedule), {
        allowed: `a time at or after that of ${before}`,
      });
    }
  }
};

/** A node's own times keep the order, and move nothing over genesis. */
export const overrides: Check = (context) => {
  for (const [name, chain] of forkChainsOf(context)) {
    const clock = context.clock(chain);
    const schedule = context.schedule(chain);
    const atGenesis = (time: number | undefined) => time !== undefined && time <= clock.genesisTime;
    for (const [node, { override, el, cl }] of Object.entries(chain.nodes)) {
      const path = [...context.nodePath(name, node), 'override'];
      const moved = new Set<string>();
      for (const [fork, time] of Object.entries(override)) {
        const seconds = forkSeconds(time, clock);
        if (atGenesis(seconds) === atGenesis(schedule[fork as ForkName])) continue;
        moved.add(fork);
        const message = atGenesis(seconds)
          ? `${fork} cannot be active at genesis on one node only: the genesis blocks would differ`
          : `${fork} is active at genesis on the whole chain; one node cannot go without it`;
        context.report([...path, fork], 'override', message, { allowed: FORK_TIME });
      }
      const nodeSchedule = scheduleOfNode(schedule, override, clock);
      const ofChain = orderProblems(schedule).map(({ fork }) => fork);
      for (const { fork, before } of orderProblems(nodeSchedule)) {
        if (ofChain.includes(fork) || moved.has(fork) || moved.has(before)) continue;
        const at = override[fork] === undefined ? before : fork;
        context.report([...path, at], 'fork-order', `on this node, ${orderText(fork, before, nodeSchedule)}`);
      }
      for (const fork of Object.keys(override)) {
        const facts = [el, cl].map(({ client }) => context.clients.get(client));
        if (facts.some((client) => client?.takesOverride(fork) ?? true)) continue;
        const message = `neither ${el.client} nor ${cl.client} can be given another time for ${fork}`;
        context.report([...path, fork], 'override', message);
      }
    }
  }
};

/** Upgrade transactions of forks in mid-chain are there, and are those that every client will make. */
export const bundles: Check = (context) => {
  for (const [name, chain] of forkChainsOf(context)) {
    for (const { name: fork, label } of forksWithBundle(context.schedule(chain), chain.nodes, context.clock(chain))) {
      const path: readonly [Path, ...Path[]] = [
        ['chains', name, 'forks', fork],
        ...Object.keys(chain.nodes).map((node) => [...context.nodePath(name, node), 'override', fork]),
      ];
      if (chain.bundles[fork] !== undefined) continue;
      const bundle = context.bundles[fork];
      if (bundle === undefined) {
        const message = `${label} activates after genesis, and the package has no upgrade bundle for it`;
        context.report(path, 'fork-bundle', message, {
          allowed: `genesis, never, or a file at chains.${name}.bundles.${fork}`,
        });
        continue;
      }
      const official = clientsOf(chain).filter((client) => context.clients.get(client)?.upgradeBundles === 'builtin');
      if (bundle.origin !== 'own' || official.length === 0) continue;
      const message =
        `${label} activates after genesis with this package's own contracts, but ` +
        `${[...new Set(official)].join(', ')} will make the official ones: their blocks would differ`;
      context.report(path, 'fork-bundle', message, {
        allowed: `genesis, or the official bundle at chains.${name}.bundles.${fork}`,
      });
    }
  }
};

/** No client meets a fork that it does not implement. */
export const clientForks: Check = (context) => {
  for (const [name, chain] of forkChainsOf(context)) {
    const schedule = context.schedule(chain);
    for (const [node, { el, cl }] of Object.entries(chain.nodes)) {
      for (const [part, { client }] of [
        ['el', el],
        ['cl', cl],
      ] as const) {
        const until = context.clients.get(client)?.until ?? null;
        if (until === null) continue;
        const last = FORKS.findIndex((fork) => fork.name === until);
        const beyond = FORKS.find((fork, index) => index > last && !fork.optional && schedule[fork.name] !== undefined);
        if (beyond === undefined) continue;
        const message = `${client} implements forks up to ${until}, and this chain schedules ${beyond.name}`;
        context.report(
          [
            [...context.nodePath(name, node), part, 'client'],
            ['chains', name, 'forks', beyond.name],
          ],
          'fork-client',
          message,
        );
      }
    }
  }
};

/** Blobs are read only if the rules in force at genesis read them. */
export const blobs: Check = (context) => {
  for (const [name, chain] of forkChainsOf(context)) {
    if (chain.batcher?.da !== 'blobs') continue;
    if (rulesAt(context.schedule(chain), context.clock(chain).genesisTime).batches.blobs) continue;
    const first = FORKS.find(({ rules }) => rules.batches?.blobs === true)?.name;
    context.report(['chains', name, 'batcher', 'da'], 'value', `batches in blobs are not read at ${chain.forks.base}`, {
      allowed: `calldata, or a base of ${first} or later`,
    });
  }
};

function clientsOf({ nodes }: ChainSpec): readonly string[] {
  return Object.values(nodes).flatMap(({ el, cl }) => [el.client, cl.client]);
}

function orderText(fork: string, before: string, schedule: ForkSchedule): string {
  const earlier = schedule[before as ForkName];
  if (earlier === undefined) return `${fork} activates, but ${before}, which comes before it, never does`;
  return `${fork} activates ${earlier - (schedule[fork as ForkName] ?? 0)} s before ${before}, which has to come first`;
}
