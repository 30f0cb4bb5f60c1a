import { addNode } from '../../orchestrator/change/nodes/add-node.ts';
import { moveSequencer } from '../../orchestrator/change/nodes/move-sequencer.ts';
import { removeNode } from '../../orchestrator/change/nodes/remove-node.ts';
import type { Devnet as Found } from '../../orchestrator/devnet/select.ts';
import type { Io } from '../../orchestrator/terminal/io.ts';
import type { Devnet } from './devnet-types.ts';
import { nodeOf } from './node.ts';

/** Makes the handles of the nodes of a network, and what adds and removes them. */
export function nodesOf(
  io: Io,
  { devnet, running }: { readonly devnet: () => Found; readonly running: () => Found },
  inScope: <T>(work: () => Promise<T>) => Promise<T>,
): Pick<Devnet, 'node' | 'addNode' | 'removeNode' | 'moveSequencer'> {
  return {
    node: (word) => nodeOf(io, devnet, word),
    addNode: (name, options = {}) =>
      inScope(async () => {
        const { node } = await addNode(io, running(), { name, ...options });
        return nodeOf(io, devnet, node);
      }),
    moveSequencer: (node) => inScope(() => moveSequencer(io, running(), node)),
    removeNode: (name) => inScope(async () => void (await removeNode(io, running(), name))),
  };
}
