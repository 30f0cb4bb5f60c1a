import { EXIT, Failure } from '../../system/failure.ts';
import { channelOf, loggerOf, VERSION } from '../../system/program/common-options.ts';
import { parseOptions } from '../../system/program/options.ts';
import { report, runUntilSignal } from '../../system/program/program.ts';
import { BEACON_OPTIONS } from './options.ts';
import { startBeacon } from './service.ts';

const PROGRAM_NAME = 'l1-beacon';

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
    const channel = channelOf(values);
    return await runUntilSignal(PROGRAM_NAME, () =>
      startBeacon({ ...values, version: VERSION }, channel, loggerOf(values)),
    ).finally(() => channel.close());
  } catch (error) {
    return report(PROGRAM_NAME, error);
  }
}
