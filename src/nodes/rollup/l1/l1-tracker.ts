import type { L1Header } from '../../../protocol/types.ts';
import type { L1Label } from './client.ts';

/** Relation of a new head to the heads before it. */
export type HeadChange = 'first' | 'extends' | 'gap' | 'reorg';

/** Tracks announced L1 heads, so that known blocks are not requested (op-node: `L1Tracker`, `StatusTracker`). */
export interface L1Tracker {
  readonly latest: L1Header | undefined;
  readonly safe: L1Header | undefined;
  readonly finalized: L1Header | undefined;
  note(label: L1Label, header: L1Header): HeadChange;
  /** Returns the announced canonical block of a number (op-node: `l1HeadBuffer.Get`). */
  at(number: number): L1Header | undefined;
  /** Returns a function that restores the present heads. */
  remember(): () => void;
}

/** Creates an empty tracker of the last `size` announced blocks. */
export function l1Tracker(size: number): L1Tracker {
  const canonical = new Map<number, L1Header>();
  const heads: Partial<Record<L1Label, L1Header>> = {};

  function follow(header: L1Header): HeadChange {
    const before = heads.latest;
    if (before === undefined) canonical.set(header.number, header);
    else if (header.parentHash === before.hash) canonical.set(header.number, header);
    else if (header.number > before.number + 1) canonical.clear();
    else if (canonical.get(header.number)?.hash !== header.hash) {
      canonical.clear();
      canonical.set(header.number, header);
      return 'reorg';
    }
    canonical.set(header.number, header);
    canonical.delete(header.number - size);
    return before === undefined ? 'first' : header.parentHash === before.hash ? 'extends' : 'gap';
  }

  return {
    get latest() {
      return heads.latest;
    },
    get safe() {
      return heads.safe;
    },
    get finalized() {
      return heads.finalized;
    },
    note(label, header) {
      const change = label === 'latest' ? follow(header) : 'extends';
      heads[label] = header;
      return change;
    },
    at: (number) => canonical.get(number),
    remember() {
      const before = { canonical: [...canonical], heads: { ...heads } };
      return () => {
        canonical.clear();
        for (const [number, header] of before.canonical) canonical.set(number, header);
        for (const label of ['latest', 'safe', 'finalized'] as const) delete heads[label];
        Object.assign(heads, before.heads);
      };
    },
  };
}
