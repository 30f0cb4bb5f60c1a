import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { SOURCES } from './compile.ts';

/** A contract behind a predeploy's proxy. Arguments that start with `$` are slots. */
export interface ManifestImplementation {
  readonly predeploy: Hex;
  readonly name: string;
  readonly artefact: string;
  readonly args?: readonly unknown[];
  readonly initialize?: readonly unknown[];
  /** Words set in the proxy's storage without a call. */
  readonly storage?: Readonly<Record<Hex, string>>;
}

/**
 * A transaction of an upgrade bundle, its code named instead of spelt out.
 * `@` before an artefact stands for the address at which an earlier transaction deploys it.
 */
export type ManifestTransaction = { readonly intent: string; readonly from: Hex; readonly gasLimit: number } & (
  | { readonly create: string; readonly args?: readonly unknown[] }
  /** `to` is a deployer: the deterministic one, or the conditional one that calls it. */
  | { readonly to: Hex; readonly deploy: string; readonly args?: readonly unknown[] }
  /** The sender of a creation, or an `@` artefact. */
  | { readonly to: Hex; readonly upgradeTo: string }
  | { readonly to: Hex; readonly call: string; readonly args?: readonly unknown[] }
);

/** What a fork adds to L2: at genesis, and by transactions when it activates later (protocol facts, 1.4 and 4.1). */
export interface ManifestFork {
  readonly fork: string;
  readonly implementations?: readonly ManifestImplementation[];
  readonly unproxied?: readonly { readonly address: Hex; readonly name: string; readonly artefact: string }[];
  readonly preinstalls?: readonly string[];
  readonly calls?: readonly {
    readonly from: Hex;
    readonly to: Hex;
    readonly artefact: string;
    readonly call: string;
  }[];
  /** Contracts at the CREATE address of a keyless sender. */
  readonly system?: readonly { readonly name: string; readonly sender: Hex; readonly creation: Hex }[];
  /** Those that L1 alone has. */
  readonly l1System?: ManifestFork['system'];
  readonly bundle?: {
    readonly origin: 'official' | 'own';
    readonly source: string;
    /** false: the transactions are this package's own, and not those of the specification with other code. */
    readonly specified?: false;
    readonly transactions: readonly ManifestTransaction[];
  };
}

/** `src/contracts/forks.json`, oldest fork first. */
export function readManifest(): readonly ManifestFork[] {
  return JSON.parse(readFileSync(join(SOURCES, 'forks.json'), 'utf8')) as readonly ManifestFork[];
}
