import type { Probe } from '../plan/plan.ts';

/** What a probe found: it holds; nobody answers; or somebody answers something else than expected. */
export type Finding =
  | { readonly kind: 'ok' }
  | { readonly kind: 'unreachable'; readonly detail: string }
  | { readonly kind: 'mismatch'; readonly detail: string };

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

export const OK: Finding = { kind: 'ok' };

/** The finding that nobody answered. */
export function unreachable(detail: string): Finding {
  return { kind: 'unreachable', detail };
}

/** The finding that the answer is another one. */
export function mismatch(detail: string): Finding {
  return { kind: 'mismatch', detail };
}
