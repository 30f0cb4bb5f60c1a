import { EXIT } from '../../../system/failure.ts';
import { allDevnets, isUp, phaseOf } from '../../devnet/select.ts';
import { emptyCache, lastChanged, removeStaleFiles } from '../../folder/garbage.ts';
import { homeOf } from '../../folder/home.ts';
import { endDevnet } from '../../start/end-devnet.ts';
import type { CommandDefinition } from '../input/command.ts';
import { durationOption } from '../input/duration-option.ts';

export const command: CommandDefinition = {
  name: 'gc',
  group: 'this machine',
  summary: 'empty the cache, remove devnets that failed long ago and leftovers of killed processes',
  examples: ['devnet gc'],
  arguments: [],
  options: [
    {
      flags: '--older-than <duration>',
      description: 'remove failed devnets that have not changed for this time; stopped ones are kept',
      default: '24h',
    },
    { flags: '--json', description: 'what was removed, as one JSON document' },
  ],
  async run(io, _, options) {
    const home = homeOf(io);
    const age = durationOption(options, 'olderThan') ?? 0;
    const dead = allDevnets(io).filter(
      (devnet) => !isUp(devnet) && phaseOf(devnet) === 'failed' && Date.now() - lastChanged(devnet.paths) >= age,
    );
    const clean = await Promise.all(dead.map((devnet) => endDevnet(io, devnet, 'down')));
    removeStaleFiles(home);
    const cacheBytes = emptyCache(home);
    const devnets = dead.map(({ paths }) => paths.name);
    if (options['json'] === true) io.stdout(`${JSON.stringify({ cacheBytes, devnets }, null, 2)}\n`);
    else {
      io.stderr(`cache emptied: ${(cacheBytes / 1e6).toFixed(1)} MB removed; the next start fills it again\n`);
      for (const name of devnets) io.stderr(`removed the failed devnet ${name}\n`);
    }
    return clean.every((each) => each) ? EXIT.done : EXIT.failed;
  },
};
