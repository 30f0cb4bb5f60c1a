import { EXIT } from '../../../system/failure.ts';
import { givenName } from '../../devnet/given-name.ts';
import { allDevnets, type Devnet, devnetAt, isUp, selectDevnet } from '../../devnet/select.ts';
import { removeStaleFiles } from '../../folder/garbage.ts';
import { homeOf } from '../../folder/home.ts';
import { endDevnet } from '../../start/end-devnet.ts';
import { pathsOf } from '../../state/paths.ts';
import type { Io } from '../../terminal/io.ts';
import { showTasks } from '../../terminal/task-list.ts';
import type { CommandDefinition } from '../input/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, wantedName } from '../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'down',
  group: 'run a network',
  summary: 'tear a devnet down and delete it',
  examples: ['devnet down', 'devnet down default', 'devnet down --all'],
  arguments: [DEVNET_ARGUMENT],
  options: [
    { flags: '--all', description: 'all devnets' },
    { flags: '--keep-data', description: 'keep its folder: logs, data, plan' },
    ...DEVNET_OPTIONS,
  ],
  async run(io, [name], options) {
    const all = allDevnets(io);
    const targets = options['all'] === true ? all : chosenOf(io, all, wantedName(name, options) ?? givenName(io));
    if (options['all'] === true && all.length === 0) io.stderr('nothing is up\n');
    const how = options['keepData'] === true ? 'keep' : 'down';
    const clean = targets.length > 1 ? await endSeveral(io, targets, how) : await endEach(io, targets, how);
    if (options['all'] === true) removeStaleFiles(homeOf(io));
    return clean.every((each) => each) ? EXIT.done : EXIT.failed;
  },
};

/** Returns the devnet to end. None is no failure, so that `down` works on any state, and twice. */
function chosenOf(io: Io, all: readonly Devnet[], name: string | undefined): readonly Devnet[] {
  if (name === undefined) {
    if (all.length > 0) return [selectDevnet(io, undefined, isUp)];
    io.stderr('nothing is up\n');
    return [];
  }
  const devnet = devnetAt(pathsOf(homeOf(io), name));
  if (!all.some(({ paths }) => paths.name === name)) io.stderr(`there is no devnet ${name}\n`);
  // A half-made one may hold a lock or ports without a folder.
  return [devnet];
}

const endEach = (io: Io, devnets: readonly Devnet[], how: 'down' | 'keep') =>
  Promise.all(devnets.map((devnet) => endDevnet(io, devnet, how)));

/** Ends several devnets at once, shown as one task each. */
async function endSeveral(io: Io, devnets: readonly Devnet[], how: 'down' | 'keep'): Promise<readonly boolean[]> {
  const names = devnets.map(({ paths }) => paths.name);
  return showTasks(io, 'stopping', names, (list) =>
    Promise.all(
      devnets.map(async (devnet) => {
        const isClean = await endDevnet(io, devnet, how, false);
        if (isClean) list.done(devnet.paths.name);
        else list.failed(devnet.paths.name, 'not everything ended');
        return isClean;
      }),
    ),
  );
}
