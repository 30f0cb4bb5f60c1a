import { Resolver } from 'node:dns/promises';
import { systemCode } from '../../system/failure.ts';
import { readText } from '../../system/files/folder.ts';
import { isIP } from '../../system/net/ip.ts';
import type { Probe } from '../plan/plan.ts';

/** Time (ms) for a DNS server to answer. */
const ANSWER_MS = 1000;

/** Where names are looked up. */
export interface NameSources {
  /** Addresses of DNS servers; absent: those of the machine. */
  readonly servers?: readonly string[];
  readonly hostsFile: string;
}

/** Name sources of a container. */
export const MACHINE: NameSources = { hostsFile: '/etc/hosts' };

/**
 * Returns the first host of probes for whose name no DNS server has an answer, yes or no, in time.
 * Undefined: a request to each of them ends in time. Node's own lookup waits for the servers in a thread, some ten
 * seconds long, and a process ends after its threads alone.
 */
export async function unansweredName(
  probes: readonly Probe[],
  { servers, hostsFile }: NameSources,
): Promise<string | undefined> {
  const ofFile = new Set((readText(hostsFile) ?? '').split(/\s+/));
  const hosts = new Set(probes.flatMap((probe) => ('url' in probe ? [new URL(probe.url).hostname] : [])));
  const names = [...hosts].filter((host) => isIP(host.replace(/^\[|\]$/g, '')) === 0 && !ofFile.has(host));
  const resolver = new Resolver({ timeout: ANSWER_MS, tries: 1 });
  if (servers !== undefined) resolver.setServers([...servers]);
  for (const name of names) {
    const code = await resolver.resolve4(name).then(
      () => undefined,
      (error: unknown) => systemCode(error),
    );
    if (code === 'ETIMEOUT' || code === 'ECONNREFUSED') return name;
  }
  return undefined;
}
