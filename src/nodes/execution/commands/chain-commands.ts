import { EXIT, Failure } from '../../../system/failure.ts';
import { loggerOf } from '../../../system/program/common-options.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Running } from '../../../system/program/program.ts';
import type { Chain } from '../chain/chain.ts';
import { openChain } from '../chain/datadir.ts';
import { readGenesisFile } from '../chain/genesis-file.ts';
import { prepareCrypto } from '../evm/crypto.ts';
import { datadirOptions, type Line, readDumpOptions, readOptions } from '../options/options.ts';
import { dump } from './dump.ts';
import { exportFile } from './export.ts';
import { importFiles } from './import.ts';
import { oneShotCommand } from './one-shot-command.ts';
import { rewind } from './rewind.ts';

/** Runs `import FILE…` (geth: `importChain`). */
export function importCommand(argv: string[], env: NodeJS.ProcessEnv): Promise<Running> {
  const line = readOptions(argv, env);
  if (line.operands.length === 0) throw usage('import: expected chain files');
  return onChain('import', line, (chain, log, signal) => importFiles(chain, line.operands, log, signal));
}

/** Runs `export FILE [FIRST LAST]` (geth: `exportChain`). */
export function exportCommand(argv: string[], env: NodeJS.ProcessEnv): Promise<Running> {
  const line = readOptions(argv, env);
  const [file, ...range] = line.operands;
  if (file === undefined || (range.length !== 0 && range.length !== 2))
    throw usage(`export: expected FILE or FILE FIRST LAST, found ${line.operands.length} words`);
  return onChain('export', line, (chain, log, signal) => exportFile(chain, file, range, log, signal));
}

/** Runs `rewind NUMBER` (reth: `stage unwind`). */
export function rewindCommand(argv: string[], env: NodeJS.ProcessEnv): Promise<Running> {
  const line = readOptions(argv, env);
  const [number] = line.operands;
  if (number === undefined || line.operands.length > 1)
    throw usage(`rewind: expected one block number, found ${line.operands.length} words`);
  return onChain('rewind', line, (chain, log) => rewind(chain, number, log));
}

/** Runs `dump [NUMBER|HASH]` (geth: `dump`). */
export function dumpCommand(argv: string[], env: NodeJS.ProcessEnv): Promise<Running> {
  const line = readDumpOptions(argv, env);
  const { values, operands } = line;
  if (operands.length > 1) throw usage(`dump: expected one block, found ${operands.length}`);
  const options = {
    ...(operands[0] === undefined ? {} : { block: operands[0] }),
    iterative: values.iterative,
    code: !values.nocode,
    storage: !values.nostorage,
    alloc: values.chain === undefined ? {} : readGenesisFile(values.chain).alloc(),
  };
  return onChain('dump', line, (chain, log, signal) => dump(chain, options, log, signal));
}

/** Runs `work` on the chain of the datadir, which is locked meanwhile and closed afterwards. */
async function onChain(
  name: string,
  { values, overrides }: Line,
  work: (chain: Chain, log: Logger, signal: AbortSignal) => Promise<void>,
): Promise<Running> {
  await prepareCrypto();
  const genesis = values.chain === undefined ? {} : { genesis: values.chain };
  const log = loggerOf(values);
  const warn = (message: string) => log.warn(message);
  const chain = openChain({ ...datadirOptions(values), ...genesis, overrides, executes: name === 'import', warn });
  return oneShotCommand(name, (signal) => work(chain, log, signal).finally(() => chain.store.close()));
}

function usage(problem: string): Failure {
  return new Failure('usage', `execution-client ${problem}`, {
    exit: EXIT.usage,
    hint: 'execution-client --help lists the commands and options',
  });
}
