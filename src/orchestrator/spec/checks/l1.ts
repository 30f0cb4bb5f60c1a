import type { Check } from './check.ts';

/** L1 and its beacon node know the Ethereum fork, and agree on which of them makes the blocks. */
export const l1: Check = (context) => {
  const { client, hardfork, beacon } = context.spec.l1;
  const parts = [
    { path: ['l1', 'client'], name: client },
    { path: ['l1', 'beacon'], name: beacon.client },
  ] as const;
  for (const { path, name } of parts) {
    const hardforks = context.clients.get(name)?.hardforks;
    if (hardforks == null || hardforks.includes(hardfork)) continue;
    context.report([['l1', 'hardfork'], path], 'client', `${name} cannot run an L1 of ${hardfork}`, {
      allowed: `hardfork: ${hardforks.join(', ')}`,
    });
  }
  const chain = context.clients.get(client);
  const driver = context.clients.get(beacon.client);
  if (chain?.kind !== 'l1' || driver?.kind !== 'beacon') return;
  const hasEngine = chain.portNames.includes('engine');
  if (hasEngine === driver.drivesEngine) return;
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
