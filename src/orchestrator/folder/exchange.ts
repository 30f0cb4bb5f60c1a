import { dirname, join, relative } from 'node:path';
import {
  exists,
  isFolder,
  move,
  privateFolder,
  readText,
  remove,
  replaceFile,
  setAside,
} from '../../system/files/folder.ts';
import type { ClockState } from '../../system/time/clock-state.ts';
import type { Paths } from '../state/paths.ts';

/** A replacement of files and folders of a devnet: of all together, or of none. */
export interface Exchange {
  /**
   * Returns the path at which the new content of a path is made. What lies below a staged folder is made in it.
   * @throws Failure `home` if the disk is full
   */
  stage(path: string): string;
  /** Whether anything is staged. */
  isEmpty(): boolean;
  /** Ends the staging. What follows needs no more disk. @throws Failure `write` if the disk is full */
  seal(): void;
  /** Puts the new content of all paths in place, by renames alone. @throws if none was replaced */
  swap(): void;
  /** Puts the old content back in place, and removes the new one. */
  undo(): void;
  /** Removes the old content. */
  commit(): void;
}

/** What a killed supervisor leaves of an exchange. */
interface List {
  readonly paths: readonly { readonly path: string; readonly existed: boolean }[];
  /** The clock of the network before the exchange. */
  readonly clock?: ClockState;
}

const placeOf = ({ folder }: Paths) => join(folder, 'exchange');

/**
 * Begins an exchange in the devnet's folder, on the disk of what it replaces. The old content stays beside the new one
 * until `commit`. `clock`: state of the clock to which an undone exchange returns.
 */
export function openExchange(paths: Paths, clock?: ClockState): Exchange {
  const place = placeOf(paths);
  const staged: string[] = [];
  let list: List = { paths: [] };
  remove(place);

  function stage(path: string): string {
    const isStaged = staged.some((each) => path === each || path.startsWith(`${each}/`));
    if (!isStaged) {
      staged.push(path);
      // A rename on a full disk needs folders that exist.
      for (const side of ['new', 'old']) privateFolder(dirname(at(paths, side, path)));
    }
    return at(paths, 'new', path);
  }

  return {
    stage,
    isEmpty: () => staged.length === 0,
    seal() {
      list = { paths: staged.map((path) => ({ path, existed: exists(path) })), ...(clock && { clock }) };
      if (staged.length > 0) replaceFile(join(place, LIST), JSON.stringify(list));
    },
    swap() {
      try {
        for (const { path, existed } of list.paths) {
          if (existed) setAside(path, at(paths, 'old', path));
          move(at(paths, 'new', path), path);
        }
      } catch (error) {
        undoExchange(paths);
        throw error;
      }
    },
    undo: () => void undoExchange(paths),
    commit() {
      // Without its list, an exchange is over.
      remove(join(place, LIST));
      remove(place);
    },
  };
}

const LIST = 'list.json';

/**
 * Undoes the exchange that a supervisor did not end. Returns the clock of the network before it, undefined if there
 * was none.
 */
export function undoExchange(paths: Paths): ClockState | undefined {
  const place = placeOf(paths);
  const text = readText(join(place, LIST));
  const list: List | undefined = text === undefined ? undefined : JSON.parse(text);
  for (const { path, existed } of list?.paths ?? []) {
    const old = at(paths, 'old', path);
    const isReplaced = existed ? exists(old) : !exists(at(paths, 'new', path));
    if (!isReplaced) continue;
    if (!existed || isFolder(path)) remove(path);
    if (existed) move(old, path);
  }
  remove(join(place, LIST));
  remove(place);
  return list?.clock;
}

function at(paths: Paths, side: string, path: string): string {
  return join(placeOf(paths), side, relative(paths.folder, path));
}
