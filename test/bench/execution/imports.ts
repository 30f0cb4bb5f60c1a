import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainFile } from './chain-files.ts';
import type { Client, Cost } from './clients.ts';
import { median } from './rounds.ts';

/** Measures the import of each chain file by each client in turn, as a whole process. */
export async function imports(
  folder: string,
  genesis: string,
  files: readonly ChainFile[],
  clients: readonly Client[],
  rounds: number,
): Promise<void> {
  console.log(`\nimport of a chain file, median of ${rounds}: seconds of the whole process (of processors), Mgas/s`);
  for (const { name, file, mgas } of files) {
    const costs = clients.map((): Cost[] => []);
    for (let round = 0; round < rounds; round++)
      for (const [at, client] of clients.entries()) {
        const datadir = join(folder, `import-${client.name}`);
        await client.init(datadir, genesis);
        costs[at]?.push(await client.importFile(datadir, file));
        rmSync(datadir, { recursive: true, force: true });
      }
    const medians = costs.map((each) => median(each.map(({ time }) => time)));
    const cells = clients.map((client, at) => {
      const seconds = medians[at] ?? Number.NaN;
      const processor = median((costs[at] ?? []).map((cost) => cost.processor));
      return `${client.name} ${seconds.toFixed(2)} (${processor.toFixed(2)}) ${(mgas / seconds).toFixed(0)} Mgas/s`;
    });
    console.log(`  ${name.padEnd(32)} ${mgas.toFixed(0).padStart(4)} M  ${cells.join('  ')}${ratio(medians)}`);
  }
}

/** Speed of the first client beside the second, of which there may be none. */
function ratio([ours, theirs]: readonly number[]): string {
  return ours === undefined || theirs === undefined ? '' : `  ${(theirs / ours).toFixed(2)} ×`;
}
