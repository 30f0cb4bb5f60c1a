import { join } from 'node:path';
import { isJsonObject } from '../../rpc/json-object.ts';
import { makeFolders, namesIn, readText, remove, replaceFile } from '../../system/files/folder.ts';
import { identify, type ProcessIdentity, stillRuns } from '../../system/process/identity.ts';
import type { Paths } from '../state/paths.ts';
import { isIdentity } from '../state/state.ts';

interface ServedDashboard {
  /** Without its token. */
  readonly url: string;
  readonly process: ProcessIdentity;
}

const folderOf = ({ folder }: Pick<Paths, 'folder'>) => join(folder, 'dashboards');

/** Records that this process serves a dashboard of a devnet at a port of loopback. Returns the record's removal. */
export function recordDashboard(paths: Pick<Paths, 'folder'>, port: number): () => void {
  const identity = identify(process.pid);
  if (identity === undefined) return () => undefined;
  const path = join(folderOf(paths), `${port}.json`);
  const served: ServedDashboard = { url: `http://127.0.0.1:${port}/`, process: identity };
  makeFolders(folderOf(paths));
  replaceFile(path, JSON.stringify(served));
  return () => remove(path);
}

/** Returns the addresses of a devnet's dashboards whose processes run. Killed ones left a record, and do not count. */
export function servedDashboards(paths: Pick<Paths, 'folder'>): readonly string[] {
  return namesIn(folderOf(paths)).flatMap((name) => {
    const served = servedBy(readText(join(folderOf(paths), name)) ?? '');
    return served !== undefined && stillRuns(served.process) ? [served.url] : [];
  });
}

function servedBy(text: string): ServedDashboard | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value) || typeof value['url'] !== 'string' || !isIdentity(value['process'])) return undefined;
    return { url: value['url'], process: value['process'] };
  } catch {
    return undefined;
  }
}
