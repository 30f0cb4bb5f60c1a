import { isAbsolute, join } from 'node:path';
import { messageOf } from '../../system/failure.ts';
import { exists, folderFault, freeBytes, privateFolder, remove, writePrivate } from '../../system/files/folder.ts';
import { portIsFree } from '../../system/net/ports.ts';
import { processesWithTraces } from '../../system/process/sweep.ts';
import { isNodeRecent, NODE_NEEDED } from '../../system/program/node-version.ts';
import { hasProc } from '../../system/program/platform.ts';
import { describeHolderOf } from '../ports/port-holder.ts';
import { type Paths, portsFolder, socketsFolder, tracesOf } from '../state/paths.ts';
import { socketsHint } from '../state/sockets.ts';
import type { Phase } from '../state/state.ts';

export interface Finding {
  readonly level: 'good' | 'note' | 'bad';
  readonly description: string;
  readonly hint?: string;
}

export interface Machine {
  readonly home: string;
  readonly path: string;
  /** A variable that names a proxy for the addresses of a devnet (see `proxyInTheWay`). */
  readonly proxy: string | undefined;
  /** Path or name of the L1's binary. */
  readonly anvil: string;
  readonly devnets: readonly {
    readonly name: string;
    readonly phase: Phase;
    readonly running: boolean;
    readonly paths: Paths;
  }[];
}

/** The first preferred ports; a taken one is reported. */
const PREFERRED_PORTS = [8545, 5052, 9545, 9546, 9547, 9551];
const ENOUGH_DISK = 512 * 1024 * 1024;

/** Checks everything that a devnet needs of this machine. Changes nothing. */
export async function diagnose(machine: Machine): Promise<Finding[]> {
  return [
    nodeVersion(),
    anvil(machine),
    home(machine),
    disk(machine),
    processes(),
    ...proxy(machine),
    ...foreignFolders(),
    ...(await ports(machine)),
    ...leftovers(machine),
  ];
}

function nodeVersion(): Finding {
  return isNodeRecent()
    ? { level: 'good', description: `Node ${process.versions.node}` }
    : {
        level: 'bad',
        description: `Node ${process.versions.node}: expected ${NODE_NEEDED} or newer`,
        hint: 'install it with `npm install node@24`',
      };
}

function anvil({ anvil: file, path }: Machine): Finding {
  const isInstalled = isAbsolute(file) ? exists(file) : path.split(':').some((folder) => exists(join(folder, file)));
  return isInstalled
    ? { level: 'good', description: `anvil: ${file}` }
    : {
        level: 'bad',
        description: `anvil is neither installed nor in PATH (${file})`,
        hint: 'npm install @foundry-rs/anvil, or set ANVIL to its path',
      };
}

function home({ home: folder }: Machine): Finding {
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    privateFolder(folder);
    writePrivate(probe, '', 0o600);
    return { level: 'good', description: `state in ${folder}` };
  } catch (error) {
    return {
      level: 'bad',
      description: `cannot write ${folder}: ${messageOf(error)}`,
      hint: 'set DEVNET_HOME to a folder that is writable',
    };
  } finally {
    try {
      remove(probe);
    } catch {
      // Nothing was written.
    }
  }
}

function disk({ home: folder }: Machine): Finding {
  const free = freeBytes(folder);
  if (free === undefined) return { level: 'note', description: 'cannot read the free disk space' };
  const description = `${Math.round(free / 1024 / 1024)} MB of disk space are free`;
  return free > ENOUGH_DISK
    ? { level: 'good', description }
    : { level: 'bad', description, hint: 'run `devnet down --all` to remove kept devnets' };
}

function processes(): Finding {
  return hasProc()
    ? { level: 'good', description: '/proc: every process of a devnet can be found' }
    : {
        level: 'note',
        description: 'no /proc: a process that cleared its environment and left its session cannot be found',
      };
}

/** Folders of this user below /tmp, where any other user can make one of that name first. */
function foreignFolders(): Finding[] {
  const folders = [
    { path: portsFolder(), use: 'which port belongs to which devnet', hint: `run \`sudo rm -r ${portsFolder()}\`` },
    { path: socketsFolder(), use: 'sockets of homes with long paths', hint: socketsHint() },
  ];
  return folders.flatMap(({ path, use, hint }) => {
    const fault = folderFault(path);
    return fault === undefined
      ? []
      : [{ level: 'bad', description: `cannot use the folder ${path} (${use}): ${fault}`, hint }];
  });
}

function proxy({ proxy }: Machine): Finding[] {
  if (proxy === undefined) return [];
  return [
    {
      level: 'note',
      description: `${proxy}: other programs (cast, forge, fetch) ask it for the addresses of a devnet, too`,
      hint: 'export NO_PROXY=localhost,127.0.0.1; `devnet exec` sets it for its command',
    },
  ];
}

async function ports({ devnets }: Machine): Promise<Finding[]> {
  if (devnets.some(({ running }) => running)) return [];
  const busy = await Promise.all(
    PREFERRED_PORTS.map(async (port) => ((await portIsFree('127.0.0.1', port)) ? [] : [port])),
  );
  return busy.flat().map((port) => {
    const holder = describeHolderOf(port);
    return {
      level: 'note',
      description: `port ${port} is taken${holder === undefined ? '' : ` by ${holder}`}: the next free port is used`,
    };
  });
}

function leftovers({ devnets }: Machine): Finding[] {
  return devnets.flatMap(({ name, phase, running, paths }): Finding[] => {
    if (running) return [{ level: 'good', description: `${name} is ${phase}` }];
    const orphans = processesWithTraces({ ...tracesOf(paths), descendants: [] });
    if (orphans.length > 0)
      return [
        {
          level: 'bad',
          description: `${name} has no supervisor, but its processes ${pidsOf(orphans)} still run`,
          hint: `run \`devnet down ${name}\` to end them`,
        },
      ];
    return [
      {
        level: 'note',
        description: `${name} is ${phase}; its data is kept in ${paths.folder}`,
        hint: `run \`devnet down ${name}\` to remove it`,
      },
    ];
  });
}

const pidsOf = (processes: readonly { readonly pid: number }[]) => processes.map(({ pid }) => pid).join(', ');
