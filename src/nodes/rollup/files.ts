import type { DaStorage, Rollup } from '../../protocol/derivation/ports.ts';
import { rollupOf } from '../../protocol/derivation/rollup.ts';
import { readOrCreateJwtSecret } from '../../system/crypto/jwt-secret.ts';
import type { Logger } from '../../system/program/log.ts';
import { daStorageOf } from './da-storage.ts';
import { type AdminState, openAdminState } from './driver/admin-state.ts';
import { openSafeDb, type SafeDb } from './driver/safedb.ts';
import { type DependencySet, loadDependencySet } from './interop/dependency-set.ts';
import { loadBlobSchedule } from './l1/blob-schedule.ts';
import { checkForChain } from './options/chain-checks.ts';
import { loadBundles, loadRollupConfig } from './options/config.ts';
import type { RollupNodeOptions } from './options/index.ts';

/** File of the JWT secret when no option names one. */
const DEFAULT_JWT_FILE = 'jwt.txt';

/** The files that the options name, read and checked. */
export interface NodeFiles {
  readonly rollup: Rollup;
  readonly daStorage: DaStorage | undefined;
  readonly jwtFile: string;
  readonly jwtSecret: Uint8Array;
  readonly adminState: AdminState;
  readonly safedb: SafeDb | undefined;
  readonly dependencySet: DependencySet | undefined;
}

/** Opens every file that the options name. @throws Failure on a file that the node cannot use */
export function openNodeFiles(options: RollupNodeOptions, log: Logger): NodeFiles {
  const config = loadRollupConfig(options.rollupConfig, options.forkOverrides, options.keepGasOverrides);
  const rollup = rollupOf(config, {
    bundles: loadBundles(config, options.upgradeBundles),
    ...(options.l1ChainConfig === undefined ? {} : { l1BlobSchedule: loadBlobSchedule(options.l1ChainConfig) }),
  });
  checkForChain(options, rollup);
  const jwtFile = options.jwtSecret || DEFAULT_JWT_FILE;
  return {
    rollup,
    daStorage: daStorageOf(config, options),
    jwtFile,
    jwtSecret: readOrCreateJwtSecret(jwtFile, (message) => log.warn(message)),
    adminState: openAdminState(options.adminState),
    safedb: options.safedb === undefined ? undefined : openSafeDb(options.safedb),
    dependencySet:
      options.interopSet === undefined ? undefined : loadDependencySet(options.interopSet, config.l2_chain_id),
  };
}
