import type { FailureReport } from '../state/failure-report.ts';
import type { Attached } from './session-client.ts';

/** Why a network is not up. */
export interface StartProblem {
  readonly message: string;
  /** The process that failed; undefined if no process is the cause. */
  readonly report: FailureReport | undefined;
  /** Folder with all logs and data, kept for inspection; undefined if nothing was kept. */
  readonly folder: string | undefined;
}

/** Tells why a start failed, from how its supervisor ended. */
export function startProblem(name: string, attached: Attached | undefined): StartProblem {
  if (attached?.kind !== 'ended') return { message: `${name} did not start`, report: undefined, folder: undefined };
  const { failure, end } = attached;
  const what = failure === undefined ? 'its supervisor ended' : `${failure.task} (${failure.client}): ${failure.what}`;
  const cause = failure?.cause === undefined ? '' : `; likely cause: ${failure.cause}`;
  return { message: `${name} did not become ready: ${what}${cause}`, report: failure, folder: end?.kept };
}
