import { join } from 'node:path';
import { useKeccak } from '../../protocol/hash.ts';
import { wasmKeccak } from '../../system/crypto/keccak.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { startForwarding } from '../../system/net/forward.ts';
import { servePlaces } from '../../system/net/multiplex.ts';
import { loggerOf, VERSION } from '../../system/program/common-options.ts';
import { parseOptions } from '../../system/program/options.ts';
import { report, runUntilSignal } from '../../system/program/program.ts';
import { standardStreams } from '../../system/program/standard-streams.ts';
import { ENTRY_OPTIONS } from './options.ts';
import { placesOf } from './places.ts';
import { checkHealth } from './ready.ts';
import { startUnit, writeUnit } from './unit.ts';

const PROGRAM_NAME = 'entry';

/** Runs one unit of an exported network until a signal; returns the exit code. */
export async function main(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const { values } = parseOptions(
      {
        name: PROGRAM_NAME,
        version: VERSION,
        summary: 'Starts one unit of an exported network: plans it, writes its files, waits for what it needs, runs it',
        envPrefixes: ['DEVNET_'],
      },
      ENTRY_OPTIONS,
      argv,
      env,
    );
    if (values.healthy || values.reachable) {
      await checkHealth(values.data, values.reachable ? ['peers'] : []);
      return EXIT.done;
    }
    const { unit, forward, carry } = values;
    if (forward !== undefined) {
      const places = placesOf('forward', forward);
      // The engine publishes the ports of this container, and on loopback alone.
      return await runUntilSignal(PROGRAM_NAME, () => startForwarding(places, '0.0.0.0'));
    }
    if (carry !== undefined) {
      const done = servePlaces(standardStreams(), placesOf('carry', carry));
      const failed = new Promise<never>(() => undefined);
      return await runUntilSignal(PROGRAM_NAME, async () => ({ failed, done, stop: () => Promise.resolve() }));
    }
    if (unit === undefined)
      throw new Failure('usage', `${PROGRAM_NAME}: --unit: expected the name of a unit`, { exit: EXIT.usage });
    useKeccak(await wasmKeccak());
    // Specs and genesis states are cached in the volume.
    const unitEnv = { ...env, DEVNET_HOME: join(values.data, 'cache') };
    const start = values.files ? writeUnit : startUnit;
    return await runUntilSignal(PROGRAM_NAME, async () => start({ ...values, unit }, unitEnv, loggerOf(values)));
  } catch (error) {
    return report(PROGRAM_NAME, error);
  }
}
