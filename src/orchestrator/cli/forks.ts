import { timeAt } from '../../system/clock-state.ts';
import { EXIT } from '../../system/failure.ts';
import { type ForkRow, forkTable, isoTime, secondsTo } from '../observe/forks.ts';
import { readHeads } from '../observe/heads.ts';
import { closeClients } from '../probe/call.ts';
import type { CommandDefinition } from '../workflow/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, isUp, selectDevnet, viewOf, wantedName } from '../workflow/select.ts';

export const command: CommandDefinition = {
  name: 'forks',
  summary: 'print the activation table: fork, time, block, state on every node',
  arguments: [DEVNET_ARGUMENT],
  options: [{ flags: '--json', description: 'one JSON document' }, ...DEVNET_OPTIONS],
  async run(io, [name], options) {
    const devnet = selectDevnet(io, wantedName(name, options));
    const { plan, state } = viewOf(devnet);
    const heads = isUp(devnet) ? await readHeads(plan).finally(closeClients) : new Map();
    // The clock of a stopped network does not run.
    const now = timeAt(state.clock, isUp(devnet) ? Date.now() : (state.pausedAt ?? Date.now())) / 1000;
    const rows = plan.network.chains.flatMap((chain) =>
      forkTable(chain, { genesisTime: plan.genesisTime, now }, heads),
    );
    io.stdout(options['json'] === true ? `${JSON.stringify(rows, null, 2)}\n` : tableText(rows, now));
    if (options['json'] !== true && rows.some(({ bundle }) => bundle === 'unofficial')) io.stderr(UNOFFICIAL);
    return EXIT.done;
  },
};

const UNOFFICIAL = "unofficial: the fork's upgrade transactions deploy this package's own contracts\n";

function tableText(rows: readonly ForkRow[], now: number): string {
  const cells = rows.map((row) => [
    row.chain,
    row.bundle === 'unofficial' ? `${row.fork} (unofficial)` : row.fork,
    row.block === null ? '' : `block ${row.block}`,
    timeText(row.time, now),
    Object.entries(row.nodes)
      .map(([node, state]) => {
        const own = row.overrides[node];
        return `${node} ${state}${own == null ? '' : ` (${timeText(own, now)})`}`;
      })
      .join(', '),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) => `${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}\n`).join('');
}

function timeText(time: number | null, now: number): string {
  if (time === null) return 'never';
  const left = secondsTo(time, now);
  return `${isoTime(time)}${left === 0 ? '' : ` in ${left} s`}`;
}
