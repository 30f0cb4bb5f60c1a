import { jsonField } from '../../../rpc/json-object.ts';
import { Failure } from '../../../system/failure.ts';
import { writeAtomic } from '../../../system/files/atomic-write.ts';
import { readText } from '../../../system/files/folder.ts';

/**
 * Settings that admin methods changed (op-node: `ConfigPersistence`).
 * They survive restarts and take precedence over the options.
 */
export interface AdminState {
  /** undefined: never changed. */
  readonly sequencerStarted: boolean | undefined;
  save(state: { readonly sequencerStarted: boolean }): void;
}

/**
 * Opens the state file (op-node: `ActiveConfigPersistence`); without a path nothing is kept.
 * @throws Failure `admin-state` on a file of another format
 */
export function openAdminState(path: string | undefined): AdminState {
  let sequencerStarted = path === undefined ? undefined : read(path);
  return {
    get sequencerStarted() {
      return sequencerStarted;
    },
    save(state) {
      sequencerStarted = state.sequencerStarted;
      if (path !== undefined) writeAtomic(path, JSON.stringify(state) + '\n', 0o600);
    },
  };
}

function read(path: string): boolean | undefined {
  const text = readText(path);
  if (text === undefined || text.trim() === '') return undefined;
  try {
    const sequencerStarted = jsonField(JSON.parse(text), 'sequencerStarted');
    if (sequencerStarted === undefined || typeof sequencerStarted === 'boolean') return sequencerStarted;
  } catch {
    // Reported below.
  }
  throw new Failure('admin-state', `${path} is not an admin state: expected {"sequencerStarted": true|false}`, {
    data: { path },
    hint: 'delete the file to fall back to the options',
  });
}
