import { Failure } from '../../system/failure.ts';
import { tellingIo } from '../devnet/told-commands.ts';
import { environmentOf } from '../environment/environment.ts';
import { homeOf } from '../folder/home.ts';
import type { SpecInput } from '../load/loaded-spec.ts';
import { logLines } from '../logs/task-logs.ts';
import { bringUp } from '../start/bring-up.ts';
import { clearAway } from '../start/end-devnet.ts';
import type { ReadyBudget } from '../start/ready-budget.ts';
import { startProblem } from '../start/start-problem.ts';
import { pathsOf } from '../state/paths.ts';
import type { Io } from '../terminal/io.ts';

/** A network that a pool started. */
export interface PoolNetwork {
  readonly name: string;
  /** The variables of `devnet env`. */
  readonly env: Readonly<Record<string, string>>;
  /** Resolves when its supervisor is gone. */
  readonly end: Promise<unknown>;
  /** Returns the lines of the logs of all its processes. */
  logs(): readonly string[];
  /** Tears it down. @throws Failure `pool` if not everything ended */
  down(): Promise<void>;
}

/** What each network of a pool is started with. */
export interface PoolStart extends ReadyBudget {
  readonly input: SpecInput;
  /** A snapshot to begin with. */
  readonly from: string | undefined;
}

/**
 * Starts a network of a pool under a name of its own, at any free ports. It ends with this process.
 * @throws Failure `pool` if it does not become ready, the signal's reason after an abort. Nothing is left then
 */
export async function startPoolNetwork(
  host: Io,
  name: string,
  { input, ...start }: PoolStart,
  signal: AbortSignal,
): Promise<PoolNetwork> {
  // Several networks start at once: the commands in the texts of each are about it.
  const io = tellingIo(host, name);
  const set = [...input.set, `name=${JSON.stringify(name)}`, 'ports=auto'];
  const up = await bringUp(io, {
    ...start,
    source: { input: { ...input, set }, settle: async () => undefined },
    ...{ followInput: false, followSignals: false, quiet: true, signal },
  });
  if (up.kind === 'no') {
    if (signal.aborted) {
      await clearAway(io, pathsOf(homeOf(io), name), 'down');
      throw signal.reason;
    }
    const { message, report, folder } = startProblem(name, up.attached);
    const hint = report?.hint === undefined ? {} : { hint: io.runnable(report.hint) };
    throw new Failure('pool', io.runnable(message), {
      data: { ...(report && { report }), ...(folder === undefined ? {} : { folder }) },
      ...hint,
    });
  }
  const { plan, session } = up;
  const down = async () => {
    session.interrupt();
    const result = await session.ended;
    const errors = result.kind === 'ended' ? (result.end?.errors ?? []) : [];
    if (errors.length > 0) throw new Failure('pool', `not everything of ${name} ended: ${errors.join('; ')}`);
  };
  if (signal.aborted) {
    await down();
    throw signal.reason;
  }
  return { name, env: environmentOf(plan), end: session.ended, logs: () => logLines(plan, plan.tasks), down };
}
