import { version } from '../devnet/version.ts';
import { portalsOf } from '../plan/chain/portal.ts';
import type { Plan } from '../plan/plan.ts';
import { MANIFEST_FORMAT } from './manifest-format.ts';
import type { Manifest } from './manifest-schema.ts';

/** System and processor of this machine. */
const PLATFORM = `${process.platform} ${process.arch}`;

/** Describes a snapshot that was just taken. */
export function manifestOf(plan: Plan, spec: string, at: number): Manifest {
  return {
    ...{ format: MANIFEST_FORMAT, version: version(), platform: PLATFORM, devnet: plan.devnet },
    ...{ taken: Date.now(), at, spec, facts: factsOf(plan) },
    ...{ portals: portalsOf(plan), files: [] },
  };
}

/**
 * Reads the manifest of a folder that has not changed since `parseManifest` accepted it.
 * Undefined if another version of devnet did. It loads no schema library, which takes 11 ms.
 */
export function keptManifest(text: string): Manifest | undefined {
  const manifest = JSON.parse(text) as Manifest;
  return manifest.format === MANIFEST_FORMAT && misfit(manifest) === undefined ? manifest : undefined;
}

/** Returns why this program cannot use a snapshot's data; undefined if it can. */
export function misfit(manifest: Manifest): string | undefined {
  if (manifest.version !== version())
    return `devnet ${manifest.version} took it, and this is devnet ${version()}: data formats may differ`;
  if (manifest.platform !== PLATFORM) return `it was taken on ${manifest.platform}, and this machine is ${PLATFORM}`;
  return undefined;
}

/** Returns the first fact in which a network differs from a snapshot's; undefined if there is none. */
export function differing(manifest: Manifest, plan: Plan): string | undefined {
  const facts = factsOf(plan);
  const names = [...new Set([...Object.keys(manifest.facts), ...Object.keys(facts)])];
  const name = names.find((each) => manifest.facts[each] !== facts[each]);
  const word = (value: string | undefined) => value ?? 'absent';
  return name && `${name}: ${word(manifest.facts[name])} in the snapshot, ${word(facts[name])} in the network`;
}

function factsOf({ genesisTime, time, network, tasks }: Plan): Record<string, string> {
  const chains = network.chains.flatMap(({ name, genesisHash, forks, nodes }) => [
    [`genesis of ${name}`, genesisHash],
    ...forkFacts(name, forks),
    ...nodes.flatMap((node) => forkFacts(`${name}/${node.name}`, node.overrides)),
  ]);
  return Object.fromEntries([
    ['genesis time', String(genesisTime)],
    ['clock', time.clock],
    ['genesis of L1', network.l1.genesisHash],
    ...chains,
    ...tasks.map(({ id, client }) => [`client of ${id}`, client]),
  ]);
}

/** Times of forks in Unix seconds, one fact for each: their order in a plan says nothing. */
function forkFacts(place: string, forks: Readonly<Record<string, number | null>>): [string, string][] {
  return Object.entries(forks).map(([fork, at]) => [`${fork} of ${place}`, at === null ? 'never' : String(at)]);
}
