import { EXIT, messageOf } from '../../system/failure.ts';
import type { ProcessIdentity } from '../../system/process/identity.ts';
import { sweep } from '../../system/process/sweep.ts';
import type { ChannelServer } from '../channel/channel-server.ts';
import { bringBack, removeDevnet } from '../folder/devnet-folder.ts';
import type { Files } from '../folder/files.ts';
import { isTaken } from '../folder/removed-files.ts';
import { releasePorts } from '../ports/reservations.ts';
import type { Network } from '../processes/network.ts';
import type { StateRecord } from '../record/state-record.ts';
import type { Runtime } from '../runtimes/interface/runtime.ts';
import type { Event } from '../state/events.ts';
import { type Paths, tracesOf } from '../state/paths.ts';
import type { Finish } from './finish.ts';
import type { OwnIo } from './first-order.ts';

/** What the end of a session works on. */
export interface EndParts {
  readonly io: OwnIo;
  readonly paths: Paths;
  readonly network: Network;
  readonly record: StateRecord;
  readonly runtime: Runtime;
  readonly logs: { close(): void };
  readonly channel: ChannelServer;
  readonly files: Files | undefined;
  /** The links between its tasks. */
  readonly links: { close(): Promise<void> };
  /** Resolves when nothing else of the session runs, such as the dashboard's process. */
  readonly others: Promise<unknown>;
}

/**
 * Ends all processes of a devnet and removes its folder, or writes its last state there. Returns the last event, with
 * the exit code: an end that leaves something has failed.
 */
export async function endSession({ how, code, failure }: Finish, parts: EndParts): Promise<EndEvent> {
  const { io, paths, network, record, channel } = parts;
  const orphans = io.guard.lastOrphans();
  parts.logs.close();
  if (failure) record.fail(failure);
  record.ending(how);
  const keeps = how === 'stop' || how === 'keep';
  const ending = network.endAll(keeps, io.kill.signal);
  const closing = errorOf(parts.runtime.close(keeps ? ending : Promise.resolve(), ending));
  const { killed, errors: resisting } = await ending;
  await parts.others;
  const left = await closing;
  // Processes of another devnet have the same traces.
  const swept = isTaken(paths) ? [] : await errorOf(sweepStrays(paths, io.self, orphans));
  const errors = [...resisting, ...left, ...swept];
  await channel.close();
  await parts.links.close();
  await parts.files?.stop();
  // With its folder, a second `down` finds what is left outside.
  const isRemoved = how === 'down' && left.length === 0 && (await removeFolder(paths, errors));
  if (how === 'removed') releasePorts(paths.home, { name: paths.name, supervisor: io.self.pid });
  else if (!isRemoved) record.markEnd(how === 'down' ? 'keep' : how);
  record.close();
  const isFormer = how !== 'down' && how !== 'removed' && bringBack(paths);
  return {
    event: 'end',
    code: errors.length > 0 && code === EXIT.done ? EXIT.failed : code,
    killed,
    errors,
    ...(isRemoved || how === 'removed' || isFormer ? {} : { kept: paths.folder }),
  };
}

type EndEvent = Extract<Event, { event: 'end' }>;

/** Removes the folder of a devnet, and returns whether it is gone. Adds what holds it to the errors. */
async function removeFolder(paths: Paths, errors: string[]): Promise<boolean> {
  const failures = await errorOf((async () => removeDevnet(paths))());
  errors.push(...failures.map((text) => `${text}; end what uses it, then run \`devnet down ${paths.name}\``));
  return failures.length === 0;
}

/** Kills processes that left their group. */
async function sweepStrays(paths: Paths, self: ProcessIdentity, orphans: readonly ProcessIdentity[]): Promise<void> {
  await sweep({ ...tracesOf(paths), descendants: orphans, since: self.started });
}

/** Resolves with the error of some work, or with none. */
async function errorOf(work: Promise<void>): Promise<readonly string[]> {
  try {
    await work;
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}
