import { isDeepStrictEqual } from 'node:util';
import { loadSpec } from '../load/load-spec.ts';
import type { LoadedSpec, SpecInput } from '../load/loaded-spec.ts';
import type { Plan } from '../plan/plan.ts';
import { isMap, type Json } from '../spec/schema/json.ts';
import type { Io } from '../terminal/io.ts';
import { differing } from './manifest.ts';
import { refusalOf } from './refusal.ts';
import { findSnapshot } from './store.ts';
import { openSnapshot } from './unpacked.ts';

/** An unpacked snapshot that a network can begin with. */
export interface Beginning {
  /** The spec of the snapshot, with the changes of the command line. */
  readonly loaded: LoadedSpec;
  /** The folder of its data and its time, for the supervisor. */
  readonly from: { readonly folder: string; readonly at: number };
  /** What the portals of its L1 hold at genesis: decimal wei by chain id. */
  readonly portals: Readonly<Record<string, string>>;
  /** @throws Failure `snapshot` if a plan is of another network than the snapshot */
  mustFit(plan: Plan): void;
  /** Called when the supervisor has copied the data, or never will. */
  release(): void;
}

/** Keys of a spec in which a network may differ from its snapshot. */
const FREE = ['name', 'ports', 'time', 'logs', 'after', 'dashboard'];

/**
 * Unpacks a snapshot and loads its spec. A spec of the command line must be the same but for name, ports and times.
 * @throws Failure `snapshot` (exit 2)
 */
export async function beginFrom(io: Io, word: string, input: SpecInput): Promise<Beginning> {
  const { manifest, folder, release } = await openSnapshot(io, findSnapshot(io, word));
  try {
    const source = { name: `${word}:spec.yaml`, text: manifest.spec };
    const loaded = await loadSpec(io, { ...input, spec: { source, name: manifest.devnet } });
    if (input.spec !== undefined) {
      const other = await loadSpec(io, input);
      // As text it has no keys without a value.
      const key = differingKey(JSON.parse(JSON.stringify(other.document)), JSON.parse(manifest.spec));
      if (key !== undefined)
        throw refusalOf(
          word,
          `it is of another spec than ${other.source.name}: ${key} differs`,
          'nothing was done; leave the spec out to start with that of the snapshot, or save a new one',
        );
    }
    return {
      loaded,
      from: { folder, at: manifest.at },
      portals: manifest.portals ?? {},
      mustFit(plan) {
        const difference = differing(manifest, plan);
        if (difference !== undefined) throw refusalOf(word, `the network would be another one; ${difference}`);
      },
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

function differingKey(one: Json, other: Json): string | undefined {
  if (!isMap(one) || !isMap(other)) return 'everything';
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((key) => !FREE.includes(key));
  return keys.find((key) => !isDeepStrictEqual(one[key], other[key]));
}
