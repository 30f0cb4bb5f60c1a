import { readyRoute } from '../../rpc/server/ready-route.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { makeFolders } from '../../system/files/folder.ts';
import { loggerOf, VERSION } from '../../system/program/common-options.ts';
import type { Logger } from '../../system/program/log.ts';
import { type OptionValues, parseOptions } from '../../system/program/options.ts';
import { type Running, report, runUntilSignal } from '../../system/program/program.ts';
import { hostOriginPolicy } from '../service/host-origin.ts';
import { listen, running } from '../service/listen.ts';
import { Conductor } from './conductor.ts';
import { Lead } from './lead.ts';
import { type Member, membersOf } from './member.ts';
import { CONDUCTOR_METHODS } from './methods.ts';
import { CONDUCTOR_OPTIONS } from './options.ts';
import { conductorRoute } from './route.ts';

const CONDUCTOR_PROGRAM = 'devnet-conductor';

/** Runs `conductor` until a signal; returns the exit code. */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const summary = 'Keeps one of several sequencers sequencing, and holds the block that it committed last';
    const usage = { name: CONDUCTOR_PROGRAM, version: VERSION, summary, envPrefixes: ['CONDUCTOR_'] };
    const { values, operands } = parseOptions(usage, CONDUCTOR_OPTIONS, argv, env);
    const { dataDir } = values;
    if (operands.length > 0 || dataDir === undefined)
      throw new Failure('usage', `${CONDUCTOR_PROGRAM}: ${operands[0] ?? '--datadir is missing'}`, {
        exit: EXIT.usage,
        hint: `${CONDUCTOR_PROGRAM} --help lists the options`,
      });
    const members = membersOf(values.members);
    return await runUntilSignal(CONDUCTOR_PROGRAM, () =>
      startConductor(values, { folder: dataDir, members }, loggerOf(values)),
    );
  } catch (error) {
    return report(CONDUCTOR_PROGRAM, error);
  }
}

/** Starts the conductor. @throws Failure if its port is taken */
export async function startConductor(
  values: OptionValues<typeof CONDUCTOR_OPTIONS>,
  { folder, members }: { readonly folder: string; readonly members: readonly Member[] },
  log: Logger,
): Promise<Running & { readonly port: number }> {
  makeFolders(folder);
  const conductor = new Conductor({ members, lead: new Lead(folder), lease: values.lease, log });
  const { rpcHost: host, rpcPort: port } = values;
  const [ready, paths] = [readyRoute(), conductorRoute(conductor, VERSION)];
  const server = await listen('rpc.port', {
    ...{ host, port },
    ...hostOriginPolicy(values),
    http: true,
    methods: CONDUCTOR_METHODS,
    context: { conductor, member: undefined, version: VERSION },
    route: (request, response) => ready(request, response) || paths(request, response),
  });
  log.info('Conductor listens', { url: `http://${host}:${server.port}`, members: members.length });
  return {
    port: server.port,
    ...running(conductor.run(), async () => {
      conductor.close();
      for (const member of members) member.close();
      await server.close();
    }),
  };
}
