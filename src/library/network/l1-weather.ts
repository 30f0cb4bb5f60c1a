import { reorganiseL1, resumeL1, stallL1 } from '../../orchestrator/change/l1.ts';
import { setL1Finality } from '../../orchestrator/change/l1-finality.ts';
import type { Devnet } from '../../orchestrator/devnet/select.ts';
import type { L1Weather } from './chain-types.ts';

/** Returns what a network can have its L1 do. `bounded`: runs work within the scope of the handle. */
export function l1WeatherOf(running: () => Devnet, bounded: <T>(work: () => Promise<T>) => Promise<T>): L1Weather {
  return {
    reorg: (blocks, { drop = [] } = {}) => bounded(() => reorganiseL1(running(), blocks, drop)),
    stall: (ms) => bounded(() => stallL1(running(), ms)),
    finality: (action) => bounded(() => setL1Finality(running(), action)),
    resume: () => bounded(async () => void (await resumeL1(running()))),
  };
}
