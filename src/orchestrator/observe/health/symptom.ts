/** One sign that something is wrong, before its cause is known. */
export interface Symptom {
  /** A gauge, or the task itself: what others name as their cause. */
  readonly id: string;
  readonly subject: string;
  readonly what: string;
  /** Unix milliseconds. */
  readonly since: number;
  /** Gauges and tasks that explain it, the first cause first. */
  readonly causes: readonly string[];
  /** Why, where that is certain. */
  readonly because?: string;
  /** What may be said where the process itself said nothing. */
  readonly otherwise?: string;
}
