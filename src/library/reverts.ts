import type { Layer } from '../orchestrator/inspect/layer.ts';
import type { Plan } from '../orchestrator/plan/plan.ts';
import { quantity } from '../protocol/hex.ts';

/** Number of the newest block of L1 and of each sequencer, by place. */
export type Heights = ReadonlyMap<string, number>;

/** Number of reverted transactions that are decoded. */
const MAX_DECODED_REVERTS = 20;

/** Reads the heights of L1 and of each sequencer. A place that does not answer is left out. */
export async function heightsOf(plan: Plan): Promise<Heights> {
  const { ask, layersOf } = await import('../orchestrator/inspect/layer.ts');
  const heights = await Promise.all(
    layersOf(plan, {}).map(async (layer) => {
      const height = await ask<string>(layer, 'eth_blockNumber').catch(() => undefined);
      return height === undefined ? [] : [[layer.label, Number(height)] as const];
    }),
  );
  return new Map(heights.flat());
}

/** Describes each transaction that reverted in a block above these heights, as `devnet tx --trace` prints it. */
export async function revertsSince(plan: Plan, since: Heights): Promise<readonly string[]> {
  const { layersOf } = await import('../orchestrator/inspect/layer.ts');
  const reverts = (
    await Promise.all(layersOf(plan, {}).map((layer) => revertedAt(layer, since.get(layer.label))))
  ).flat();
  const [{ inspectorOf }, { readTransaction }, { transactionLines }] = await Promise.all([
    import('../orchestrator/inspect/inspector.ts'),
    import('../orchestrator/inspect/transaction.ts'),
    import('../orchestrator/inspect/text.ts'),
  ]);
  const inspector = inspectorOf(plan);
  const lines: string[] = [];
  for (const { layer, hash } of reverts.slice(0, MAX_DECODED_REVERTS)) {
    const view = await readTransaction(inspector, layer, hash, true);
    if (view !== undefined) lines.push(...transactionLines(view));
  }
  return reverts.length > MAX_DECODED_REVERTS
    ? [...lines, `… ${reverts.length - MAX_DECODED_REVERTS} more reverted transactions`]
    : lines;
}

/** Lists the hashes of the transactions of a layer that reverted above a height. */
async function revertedAt(layer: Layer, height: number | undefined) {
  if (height === undefined) return [];
  const { ask } = await import('../orchestrator/inspect/layer.ts');
  const head = Number(await ask<string>(layer, 'eth_blockNumber').catch(() => height));
  const reverts: { readonly layer: Layer; readonly hash: string }[] = [];
  for (let block = height + 1; block <= head; block += 1) {
    const receipts = await ask<readonly Readonly<Record<string, unknown>>[] | null>(
      layer,
      'eth_getBlockReceipts',
      quantity(block),
    );
    for (const { status, transactionHash } of receipts ?? [])
      if (Number(status) === 0) reverts.push({ layer, hash: String(transactionHash) });
  }
  return reverts;
}
