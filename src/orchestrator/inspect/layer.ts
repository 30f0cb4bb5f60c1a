import { quantity } from '../../protocol/hex.ts';
import { isJsonObject, type JsonObject } from '../../rpc/json-object.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import type { ChainView, NodeView, Plan } from '../plan/plan.ts';
import { clientFor } from '../probe/call.ts';
import { type Leaders, leaderIn } from '../status/leaders.ts';

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
 * Lists the layers that a command asks: those of `--chain` and `--node`, else L1 and each leader. Without `leaders` it
 * lists all sequencers of a set.
 * @throws Failure `chain` or `node` (exit 2) with the list of names
 */
export function layersOf(
  plan: Plan,
  place: { readonly chain?: string | undefined; readonly node?: string | undefined },
  leaders?: Leaders,
) {
  const { l1, chains } = plan.network;
  const onL1: Layer = { kind: 'l1', label: L1, url: l1.rpc };
  if (place.chain === L1) return [onL1];
  const names = [L1, ...chains.map(({ name }) => name)];
  if (place.chain !== undefined && !names.includes(place.chain))
    throw new Failure('chain', `${plan.devnet} has no chain ${place.chain}; expected one of ${names.join(', ')}`, {
      exit: EXIT.usage,
    });
  const fits = (chain: ChainView) => (node: NodeView) => {
    if (place.node !== undefined) return node.name === place.node;
    return leaders === undefined ? node.role === 'sequencer' : node === leaderIn(chain, leaders);
  };
  const onL2 = chains
    .filter(({ name }) => place.chain === undefined || name === place.chain)
    .flatMap((chain) =>
      chain.nodes.filter(fits(chain)).map((node): Layer => {
        return { kind: 'l2', label: `${chain.name}/${node.name}`, url: node.el.http, chain, node };
      }),
    );
  if (place.node !== undefined && onL2.length === 0) {
    const nodeNames = [...new Set(chains.flatMap(({ nodes }) => nodes.map(({ name }) => name)))].join(', ');
    throw new Failure('node', `${plan.devnet} has no node ${place.node}; expected one of ${nodeNames}`, {
      exit: EXIT.usage,
    });
  }
  return place.chain === undefined && place.node === undefined ? [...onL2, onL1] : onL2;
}

/** Timeout (ms) of one request for many blocks. */
const BLOCKS_TIMEOUT_MS = 20_000;

/** Blocks of a layer that are searched for what has no index: the newest. */
export const SEARCHED_BLOCKS = 10_000;

/** Reads blocks of these numbers by one request. `isWhole`: with their transactions. An absent one is left out. */
export async function blocksAt(
  { url }: Pick<Layer, 'url'>,
  numbers: readonly number[],
  isWhole: boolean,
): Promise<readonly JsonObject[]> {
  const answers = await clientFor(url).batch(
    numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), isWhole] })),
    { timeoutMs: BLOCKS_TIMEOUT_MS },
  );
  return answers.flatMap((answer) => (answer.ok && isJsonObject(answer.result) ? [answer.result] : []));
}

/** Returns the numbers from one to another, both included. */
export function numbersOf(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

/** Calls a method at a layer. */
export function ask<Result = unknown>(
  { url }: Pick<Layer, 'url'>,
  method: string,
  ...params: unknown[]
): Promise<Result> {
  return clientFor(url).call<Result>(method, params, { timeoutMs: LAYER_TIMEOUT_MS });
}
