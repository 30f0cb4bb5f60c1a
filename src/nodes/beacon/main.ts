import { forksOf } from '../../protocol/forks/l1-forks.ts';
import { isJsonObject } from '../../rpc/json-object.ts';
import { readOrCreateJwtSecret } from '../../system/crypto/jwt-secret.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { jsonIn } from '../../system/files/json-in.ts';
import { channelOf, loggerOf, VERSION } from '../../system/program/common-options.ts';
import type { Logger } from '../../system/program/log.ts';
import { parseOptions } from '../../system/program/options.ts';
import { report, runUntilSignal } from '../../system/program/program.ts';
import { NO_KEYS, readL1Keys } from './accounts/l1-keys.ts';
import type { EngineSettings } from './beacon.ts';
import { forksAtGenesis } from './chain/l1-forks.ts';
import { BEACON_OPTIONS } from './options.ts';
import { startBeacon } from './service.ts';

const PROGRAM_NAME = 'l1-beacon';

/** Reads the chain configuration of L1, alone or under `config` of its genesis. @throws Failure `usage` */
function configIn(path: string): Readonly<Record<string, unknown>> {
  const document = jsonIn(path);
  const config = isJsonObject(document) ? (document['config'] ?? document) : undefined;
  if (isJsonObject(config)) return config;
  throw new Failure('usage', `${PROGRAM_NAME}: --l1.chain-config: ${path} holds no chain configuration`, {
    exit: EXIT.usage,
  });
}

interface EngineOptions {
  readonly engine: string;
  readonly jwtSecret: string | undefined;
  readonly slotsInAnEpoch: number;
  readonly keys: string | undefined;
}

/** @throws Failure `usage` without a file of the secret */
function engineOf({ engine, jwtSecret, slotsInAnEpoch, keys }: EngineOptions, log: Logger): EngineSettings {
  if (jwtSecret === undefined)
    throw new Failure('usage', `${PROGRAM_NAME}: --l1.engine needs --l1.jwt-secret`, { exit: EXIT.usage });
  const secret = readOrCreateJwtSecret(jwtSecret, (message) => log.warn(message));
  return {
    engine,
    jwtSecret: secret,
    slotsInAnEpoch: Math.max(1, slotsInAnEpoch),
    keys: keys === undefined ? NO_KEYS : readL1Keys(keys),
  };
}

/** Runs `l1-beacon` until a signal; returns the exit code. */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const { values } = parseOptions(
      {
        name: PROGRAM_NAME,
        version: VERSION,
        summary: 'Drives anvil slot by slot on the network clock, keeps its chain and blobs, and serves the beacon API',
        envPrefixes: ['L1_BEACON_'],
      },
      BEACON_OPTIONS,
      argv,
      env,
    );
    if (values.secondsPerSlot === 0)
      throw new Failure('usage', `${PROGRAM_NAME}: --seconds-per-slot: expected at least 1`, { exit: EXIT.usage });
    const { engine, chainConfig, hardfork, ...config } = values;
    const forks = chainConfig === undefined ? forksAtGenesis(hardfork) : forksOf(configIn(chainConfig));
    const log = loggerOf(values);
    const settings = engine === undefined ? undefined : engineOf({ ...values, engine }, log);
    const channel = channelOf(values);
    return await runUntilSignal(PROGRAM_NAME, () =>
      startBeacon({ ...config, forks, engine: settings, version: VERSION }, channel, log),
    ).finally(() => channel.close());
  } catch (error) {
    return report(PROGRAM_NAME, error);
  }
}
