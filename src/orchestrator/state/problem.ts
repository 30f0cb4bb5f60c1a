/**
 * A process that stands still, does not answer or is down. `devnet status` lists problems; the network is degraded
 * while there is one.
 */
export interface Problem {
  /** A task (`main/verifier/cl`, `l1`), `disk` or `traces`. */
  readonly subject: string;
  /** What is wrong. */
  readonly what: string;
  /** Unix milliseconds of its last movement, answer or change of phase. */
  readonly since: number;
  /** The subject's last complaint, or the problem that explains this one. Null: unknown. */
  readonly because: string | null;
}

/** Formats a problem as one line. */
export function problemLine(problem: Pick<Problem, 'subject' | 'what' | 'because'>): string {
  return `${problem.subject}: ${problemDetail(problem)}`;
}

/** Formats a problem as one line, without its subject. */
export function problemDetail({ what, because }: Pick<Problem, 'what' | 'because'>): string {
  return because === null ? what : `${what} (${because})`;
}
