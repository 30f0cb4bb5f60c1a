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
import { type Member, membersOf } from './member.ts';
import { CONDUCTOR_METHODS } from './methods.ts';
import { CONDUCTOR_OPTIONS } from './options.ts';
import { conductorRoute } from './route.ts';

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
        const members = membersOf(values.members);
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
