import type { FailureReport } from '../state/failure-report.ts';

/** How a session ends. */
export interface Finish {
  /** `stop` and `keep` keep the devnet's folder, `down` removes it. `removed`: it is gone, or of another devnet. */
  readonly how: 'stop' | 'down' | 'keep' | 'failed' | 'removed';
  /** The exit code of the command line. */
  readonly code: number;
  readonly failure?: FailureReport;
}
