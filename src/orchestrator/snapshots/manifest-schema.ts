import * as z from 'zod/mini';
import { MOST_FILES } from './limits.ts';
import { MANIFEST, MANIFEST_FORMAT } from './manifest-format.ts';

/** A path below the data. It has no control characters, which a terminal would obey. */
const path = z
  .string()
  .check(
    z.regex(
      /^data\/(?!(.*\/)?\.\.(\/|$))[^\p{Cc}]{1,1000}$/u,
      'expected a path below data, of at most 1000 characters without control characters',
    ),
  );
const file = z.strictObject({ path, size: z.int().check(z.nonnegative()), crc32: z.string() });

/** Unix ms that a `Date` can hold, and timers can count to. */
const time = z.number().check(z.positive(), z.lt(4e12));

const schema = z.strictObject({
  format: z.literal(MANIFEST_FORMAT),
  /** Of the package that took it. */
  version: z.string(),
  /** System and processor. */
  platform: z.string(),
  /** The devnet that it was taken of. */
  devnet: z.string(),
  /** When it was taken: Unix ms of the machine's clock, and of the network's. */
  taken: time,
  at: time,
  /** The devnet's own spec, with its genesis time. */
  spec: z.string(),
  /** What data of processes depend on, by name. */
  facts: z.record(z.string(), z.string()),
  /** What the portals hold at genesis: decimal wei by chain id. An earlier version has no such key: nothing. */
  portals: z.exactOptional(z.record(z.string(), z.string())),
  /** Every file with its checksum; empty if the snapshot is a folder of a running devnet. */
  files: z.array(file).check(z.maxLength(MOST_FILES, `expected at most ${MOST_FILES} files`)),
});

/** Describes a snapshot: `snapshot.json` in its folder and its archive. */
export type Manifest = z.output<typeof schema>;

/** One file of an archive. */
export type ManifestFile = z.output<typeof file>;

/** Parses a manifest. Returns why it cannot be read as text. */
export function parseManifest(text: string): Manifest | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `${MANIFEST} is not JSON`;
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return issue?.path[0] === 'format'
    ? `another version of devnet took it: this one reads format ${MANIFEST_FORMAT}`
    : `${MANIFEST} is malformed: ${issue?.path.join('.')}: ${issue?.message}`;
}
