import type { Picture } from '../../src/orchestrator/dashboard/picture-type.ts';

/** A picture of a network of one chain that is ready, with other values of some keys. */
export function pictureWith(values: Partial<Picture> = {}): Picture {
  return {
    ...{
      name: 'one',
      id: 'a',
      phase: 'ready',
      isUp: true,
      at: 0,
      startedAt: 0,
      genesisTime: 0,
      clock: { at: 0, rate: 1 },
    },
    ...{ problems: [], faults: [], divergences: [], reports: [], processes: [] },
    l1: { rpc: '', chainId: 1, head: null },
    chains: [{ name: 'main', chainId: 901, nodes: [], forks: [], posters: [] }],
    ...values,
  };
}

/** A process of a picture. */
export function processOf(task: string): Picture['processes'][number] {
  return {
    ...{ task, client: '', phase: 'ready', pid: null, restarts: 0 },
    ...{ cpu: null, residentBytes: null, threads: null, openFiles: null },
  };
}

/** A divergence of a node at block 60 of a chain. */
export function divergenceOf(chain: string, node: string): Picture['divergences'][number] {
  const differs = { how: 'hash' as const, fields: ['gasUsed', 'stateRoot'], reason: 'gasUsed is 0x1 there' };
  return { kind: 'divergence', at: 0, chain, block: 60, nodes: [node], ...differs, since: 0 };
}
