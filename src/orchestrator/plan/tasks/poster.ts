import type { ProcessSpec } from '../../spec/schema/types.ts';
import type { Values } from '../../template/references.ts';
import { taskFolder } from '../inputs.ts';
import { entryOf } from '../lookup.ts';
import type { ChainView, PlannedFile } from '../plan.ts';
import { OUTSIDE, urlOf } from '../reach.ts';
import type { ChainContext } from './context.ts';
import { needsOf } from './needs.ts';
import { type PlannedTask, planTask } from './task.ts';

/** A process of a chain that belongs to none of its nodes, as planned. */
export interface PlannedPoster extends PlannedTask {
  readonly view: NonNullable<ChainView['batcher']>;
}

/** Kinds that have a key. */
type KeyedKind = 'batcher' | 'proposer' | 'challenger' | 'signer';

/** The key that a process posts with. */
interface PosterKey {
  readonly secret: string;
  readonly file: PlannedFile;
}

/** Returns the key of a process and its file. */
export function keyOf(kind: KeyedKind, { chain, inputs }: ChainContext): PosterKey {
  const secret = chain.roles[kind === 'signer' ? 'sequencer' : kind].privateKey;
  const path = `${taskFolder(inputs, `${chain.name}/${kind}`)}-key.hex`;
  return { secret, file: { path, mode: 0o600, secret: true, content: { kind: 'text', text: `${secret}\n` } } };
}

/** A process of a chain that belongs to none of its nodes. */
interface Poster {
  readonly kind: KeyedKind | 'da-server' | 'conductor';
  readonly process: ProcessSpec;
  readonly values: Values;
  /** Absent: it has none. */
  readonly key?: PosterKey;
  /** Time (ms) between two of its transactions, if that is long. */
  readonly intervalMs?: number;
}

/** Plans a process of a chain that belongs to none of its nodes. */
export function planPoster({ kind, process, values, key, intervalMs }: Poster, context: ChainContext): PlannedPoster {
  const { chain, files, sequencer, spec, clients, addresses } = context;
  const id = `${chain.name}/${kind}`;
  const template = entryOf(clients, process.client);
  const keyFiles = key === undefined ? [] : [key.file];
  const planned = planTask(
    {
      id,
      chain: chain.name,
      process,
      template,
      values: (from) => ({ ...context.values(from), ...values }),
      overrides: {},
      secrets: key === undefined ? [] : [key.secret],
      needs: needsOf(template, sequencer, entryOf(clients, spec.l1.beacon.client)),
      files: [...files, ...keyFiles],
      onExit: chain.spec.onExit,
      peers: 0,
      ...(intervalMs === undefined ? {} : { intervalMs }),
    },
    context,
  );
  const view = {
    task: id,
    ...(template.ports['rpc'] === undefined ? {} : { rpc: urlOf(addresses, 'http', OUTSIDE, id, 'rpc') }),
  };
  return { ...planned, files: [...keyFiles, ...planned.files], view };
}
