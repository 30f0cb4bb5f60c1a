import { modifiedAt } from '../../system/files/folder.ts';
import { connectControl } from '../control/client.ts';
import type { StateAnswer } from '../control/supervisor-protocol.ts';
import type { Problem } from '../state/problem.ts';
import type { State } from '../state/state.ts';
import { type Devnet, isUp, viewOf } from './select.ts';

/** Timeout (ms) of a request to the supervisor. */
const ANSWER_TIMEOUT_MS = 4000;

/**
 * Asks the supervisor for the state of a devnet; reads the files if no supervisor answers.
 * @throws Failure if there is no state
 */
export async function freshState(devnet: Devnet): Promise<State> {
  const { state } = viewOf(devnet);
  if (!isUp(devnet)) return state;
  const control = await connectControl(devnet.paths.control);
  if (control === undefined) return state;
  try {
    return (await control.ask<StateAnswer>({ method: 'state' }, ANSWER_TIMEOUT_MS)).state;
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
