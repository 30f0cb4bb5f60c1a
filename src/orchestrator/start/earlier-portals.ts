import { parseGenesis } from '../../protocol/genesis/file/genesis-fields.ts';
import { readRollupGenesis } from '../../protocol/genesis/genesis-file.ts';
import { type GenesisFunds, genesisFunds, l2Funds } from '../../protocol/genesis/index.ts';
import { readJson } from '../../system/files/atomic-write.ts';
import { genesisContracts } from '../folder/genesis-contracts.ts';
import { earlierPortalNotices } from '../plan/chain/portal.ts';
import type { Plan } from '../plan/plan.ts';

/** Returns what a network that began under an earlier version cannot pay out on L1, one line for each chain. */
export function earlierPortals(plan: Plan): readonly string[] {
  const written = new Set(plan.files.map(({ path }) => path));
  return earlierPortalNotices(plan, (chain, file) =>
    written.has(file) ? l2Funds(chain, genesisContracts()) : fundsOfFile(file),
  );
}

const NO_FUNDS: GenesisFunds = { ether: '0', tokens: [], canWithdraw: false };

/** Reads the funds of an existing chain from its genesis file: none if the nodes cannot start with that file. */
function fundsOfFile(path: string): GenesisFunds {
  let document: unknown;
  try {
    document = readJson(path, { parse: parseGenesis });
  } catch {
    return NO_FUNDS;
  }
  const read = readRollupGenesis(document);
  return read.ok ? genesisFunds(read.value.alloc) : NO_FUNDS;
}
