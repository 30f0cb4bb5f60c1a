import { EXIT, Failure } from '../../system/failure.ts';
import type { ChainView, NodeView, Plan } from '../plan/plan.ts';
import { clientFor } from '../probe/call.ts';

/** The name that stands for L1 in place of a chain's. */
export const L1 = 'l1';

/** Timeout (ms) of a request. */
const LAYER_TIMEOUT_MS = 15_000;

/** A chain as one node has it: L1, or a rollup at one of its execution clients. */
export type Layer =
  | { readonly kind: 'l1'; readonly label: string; readonly url: string }
  | {
      readonly kind: 'l2';
      readonly label: string;
      readonly url: string;
      readonly chain: ChainView;
      readonly node: NodeView;
    };

/**
 * Lists the layers that a command asks: those of `--chain` and `--node`, else L1 and every sequencer.
 * @throws Failure `chain` or `node` (exit 2) with the list of names
 */
export function layersOf(
  plan: Plan,
  wanted: { readonly chain?: string | undefined; readonly node?: string | undefined },
) {
  const { l1, chains } = plan.network;
  const onL1: Layer = { kind: 'l1', label: L1, url: l1.direct.rpc };
  if (wanted.chain === L1) return [onL1];
  const names = [L1, ...chains.map(({ name }) => name)];
  if (wanted.chain !== undefined && !names.includes(wanted.chain))
    throw new Failure('chain', `${plan.devnet} has no chain ${wanted.chain}; expected one of ${names.join(', ')}`, {
      exit: EXIT.usage,
    });
  const fits = (node: NodeView) => (wanted.node === undefined ? node.role === 'sequencer' : node.name === wanted.node);
  const onL2 = chains
    .filter(({ name }) => wanted.chain === undefined || name === wanted.chain)
    .flatMap((chain) =>
      chain.nodes.filter(fits).map((node): Layer => {
        return { kind: 'l2', label: `${chain.name}/${node.name}`, url: node.el.http, chain, node };
      }),
    );
  if (wanted.node !== undefined && onL2.length === 0) {
    const known = [...new Set(chains.flatMap(({ nodes }) => nodes.map(({ name }) => name)))].join(', ');
    throw new Failure('node', `${plan.devnet} has no node ${wanted.node}; expected one of ${known}`, {
      exit: EXIT.usage,
    });
  }
  return wanted.chain === undefined && wanted.node === undefined ? [...onL2, onL1] : onL2;
}

/** Calls a method at a layer. */
export function ask<Result = unknown>(
  { url }: Pick<Layer, 'url'>,
  method: string,
  ...params: unknown[]
): Promise<Result> {
  return clientFor(url).call<Result>(method, params, { timeoutMs: LAYER_TIMEOUT_MS });
}
