import { EXIT, Failure } from '../../../system/failure.ts';
import { loggerOf } from '../../../system/program/common-options.ts';
import { openChain } from '../chain/datadir.ts';
import { prepareCrypto } from '../evm/crypto.ts';
import { datadirOptions, readOptions } from '../options/options.ts';

/** Runs `init GENESIS`: writes the genesis block into a datadir (geth: `initGenesis`). */
export async function initCommand(argv: string[], env: NodeJS.ProcessEnv): Promise<undefined> {
  const { values, overrides, operands } = readOptions(argv, env);
  const genesis = operands[0] ?? values.chain;
  if (genesis === undefined || operands.length > 1)
    throw new Failure('usage', `execution-client init: expected one genesis file, found ${operands.length}`, {
      exit: EXIT.usage,
    });
  await prepareCrypto();
  const log = loggerOf(values);
  const warn = (message: string) => log.warn(message);
  const chain = openChain({ ...datadirOptions(values), genesis, overrides, initialisesOnly: true, warn });
  log.info('initialised datadir', { datadir: values.datadir, genesis: chain.genesisHash });
  chain.store.close();
  return undefined;
}
