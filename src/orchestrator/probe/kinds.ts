import type * as z from 'zod/mini';
import { exit } from './exit.ts';
import { height } from './height.ts';
import { http } from './http.ts';
import { log } from './log.ts';
import { peers } from './peers.ts';
import type { ProbeContext } from './probe.ts';
import { rpc } from './rpc.ts';
import { tcp } from './tcp.ts';

/** All kinds of probes. Templates, plans and the supervisor take them from here. */
export const KINDS = [rpc, http, tcp, log, height, peers, exit] as const;

type Kind = (typeof KINDS)[number];

/** A probe of a plan. `expect` has paths in the answer (`a.b.0`, '' the answer itself) and their values. */
export type Probe = NonNullable<ReturnType<Kind['plan']>>;

/** A probe as a template writes it. */
export type ProbeTemplate = z.output<ReturnType<Kind['schema']>>;

/** Plans a probe of a template; undefined where the process has nothing to be asked. */
export function planProbe(written: ProbeTemplate, context: ProbeContext): Probe | undefined {
  return KINDS.find(({ name }) => name in written)?.plan(written, context);
}
