import type * as z from 'zod/mini';
import type { ProbeContext } from './probe.ts';
import * as registry from './registry.ts';

/** All kinds of probes. Templates, plans and the supervisor take them from here. Their order has no effect. */
export const PROBE_KINDS = Object.values(registry);

type Kind = (typeof PROBE_KINDS)[number];

/** A probe of a plan. `expect` has paths in the answer (`a.b.0`, '' the answer itself) and their values. */
export type Probe = NonNullable<ReturnType<Kind['plan']>>;

/** A probe as a template writes it. */
export type ProbeTemplate = z.output<ReturnType<Kind['schema']>>;

/** Plans a probe of a template; undefined if the process has nothing to be asked. */
export function planProbe(written: ProbeTemplate, context: ProbeContext): Probe | undefined {
  return PROBE_KINDS.find(({ name }) => name in written)?.plan(written, context);
}
