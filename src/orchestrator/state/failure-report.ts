/** Why a task did not become or stay ready, with the evidence. Secrets are redacted. */
export interface FailureReport {
  readonly task: string;
  readonly client: string;
  /** Reported by its binary. */
  readonly version?: string;
  readonly reason: 'exited' | 'not-ready' | 'spawn' | 'prepare' | 'stranger' | 'files' | 'late';
  /** One sentence: what happened. */
  readonly what: string;
  /** The command line as it can be pasted into a shell; absent if no process was concerned. */
  readonly command?: string;
  readonly lastLines: readonly string[];
  readonly log?: string;
  /** The likely cause, if the last lines or the exit show a known one. */
  readonly cause?: string;
  readonly hint?: string;
  /** Ports of the task that another process holds. The network can be planned again around them. */
  readonly takenPorts: readonly number[];
  readonly exit: 1 | 3 | 4;
}

/** Returns the report for a terminal, a line each. */
export function failureLines(report: FailureReport): string[] {
  return [
    `${report.task} (${report.client}): ${report.what}`,
    ...(report.version === undefined ? [] : [`  version: ${report.version}`]),
    ...(report.cause === undefined ? [] : [`  likely cause: ${report.cause}`]),
    ...(report.hint === undefined ? [] : [`  ${report.hint}`]),
    ...(report.command === undefined ? [] : [`  command: ${report.command}`]),
    ...(report.lastLines.length === 0
      ? report.log === undefined || report.cause !== undefined
        ? []
        : [`  it wrote nothing to ${report.log}`]
      : [`  last lines of ${report.log ?? 'the logs'}:`, ...report.lastLines.map((line) => `    ${line}`)]),
  ];
}
