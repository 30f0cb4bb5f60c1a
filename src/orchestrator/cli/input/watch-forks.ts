import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT } from '../../../system/failure.ts';
import { onInterrupt, onOutputGone } from '../../../system/program/terminal.ts';
import { terminalText } from '../../../system/program/terminal-text.ts';
import { type ForkRows, forkRows } from '../../devnet/fork-rows.ts';
import { type Devnet, devnetAt, isUp, mustBeUp } from '../../devnet/select.ts';
import { rowText, tableText, UNOFFICIAL } from '../../status/fork-text.ts';
import type { ForkRow } from '../../status/forks.ts';
import type { Io } from '../../terminal/io.ts';

/** Where the tables go. */
interface Output {
  show(table: ForkRows): void;
  /** Ends the drawing. */
  done(): void;
}

/** Time (ms) between two reads of the heads. */
const HEADS_POLL_MS = 300;

/**
 * Shows the activation table until no fork is left to come, and returns the exit code.
 * Redraws it on a terminal; elsewhere writes each row that changes.
 */
export async function watchForks(io: Io, devnet: Devnet, json: boolean): Promise<number> {
  mustBeUp(devnet);
  const stop = new AbortController();
  const stopped = new Promise<undefined>((resolve) =>
    stop.signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  );
  let code: number = EXIT.done;
  const undo = [
    onInterrupt((signal) => {
      code = signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
      stop.abort();
    }),
    onOutputGone(() => stop.abort()),
  ];
  const output = json || process.stdout.isTTY !== true || !io.isTty ? lines(io, json) : await drawing();
  try {
    for (let at = devnet; !stop.signal.aborted; at = devnetAt(devnet.paths)) {
      if (!isUp(at)) {
        output.done();
        io.stderr(`${devnet.paths.name} is not running any more\n`);
        return EXIT.failed;
      }
      // A node that does not answer delays the end by an interrupt no longer.
      const table = await Promise.race([forkRows(at), stopped]);
      if (table === undefined) break;
      output.show(table);
      if (!table.rows.some(isToCome)) {
        output.done();
        io.stderr('no fork is left to come\n');
        break;
      }
      await sleep(HEADS_POLL_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    return code;
  } finally {
    output.done();
    for (const each of undo) each();
  }
}

/** Whether a node still has to activate the fork. */
function isToCome({ nodes }: ForkRow): boolean {
  return Object.values(nodes).some((state) => state === 'pending' || state === 'unknown');
}

/** Writes the rows of forks that are to come, and later each row that changes. */
function lines(io: Io, json: boolean): Output {
  const lastRows = new Map<string, ForkRow>();
  return {
    show({ rows, now }) {
      const isFirst = lastRows.size === 0;
      for (const each of rows) {
        const key = `${each.chain} ${each.fork}`;
        const before = lastRows.get(key);
        const row = { ...each, nodes: withKnown(each.nodes, before?.nodes) };
        lastRows.set(key, row);
        if (before === undefined ? isFirst && !isToCome(row) : factsOf(before) === factsOf(row)) continue;
        io.stdout(`${json ? JSON.stringify(row) : rowText(row, now)}\n`);
      }
    },
    done: () => undefined,
  };
}

/** Keeps the last known state of nodes that do not answer, as while they restart. */
function withKnown(nodes: ForkRow['nodes'], before: ForkRow['nodes'] = {}): ForkRow['nodes'] {
  const entries = Object.entries(nodes).map(([node, state]) => {
    return [node, state === 'unknown' ? (before[node] ?? state) : state] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns all of a row but the time that is left. */
function factsOf({ secondsToGo: _, ...facts }: ForkRow): string {
  return JSON.stringify(facts);
}

/** Redraws the whole table in place. */
async function drawing(): Promise<Output> {
  const { createLogUpdate } = await import('log-update');
  const draw = createLogUpdate(process.stdout);
  return {
    show({ rows, now }) {
      const note = rows.some(({ bundle }) => bundle === 'unofficial') ? `\n${UNOFFICIAL}` : '';
      draw(terminalText(`${tableText(rows, now)}${note}`));
    },
    done: () => draw.done(),
  };
}
