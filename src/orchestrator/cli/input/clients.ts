import { programFault } from '../../../system/process/executable.ts';
import { anvilPath } from '../../load/anvil.ts';
import { clientNames, clientSource } from '../../load/package-files.ts';
import type { ClientKind } from '../../spec/resolve/client.ts';
import type { Runtime } from '../../spec/schema/types.ts';
import { loadTemplate } from '../../template/load.ts';
import type { ClientTemplate } from '../../template/template.ts';

/** A client template of the package, as `devnet clients --json` prints it. */
export interface ListedClient {
  readonly name: string;
  readonly kind: ClientKind;
  readonly runtimes: readonly Runtime[];
  /** Whether a spec that only names it can be started on this machine. */
  readonly usable: boolean;
  /** Why it is not usable; null if it is. */
  readonly reason: string | null;
}

/** Lists the templates of the package in the order of their names. */
export function listClients(env: Readonly<Record<string, string | undefined>>): readonly ListedClient[] {
  return [...clientNames()].sort().map((name) => listed(name, env));
}

function listed(name: string, env: Readonly<Record<string, string | undefined>>): ListedClient {
  const file = clientSource(name);
  const loaded = file === undefined ? undefined : loadTemplate(name, file);
  if (loaded?.ok !== true) throw new Error(`the template ${name} of the package is damaged`);
  const { template } = loaded;
  const reason = whyUnusable(template, env) ?? null;
  return { name, kind: template.kind, runtimes: template.runtimes, usable: reason === null, reason };
}

/** Returns what a spec or this machine has to add before the client can start. */
function whyUnusable(
  { runtimes, needsBinary, program, needsImage, runs }: ClientTemplate,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (runtimes.includes('embedded')) return undefined;
  if (needsBinary) return `a spec has to give its program: binary: …${needsImage ? ', or image: …' : ''}`;
  // The only reference in a program's place is that of anvil.
  const file = program ?? (runs.process === undefined ? undefined : anvilPath(env));
  const fault = file === undefined ? undefined : programFault(file, env['PATH']);
  return fault === undefined ? undefined : `the program ${file} ${fault}`;
}
