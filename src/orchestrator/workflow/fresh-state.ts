import { modifiedAt } from '../../system/folder.ts';
import type { Problem } from '../observe/health/problem.ts';
import { connectControl } from '../run/control-client.ts';
import type { State } from '../run/state.ts';
import type { StateAnswer } from '../run/supervisor-protocol.ts';
import { type Devnet, isUp, viewOf } from './select.ts';

/** Milliseconds that a supervisor has for its answer. */
const ANSWER = 4000;

/** The state of a devnet as its supervisor tells it; from its files where it has none, or none that answers. @throws Failure where there is none */
export async function freshState(devnet: Devnet): Promise<State> {
  const { state } = viewOf(devnet);
  if (!isUp(devnet)) return state;
  const control = await connectControl(devnet.paths.control);
  if (control === undefined) return state;
  try {
    return (await control.ask<StateAnswer>({ method: 'state' }, ANSWER)).state;
  } catch {
    return withoutSupervisor(state, modifiedAt(devnet.paths.state) ?? state.startedAt);
  } finally {
    control.close();
  }
}

/** Returns the stored state of a devnet whose supervisor runs but does not answer: no health check has run since. */
function withoutSupervisor(state: State, since: number): State {
  if (state.phase !== 'ready' && state.phase !== 'degraded') return state;
  const problem: Problem = {
    subject: 'supervisor',
    what: `process ${state.supervisor.pid} does not answer; the network is not watched`,
    since,
    because: null,
  };
  return { ...state, phase: 'degraded', problems: [problem, ...state.problems] };
}
