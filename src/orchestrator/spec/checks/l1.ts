import { L1_LATER_FORKS } from '../../../protocol/genesis/inputs.ts';
import type { Path } from '../schema/json.ts';
import { l1BasedOn } from '../schema/l1-forks.ts';
import { forkSeconds } from '../schema/values.ts';
import type { Check, CheckContext } from './check.ts';

/** L1 and its beacon node know the Ethereum fork, and agree on which of them makes the blocks. */
export const l1: Check = (context) => {
  const { client, hardfork, beacon } = context.spec.l1;
  checkForks(context);
  checkBlobSchedule(context);
  const parts = [
    { path: ['l1', 'client'], name: client },
    { path: ['l1', 'beacon'], name: beacon.client },
  ] as const;
  for (const { path, name } of parts) {
    const hardforks = context.clients.get(name)?.hardforks;
    if (hardforks == null || hardforks.includes(hardfork)) continue;
    context.report([['l1', 'hardfork'], path], 'client', `${name} cannot run an L1 of ${hardfork}`, {
      allowed: `hardfork: ${hardforks.join(', ')}`,
      premises: SCHEDULE,
    });
  }
  const chain = context.clients.get(client);
  const driver = context.clients.get(beacon.client);
  if (chain?.kind !== 'l1' || driver?.kind !== 'beacon') return;
  const hasEngine = chain.portNames.includes('engine');
  // l1-beacon takes the payload at once, which other clients would answer without the transactions of the pool.
  const drives = driver.drivesEngine && (!driver.drivesAnvil || chain.runtimes.includes('embedded'));
  if (hasEngine ? drives : driver.drivesAnvil || !driver.drivesEngine) return;
  const message = hasEngine
    ? `${client} makes blocks by its Engine API only, which ${beacon.client} does not call`
    : `${beacon.client} makes blocks by the Engine API, which ${client} does not have`;
  context.report(
    [
      ['l1', 'beacon'],
      ['l1', 'client'],
    ],
    'client',
    message,
    {
      allowed: hasEngine ? 'lodestar, or a template of yours that refers to ${l1.engine}' : 'l1-beacon',
    },
  );
};

/** Forks of L1 follow one another after genesis, on clients that can activate them. */
function checkForks(context: CheckContext): void {
  const { client, hardfork, forks, beacon } = context.spec.l1;
  const { base, ...times } = forks;
  if (base !== undefined && base !== hardfork)
    context.report(['l1', 'forks', 'base'], 'fork-order', `l1.hardfork is ${hardfork}, and forks.base is ${base}`, {
      allowed: 'one of the two keys',
    });
  const [first] = Object.keys(times);
  if (first === undefined) return;
  const place = (fork: string) => ['l1', 'forks', fork];
  for (const name of [client, beacon.client])
    if (context.clients.get(name)?.l1Forks === false)
      context.report(place(first), 'fork-client', `${name} activates no fork of L1 after genesis`, {
        allowed: `${WITH_FORKS}, or \`hardfork\``,
      });
  const clock = context.l1Clock;
  let before = { name: String(hardfork), time: clock.genesisTime };
  for (const fork of L1_LATER_FORKS) {
    const time = times[fork];
    if (time === undefined) continue;
    if (l1BasedOn(hardfork).includes(fork)) {
      context.report(
        place(fork),
        'fork-order',
        `${fork} is active at genesis already, because the base is ${hardfork}`,
        {
          allowed: `a base before ${fork}`,
          premises: SCHEDULE,
        },
      );
      continue;
    }
    const seconds = forkSeconds(time, clock);
    if (seconds === undefined) continue;
    const earlier = ORDER[ORDER.indexOf(fork) - 1];
    if (seconds <= clock.genesisTime)
      context.report(place(fork), 'fork-order', `${fork} of L1 would activate at or before genesis`, {
        allowed: `a time after genesis, or a base of ${fork}`,
      });
    else if (earlier !== before.name)
      context.report(place(fork), 'fork-order', `${fork} activates, but ${earlier}, which comes before it, does not`, {
        allowed: `a time for ${earlier} too`,
        premises: SCHEDULE,
      });
    else if (seconds < before.time)
      context.report(place(fork), 'fork-order', `${fork} activates ${before.time - seconds} s before ${before.name}`, {
        allowed: `a time at or after that of ${before.name}`,
      });
    else checkEpoch(context, fork, seconds);
    before = { name: fork, time: seconds };
  }
}

/** A fork of L1 begins with an epoch, if its beacon node has epochs. */
function checkEpoch({ spec, clients, l1Clock, report }: CheckContext, fork: string, seconds: number): void {
  const { beacon, blockTime } = spec.l1;
  const slots = clients.get(beacon.client)?.slotsPerEpoch;
  if (slots == null) return;
  const epoch = slots * blockTime;
  const after = seconds - l1Clock.genesisTime;
  if (after % epoch === 0) return;
  const [earlier, later] = [Math.floor(after / epoch) * slots, Math.ceil(after / epoch) * slots];
  const blocks = [earlier, later].filter((block) => block > 0).map((block) => `{ block: ${block} }`);
  const message = `${fork} activates ${after} s after genesis, within an epoch of ${beacon.client}`;
  const length = `${slots} blocks of ${blockTime} s`;
  report(['l1', 'forks', fork], 'fork-client', message, {
    allowed: `the first block of an epoch, which has ${length}: ${blocks.join(' or ')}`,
  });
}

/** Blob counts are of forks that L1 has, and leave space for the target, on clients that read them. */
function checkBlobSchedule(context: CheckContext): void {
  const { client, hardfork, forks, beacon, blobSchedule } = context.spec.l1;
  for (const [fork, counts] of Object.entries(blobSchedule)) {
    const place = ['l1', 'blobSchedule', fork];
    const { target, max } = counts;
    if (max < target)
      context.report(place, 'value', `${fork} has a max of ${max} blobs, below its target of ${target}`, {
        allowed: `a max from ${target} on`,
      });
    const isActive = l1BasedOn(hardfork).includes(fork) || Object.hasOwn(forks, fork);
    if (!isActive)
      context.report(place, 'fork-order', `${fork} has blob counts, but L1 never activates it`, {
        allowed: `a time for it: l1.forks.${fork}`,
        premises: SCHEDULE,
      });
    const without = [client, beacon.client].find((name) => context.clients.get(name)?.l1Forks === false);
    if (without !== undefined)
      context.report(place, 'fork-client', `${without} has the blob counts of mainnet alone`, {
        allowed: WITH_FORKS,
      });
  }
}

/** Keys that say when forks of L1 activate. */
const SCHEDULE: readonly Path[] = [
  ['l1', 'hardfork'],
  ['l1', 'forks'],
];
const WITH_FORKS = 'client: execution-go or execution-rust with l1-beacon, or client: geth with lodestar';

const ORDER: readonly string[] = ['cancun', ...L1_LATER_FORKS];
