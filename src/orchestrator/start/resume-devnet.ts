import { EXIT } from '../../system/failure.ts';
import { startSupervisor } from '../control/start-supervisor.ts';
import type { Order } from '../control/supervisor-protocol.ts';
import { devnetAt, viewOf } from '../devnet/select.ts';
import { homeOf } from '../folder/home.ts';
import { listedTasks } from '../plan/order.ts';
import type { Plan } from '../plan/plan.ts';
import { pathsOf } from '../state/paths.ts';
import { fitToTerminal } from '../terminal/fit.ts';
import type { Io } from '../terminal/io.ts';
import { plainProgress, terminalProgress } from '../terminal/progress.ts';
import { banner } from './banner.ts';
import { timeoutFactor } from './ready-budget.ts';
import { sayEnd } from './say-end.ts';
import { Session } from './session-client.ts';

/** Resumes a stopped devnet and leaves it running. Returns the exit code. */
export async function resumeDevnet(io: Io, name: string, budgetMs: number): Promise<number> {
  const began = Date.now();
  const { plan } = viewOf(devnetAt(pathsOf(homeOf(io), name)));
  if (beganUnderEarlierVersion(plan)) {
    const { earlierPortals } = await import('./earlier-portals.ts');
    for (const notice of earlierPortals(plan)) io.stderr(`${notice}\n`);
  }
  const progress = io.isTty
    ? terminalProgress(
        io,
        listedTasks(plan)
          .filter(({ late }) => late !== true)
          .map(({ id }) => id),
      )
    : plainProgress(io);
  const patience = timeoutFactor(io.env);
  const supervisor = startSupervisor(io.env, io.cwd);
  const session = new Session(supervisor, {
    tell: (event) => progress.tell(event),
    interrupted: (times, signal) => {
      void progress.stop();
      if (times < 3) io.stderr(`${signal}: ${times === 1 ? 'stopping again' : 'killing'}\n`);
    },
    followInput: false,
    followSignals: true,
  });
  supervisor.send({ kind: 'resume', home: homeOf(io), name, options: { budgetMs, patience } } satisfies Order);
  const attached = await session.started;
  await progress.stop();
  if (attached.kind !== 'ready') return await sayEnd(io, attached, name);
  io.stderr(fitToTerminal(io, banner(plan, (Date.now() - began) / 1000), 'stderr'));
  session.detach();
  return EXIT.done;
}

/** Whether a stored plan is older than the ether that portals hold. */
function beganUnderEarlierVersion({ files }: Plan): boolean {
  return files.some(
    ({ content }) =>
      content.kind === 'l1-genesis' &&
      content.inputs.chains.some(({ withdrawals }) => withdrawals.portalBalance === undefined),
  );
}
