import { join } from 'node:path';
import { useKeccak } from '../../protocol/hash.ts';
import { wasmKeccak } from '../../system/crypto/keccak.ts';
import { readFile } from '../folder/render.ts';
import type { LoadedSpec } from '../load/loaded-spec.ts';
import { entryOf } from '../plan/lookup.ts';
import type { Plan } from '../plan/plan.ts';
import type { Io } from '../terminal/io.ts';
import { attachText } from './attach-text.ts';
import { checkArguments } from './client-refusals.ts';
import { hostNamesOf } from './host-names.ts';
import { type ExportFile, networkFiles, secretsText } from './network-folder.ts';
import { placesOf } from './places.ts';
import { checkExport } from './refusals.ts';
import { type Unit, unitsOf } from './unit.ts';
import { planUnits } from './unit-plan.ts';

/** Folder of the spec and file of the seed, relative to the folder of an export. */
export const EXPORT_PATHS = { networkFolder: 'devnet', secretsFile: 'secrets/devnet.json' } as const;

/** Folder of the volumes in a unit. Plans of an export name it, and nothing is written there. */
const DATA = '/data';

/** Time (Unix seconds) at which an export is planned. */
const ANY_TIME = 1_000_000_000;

/** A network as every engine gets it: its units, and the files from which they plan it. */
export interface ExportedNetwork {
  readonly devnet: string;
  readonly units: readonly Unit[];
  readonly files: readonly ExportFile[];
  /** File by which `devnet attach` finds it. */
  readonly attach: ExportFile;
  /** Name of the package's own image. */
  readonly image: string;
  /** Parts of the spec that the export leaves out. */
  readonly notices: readonly string[];
}

/**
 * Checks a spec for an export and lists its units and files. `isExposed`: other machines reach its ports.
 * @throws Failure `spec` (exit 2) with every part that an exported network cannot have
 */
export async function exportNetwork(io: Io, loaded: LoadedSpec, isExposed: boolean): Promise<ExportedNetwork> {
  checkExport(loaded, { isExposed });
  useKeccak(await wasmKeccak());
  // Each start on empty volumes has a time of its own. So this one is constant, and equal specs give equal exports.
  const plan = planUnits(io, loaded, DATA, ANY_TIME);
  const { networkFolder, secretsFile } = EXPORT_PATHS;
  checkArguments(loaded, plan, planUnits(io, loaded, DATA, ANY_TIME + 1));
  const { spec, clients } = loaded;
  const units = unitsOf(plan, { hostNames: hostNamesOf(spec), places: placesOf(spec), clients });
  return {
    devnet: loaded.spec.name,
    units,
    files: [
      ...networkFiles(loaded, io.cwd, readFile).map((file) => ({ ...file, path: join(networkFolder, file.path) })),
      { path: secretsFile, text: secretsText(loaded), secret: true },
    ],
    attach: {
      path: 'attach.yaml',
      text: attachText(
        plan,
        units,
        EXPORT_PATHS,
        (chain) => entryOf(loaded.spec.chains, chain).accounts.mnemonic === null,
      ),
    },
    image: plan.image,
    notices: noticesOf(loaded, plan),
  };
}

function noticesOf({ spec }: LoadedSpec, plan: Plan): readonly string[] {
  return [
    ...(spec.after.length === 0 ? [] : ['the commands of `after` do not run: an exported network has no supervisor']),
    ...(plan.otel === undefined ? [] : ['no traces are sent: an exported network has no supervisor']),
    ...(plan.abi === undefined ? [] : [`the ABIs of ${plan.abi} are left out: they stay on this machine`]),
    ...(plan.dashboard === undefined ? [] : ['the dashboard is left out: run it beside the network']),
  ];
}
