import { httpClient } from '../../rpc/client/http-client.ts';
import type { Channel } from '../../system/channel/channel.ts';
import { makeFolders } from '../../system/files/folder.ts';
import { channelOf, loggerOf, VERSION } from '../../system/program/common-options.ts';
import type { Logger } from '../../system/program/log.ts';
import type { OptionValues } from '../../system/program/options.ts';
import type { Running } from '../../system/program/program.ts';
import { running } from '../service/listen.ts';
import { listenAt, mustHave, runServer } from '../service/server-program.ts';
import { conductorCheckpoints } from './checkpoints.ts';
import { Conductor } from './conductor.ts';
import { Lead } from './lead.ts';
import type { Member } from './member.ts';
import { membersOf } from './members.ts';
import { CONDUCTOR_METHODS } from './methods.ts';
import { CONDUCTOR_OPTIONS } from './options.ts';
import { RAFT_METHODS } from './raft-methods.ts';
import { type RaftMember, RaftSet } from './raft-set.ts';
import { conductorRoute, leaderRoute } from './route.ts';

const CONDUCTOR_PROGRAM = 'devnet-conductor';

/** Runs `conductor` until a signal; returns the exit code. */
export function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runServer(
    {
      name: CONDUCTOR_PROGRAM,
      summary: 'Keeps one of several sequencers sequencing, and holds the block that it committed last',
      envPrefixes: ['CONDUCTOR_'],
      options: CONDUCTOR_OPTIONS,
      async start(values) {
        const folder = mustHave(CONDUCTOR_PROGRAM, '--datadir', values.dataDir);
        const { members, raft } = membersOf(values.members);
        if (raft !== undefined) return startRaftSet(values, raft, loggerOf(values));
        const channel = channelOf(values);
        return startConductor(values, { folder, members, channel }, loggerOf(values));
      },
    },
    argv,
    env,
  );
}

/** Where a conductor keeps its state, its members, and its channel to the supervisor. It closes the channel. */
interface Place {
  readonly folder: string;
  readonly members: readonly Member[];
  readonly channel: Channel;
}

/** Starts the conductor. @throws Failure if its port is taken */
export async function startConductor(
  values: OptionValues<typeof CONDUCTOR_OPTIONS>,
  { folder, members, channel }: Place,
  log: Logger,
): Promise<Running & { readonly port: number }> {
  makeFolders(folder);
  const l1 = values.l1 === undefined ? undefined : httpClient({ url: values.l1 });
  const conductor = new Conductor({ members, lead: new Lead(folder), l1, lease: values.lease, clock: channel, log });
  channel.onCheckpoints(conductorCheckpoints(conductor));
  const server = await listenAt(values, {
    methods: CONDUCTOR_METHODS,
    context: { conductor, member: undefined, version: VERSION },
    route: conductorRoute(conductor, VERSION),
  });
  log.info('Conductor listens', { url: `http://${values.rpcHost}:${server.port}`, members: members.length });
  return {
    port: server.port,
    ...running(conductor.run(), async () => {
      conductor.close();
      for (const member of members) member.close();
      l1?.close();
      channel.close();
      await server.close();
    }),
  };
}

/** Starts what stands before a set whose op-conductors elect the leader. @throws Failure if its port is taken */
export async function startRaftSet(
  values: OptionValues<typeof CONDUCTOR_OPTIONS>,
  members: readonly RaftMember[],
  log: Logger,
): Promise<Running & { readonly port: number }> {
  const set = new RaftSet({ members, lease: values.lease, log });
  const server = await listenAt(values, {
    methods: RAFT_METHODS,
    context: { set, version: VERSION },
    route: leaderRoute(set),
  });
  log.info('Stands before op-conductors', { url: `http://${values.rpcHost}:${server.port}`, members: members.length });
  return {
    port: server.port,
    ...running(set.run(), async () => {
      set.close();
      for (const { member, server: raft } of members) {
        member.close();
        raft.close();
      }
      await server.close();
    }),
  };
}
