import { join } from 'node:path';
import { parseGenesis } from '../../protocol/genesis/file/genesis-fields.ts';
import { genesisFunds } from '../../protocol/genesis/funds.ts';
import { readRollupGenesis, rollupGenesisHash } from '../../protocol/genesis/genesis-file.ts';
import type { GenesisFunds } from '../../protocol/genesis/index.ts';
import { useKeccak } from '../../protocol/hash.ts';
import { wasmKeccak } from '../../system/crypto/keccak.ts';
import { EXIT, Failure, messageOf } from '../../system/failure.ts';
import { readText } from '../../system/files/folder.ts';
import { loadNetwork } from '../export/network-folder.ts';
import { planUnits } from '../export/unit-plan.ts';
import { homeOf } from '../folder/home.ts';
import { contentOf } from '../load/planned-content.ts';
import type { PlannedFile } from '../plan/plan.ts';
import type { Io } from '../terminal/io.ts';
import { rollupFileOf } from './attached-plan.ts';
import type { AttachFile } from './schema.ts';
import type { ChainFacts, Survey } from './survey.ts';

/** The files of a chain that nodes join. */
export interface ChainFiles {
  readonly chain: string;
  /** Paths of genesis.json and rollup.json. */
  readonly genesis: string;
  readonly rollup: string;
  /** The genesis file, if this machine writes it. */
  readonly genesisFile: PlannedFile | undefined;
  /** `config` of the genesis file. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly funds: GenesisFunds;
}

/**
 * Reads the genesis of each chain that nodes join: its file, or what the export of the network gives.
 * @throws Failure `attach` (exit 2) if a file cannot be read or its block is not block 0 of the chain
 */
export async function chainFilesOf(
  io: Io,
  file: AttachFile,
  { chains }: Survey,
): Promise<Readonly<Record<string, ChainFiles>>> {
  useKeccak(await wasmKeccak());
  const folder = join(homeOf(io), file.name);
  const joined = Object.entries(file.chains).filter(([, { joins }]) => Object.keys(joins).length > 0);
  const entries = joined.map(async ([name, chain]) => {
    const facts = chains[name];
    if (facts === undefined) throw new Error(`no answers of chain ${name}`);
    const source =
      chain.genesis === undefined
        ? await exportedGenesis(io, file, name, facts, folder)
        : { path: chain.genesis, text: readText(chain.genesis), file: undefined };
    const files: ChainFiles = {
      chain: name,
      genesis: source.path,
      rollup: rollupFileOf(folder, name),
      genesisFile: source.file,
      ...readGenesis(source.path, source.text, name, facts),
    };
    return [name, files] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Plans the genesis file of an exported network, as its units did at the genesis time of the chain. */
async function exportedGenesis(io: Io, file: AttachFile, name: string, { config }: ChainFacts, folder: string) {
  if (file.export === undefined) throw new Error(`no genesis of chain ${name}`);
  const time = config.genesis.l2_time;
  const plan = planUnits(io, await loadNetwork(io, file.export, time), folder, time);
  const genesisFile = plan.network.chains.find((chain) => chain.name === name)?.genesisFile;
  const content = plan.files.find(({ path }) => path === genesisFile)?.content;
  if (content === undefined)
    throw new Failure('attach', `the export in ${file.export.network} has no chain ${name}`, { exit: EXIT.usage });
  const path = join(folder, 'genesis', name, 'genesis.json');
  return { path, text: contentOf(content), file: { path, mode: 0o644, secret: false, content } };
}

function readGenesis(path: string, text: string | undefined, name: string, { genesisHash }: ChainFacts) {
  const refuse = (problem: string) =>
    new Failure('attach', `${path} is not the genesis file of chain ${name}: ${problem}`, {
      exit: EXIT.usage,
      data: { path, chain: name },
      hint: 'give the genesis.json that the nodes of the chain were started with; nothing was attached',
    });
  if (text === undefined) throw refuse('it does not exist');
  let document: unknown;
  try {
    document = parseGenesis(text);
  } catch (error) {
    throw refuse(messageOf(error));
  }
  const genesis = readRollupGenesis(document);
  if (!genesis.ok) throw refuse(genesis.problems.slice(0, 3).join('; '));
  const hash = rollupGenesisHash(genesis.value);
  if (hash !== genesisHash) throw refuse(`its block is ${hash}, and block 0 of the chain is ${genesisHash}`);
  return { config: genesis.value.config, funds: genesisFunds(genesis.value.alloc) };
}
