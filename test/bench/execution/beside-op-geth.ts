import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { l1ChainConfig } from '../../../src/protocol/genesis/l1.ts';
import { type Alloc, CHAIN_ID, genesisText, upTo } from '../../nodes/execution/support/genesis.ts';
import { temporaryFolder } from '../../nodes/execution/support/nodes.ts';
import { importFilesIn, readFileIn } from './chain-files.ts';
import { opGeth, ourClient } from './clients.ts';
import { imports } from './imports.ts';
import { requests } from './requests.ts';
import { workloadAlloc } from './workload.ts';

/** Measures imports and requests of our client, beside op-geth on the same chain if a path of one is given. */
export async function besideOpGeth(
  parts: readonly string[],
  program: string | undefined,
  rounds: number,
  seconds: number,
): Promise<void> {
  const folder = temporaryFolder();
  const genesis = join(folder, 'genesis.json');
  const clients = [ourClient(), ...(program === undefined ? [] : [opGeth(program)])];
  try {
    writeFileSync(genesis, genesisOfBoth());
    if (parts.includes('imports'))
      await imports(folder, genesis, await importFilesIn(folder, genesis), clients, rounds);
    if (parts.includes('requests'))
      await requests(folder, genesis, await readFileIn(folder, genesis), clients, seconds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** op-geth needs Ethereum's forks by name and a balance of each account. In October 2024 holocene was its last fork. */
function genesisOfBoth(): string {
  const genesis = JSON.parse(genesisText(upTo('granite'), workloadAlloc())) as { config: object; alloc: Alloc };
  const config = { ...l1ChainConfig({ chainId: CHAIN_ID, hardfork: 'cancun' }), ...genesis.config };
  const alloc = Object.entries(genesis.alloc).map(([address, account]) => [address, { balance: '0x0', ...account }]);
  return JSON.stringify({ ...genesis, config, alloc: Object.fromEntries(alloc) });
}
