import * as z from 'zod/mini';
import type { Plan } from '../../plan/plan.ts';
import { version } from '../version.ts';

/** Raised with every change of the format that an older version would misread. */
const FORMAT = 4;

const file = z.strictObject({ path: z.string(), size: z.int(), crc32: z.string() });

const schema = z.strictObject({
  format: z.literal(FORMAT),
  /** Of the package that took it. */
  version: z.string(),
  /** System and processor. */
  platform: z.string(),
  /** The devnet that it was taken of. */
  devnet: z.string(),
  /** When it was taken: Unix ms of the machine's clock, and of the network's. */
  taken: z.number(),
  at: z.number(),
  /** The devnet's own spec, with its genesis time. */
  spec: z.string(),
  /** What data of processes depend on, by name. */
  facts: z.record(z.string(), z.string()),
  /** Every file with its checksum; empty where the snapshot is a folder of a running devnet. */
  files: z.array(file),
});

/** Describes a snapshot: `snapshot.json` in its folder and its archive. */
export type Manifest = z.output<typeof schema>;

/** One file of an archive. */
export type ManifestFile = z.output<typeof file>;

export const MANIFEST = 'snapshot.json';

/** System and processor of this machine. */
const PLATFORM = `${process.platform} ${process.arch}`;

/** Describes a snapshot that was just taken. */
export function manifestOf(plan: Plan, spec: string, at: number): Manifest {
  return {
    ...{ format: FORMAT, version: version(), platform: PLATFORM, devnet: plan.devnet },
    ...{ taken: Date.now(), at, spec, facts: factsOf(plan), files: [] },
  };
}

/** Parses a manifest. Returns why it cannot be read as text. */
export function parseManifest(text: string): Manifest | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `${MANIFEST} is no JSON`;
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return issue?.path[0] === 'format'
    ? `another version of devnet took it: this one reads format ${FORMAT}`
    : `${MANIFEST} is malformed: ${issue?.path.join('.')}: ${issue?.message}`;
}

/** Returns why this program cannot use a snapshot's data; undefined where it can. */
export function misfit(manifest: Manifest): string | undefined {
  if (manifest.version !== version())
    return `devnet ${manifest.version} took it, and this is devnet ${version()}: data formats may differ`;
  if (manifest.platform !== PLATFORM) return `it was taken on ${manifest.platform}, and this machine is ${PLATFORM}`;
  return undefined;
}

/** Returns the first fact in which a network differs from a snapshot's; undefined where there is none. */
export function differing(manifest: Manifest, plan: Plan): string | undefined {
  const own = factsOf(plan);
  const names = [...new Set([...Object.keys(manifest.facts), ...Object.keys(own)])];
  const name = names.find((each) => manifest.facts[each] !== own[each]);
  const word = (value: string | undefined) => value ?? 'absent';
  return name && `${name}: ${word(manifest.facts[name])} in the snapshot, ${word(own[name])} in the network`;
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
