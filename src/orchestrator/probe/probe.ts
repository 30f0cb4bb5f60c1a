import type { Probe } from '../plan/plan.ts';

/** What a probe found: it holds; nobody answers; or somebody answers something else than expected. */
export type Finding =
  | { readonly kind: 'holds' }
  | { readonly kind: 'silent'; readonly detail: string }
  | { readonly kind: 'differs'; readonly detail: string };

/** What probes need of the process that they are about. */
export interface ProbeSubject {
  readonly log: string;
  /** Bytes of the log that were written before this process. */
  readonly logStart: number;
  readonly exitCode: number | null | undefined;
}

interface ProbeCall<Kind extends Probe['kind']> {
  readonly probe: Extract<Probe, { kind: Kind }>;
  readonly subject: ProbeSubject;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** One kind of health check. Never throws: what goes wrong is a finding. */
export type Check<Kind extends Probe['kind']> = (call: ProbeCall<Kind>) => Promise<Finding>;

export const HOLDS: Finding = { kind: 'holds' };

/** The finding that nobody answered. */
export function silent(detail: string): Finding {
  return { kind: 'silent', detail };
}

/** The finding that the answer is another one. */
export function differs(detail: string): Finding {
  return { kind: 'differs', detail };
}
