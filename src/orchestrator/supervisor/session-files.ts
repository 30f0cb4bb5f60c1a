import { join } from 'node:path';
import { replaceFile } from '../../system/files/folder.ts';
import { DATA } from '../checkpoints/snapshots.ts';
import { dropReplaced } from '../folder/devnet-folder.ts';
import { placeTaskData } from '../folder/exchange.ts';
import { type FileSources, type Files, startFiles } from '../folder/files.ts';
import type { Plan } from '../plan/plan.ts';
import type { Paths } from '../state/paths.ts';
import type { FirstOrder, OwnIo } from './first-order.ts';

/** The files of a new devnet, which are written beside the start. A stopped devnet has its files. */
export interface SessionFiles {
  readonly files: Files | undefined;
  /** Resolves when the spec is in the devnet's folder. */
  readonly spec: Promise<void> | undefined;
}

/** Begins to write the files of a new devnet. */
export function sessionFiles(order: FirstOrder, plan: Plan, paths: Paths, io: OwnIo): SessionFiles {
  const isNew = order.kind === 'up';
  const files = isNew ? startFiles(plan.files, plan, io.render, sourcesOf(order, io)) : undefined;
  const spec = isNew ? io.text(paths.spec).then((text = '') => replaceFile(paths.spec, text)) : undefined;
  void Promise.all([files?.all, spec]).then(
    () => dropReplaced(paths),
    () => undefined,
  );
  return { files, spec };
}

function sourcesOf({ plan, from, rendered = {} }: Extract<FirstOrder, { kind: 'up' }>, { text }: OwnIo): FileSources {
  return {
    async rendered({ path }) {
      const content = rendered[path];
      return content === 'follows' ? text(path) : content;
    },
    ...(from && { place: (task) => placeTaskData(task, plan, join(from.folder, DATA)) }),
  };
}
