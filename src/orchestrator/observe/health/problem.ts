/** Something that stands still, is silent or is down. `devnet status` lists these; the network is degraded while there is one. */
export interface Problem {
  /** A task (`main/verifier/cl`, `l1`), or `disk`. */
  readonly subject: string;
  /** What it does not do. */
  readonly what: string;
  /** Unix milliseconds of its last movement, answer or change of phase. */
  readonly since: number;
  /** The subject's own last complaint, or the problem that explains this one. Null: it said nothing. */
  readonly because: string | null;
}

/** A problem as one line. */
export function problemLine(problem: Problem): string {
  return `${problem.subject}: ${problemDetail(problem)}`;
}

/** A problem as one line, without its subject. */
export function problemDetail({ what, because }: Problem): string {
  return because === null ? what : `${what} (${because})`;
}
