import { isJsonObject, jsonField } from '../../rpc/json-object.ts';
import type { ChainView, Plan } from '../plan/plan.ts';
import { clientFor } from '../probe/call.ts';
import type { PictureNode } from './picture-type.ts';

const LINK_TIMEOUT_MS = 3000;

/** Connections between rollup nodes, by `<chain>/<node>` that reports them. */
export type Links = ReadonlyMap<string, PictureNode['peers']>;

/** Reads the connections between the rollup nodes of each chain. A node that does not answer has none. */
export async function linksOf({ network }: Plan): Promise<Links> {
  const chains = await Promise.all(network.chains.map(linksOfChain));
  return new Map(chains.flatMap((links) => [...links]));
}

async function linksOfChain({ name: chain, nodes }: ChainView): Promise<Links> {
  const names = new Map(nodes.map(({ name, cl }) => [cl.peerId, name]));
  return new Map(
    await Promise.all(
      nodes.map(async ({ name, cl }) => {
        const answer = await clientFor(cl.rpc)
          .call('opp2p_peers', [true], { timeoutMs: LINK_TIMEOUT_MS })
          .catch(() => undefined);
        const peers = jsonField(answer, 'peers');
        const connections = Object.entries(isJsonObject(peers) ? peers : {}).flatMap(([id, peer]) => {
          const node = names.get(id);
          const latency = jsonField(peer, 'latency');
          const latencyMs = typeof latency === 'number' && latency > 0 ? latency / 1e6 : null;
          return node === undefined ? [] : [{ node, latencyMs }];
        });
        return [`${chain}/${name}`, connections] as const;
      }),
    ),
  );
}
