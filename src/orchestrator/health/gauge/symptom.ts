/** A sign of a problem whose cause is not known yet. */
export interface Symptom {
  /** Id of a gauge or task. Causes of other symptoms name it. */
  readonly id: string;
  readonly subject: string;
  readonly what: string;
  /** Unix milliseconds. */
  readonly since: number;
  /** Gauges and tasks that explain it, the first cause first. */
  readonly causes: readonly string[];
  /** The reason, if it is certain. */
  readonly because?: string;
  /** Reason that is shown if the process logged none. */
  readonly otherwise?: string;
}
