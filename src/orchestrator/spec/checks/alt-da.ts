import { type Check, chainsOf } from './check.ts';

/** The batcher writes to a DA server, all rollup nodes read it, and nothing else says where batches are. */
export const altDas: Check = (context) => {
  for (const [name, { altDa, from, batcher, nodes }] of chainsOf(context)) {
    if (altDa === null) continue;
    const path = ['chains', name, 'altDa'];
    if (from !== null)
      context.report(path, 'value', 'the rollup.json of an existing chain says where its batches are', {
        allowed: 'none with `from`',
      });
    if (batcher?.da === 'blobs')
      context.report([['chains', name, 'batcher', 'da'], path], 'value', 'commitments are posted in calldata', {
        allowed: 'calldata with `altDa`',
      });
    const users = Object.entries(nodes).map(([node, { cl }]) => [[...context.nodePath(name, node), 'cl'], cl] as const);
    const posters = batcher === null ? [] : [[['chains', name, 'batcher'], batcher] as const];
    for (const [at, process] of [...posters, ...users]) {
      const isExternal = 'external' in process && process.external !== undefined;
      if (!isExternal && context.clients.get(process.client)?.takesAltDa !== false) continue;
      context.report(
        [at, path],
        'client',
        `${isExternal ? 'an external rollup node' : process.client} does not use the DA server of the chain`,
        { allowed: 'rollup-node and batcher, or a template of yours that refers to ${altDa.server}' },
      );
    }
  }
};
