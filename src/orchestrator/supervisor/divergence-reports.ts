import { join } from 'node:path';
import { messageOf } from '../../system/failure.ts';
import { makeFolders, replaceFile } from '../../system/files/folder.ts';
import type { Divergence } from '../divergence/compare.ts';
import type { Plan } from '../plan/plan.ts';
import type { NetworkEvent } from '../state/network-event-type.ts';
import type { DivergenceReport } from '../state/state.ts';

interface Parts {
  /** Folder of the devnet. */
  readonly folder: string;
  readonly plan: () => Plan;
  readonly emit: (event: NetworkEvent) => void;
  readonly keep: (report: DivergenceReport) => void;
  /** Returns when (Unix ms) these nodes of a chain agreed with the others again; undefined while they diverge. */
  readonly agreedAt: (chain: string, nodes: readonly string[]) => number | undefined;
  readonly notice: (text: string) => void;
  /** Aborted when the network ends. Nothing is written in its folder after that. */
  readonly signal: AbortSignal;
}

/** Lines of a report that `status` and `watch` show. */
const MAX_REPORT_LINES = 6;

/**
 * Returns the function that explains a divergence and stores the report in the devnet's folder. One runs at a time.
 * It resolves when the report is stored, or cannot be.
 */
export function divergenceReports(parts: Parts): (divergence: Divergence, against: string) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (divergence, against) => {
    last = last
      .then(() => write(parts, divergence, against))
      .catch((error: unknown) => {
        const { chain, block } = divergence;
        parts.notice(`the divergence at block ${block} of ${chain} could not be explained: ${messageOf(error)}`);
      });
    return last;
  };
}

async function write(
  { folder, plan, emit, keep, agreedAt, signal }: Parts,
  divergence: Divergence,
  against: string,
): Promise<void> {
  // It takes the rollup's rules, which a start does not load.
  const [{ explain }, { reportLines }] = await Promise.all([
    import('../divergence/explain/explain.ts'),
    import('../divergence/explain/report.ts'),
  ]);
  const explanation = await explain(plan(), divergence, against);
  // A folder that is removed would be made again.
  if (signal.aborted) return;
  const lines = reportLines(explanation);
  const { chain, block, nodes } = divergence;
  const base = join(folder, 'divergences', `${chain}-${block}-${nodes[0]}`);
  makeFolders(join(folder, 'divergences'));
  replaceFile(`${base}.json`, `${JSON.stringify(explanation, null, 2)}\n`);
  replaceFile(`${base}.txt`, `${lines.join('\n')}\n`);
  const at = Date.now();
  const report = { at, chain, block, nodes: [...nodes], path: `${base}.txt`, lines: lines.slice(0, MAX_REPORT_LINES) };
  const over = agreedAt(chain, nodes);
  keep(over === undefined ? report : { ...report, over });
  emit({ kind: 'explanation', ...report });
}
