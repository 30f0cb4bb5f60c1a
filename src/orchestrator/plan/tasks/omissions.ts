import { l2GenesisHead } from '../../../protocol/genesis/index.ts';
import type { ProcessSpec } from '../../spec/schema/types.ts';
import { isReference, type Reference, type Values } from '../../template/references.ts';
import type { ClientTemplate } from '../../template/template.ts';
import { type PlanInputs, taskFolder } from '../inputs.ts';
import type { FileContent, PlannedFile } from '../plan.ts';
import { isPresent, withoutKeys } from '../without-keys.ts';

interface Omissions {
  /** Copies that lack the keys. */
  readonly files: readonly PlannedFile[];
  /** The references that lead to them. */
  readonly values: Values;
  readonly notices: readonly string[];
}

/** A process whose template or spec names keys that it must not see. */
interface Client {
  readonly id: string;
  readonly template: ClientTemplate;
  readonly process: ProcessSpec;
  readonly values: Values;
  /** The original files. */
  readonly files: readonly PlannedFile[];
}

/** Plans copies of a client's files without the keys that it must not see. */
export function planOmissions(
  { id, template, process, values, files: planned }: Client,
  inputs: PlanInputs,
): Omissions {
  const files: PlannedFile[] = [];
  const moved: Partial<Record<Reference, string>> = {};
  const notices: string[] = [];
  for (const [reference, keys] of Object.entries({ ...template.omit, ...process.omit })) {
    if (!isReference(reference) || keys.length === 0) continue;
    const path = values[reference];
    if (typeof path !== 'string') continue;
    const content = planned.find((file) => file.path === path)?.content ?? { kind: 'file' as const, path };
    const copy = `${taskFolder(inputs, id)}/${path.slice(path.lastIndexOf('/') + 1)}`;
    files.push({ path: copy, mode: 0o644, secret: false, content: without(content, keys) });
    moved[reference] = copy;
    const document = documentOf(content);
    const askedKeys = document === undefined ? [] : (new Map(Object.entries(process.omit)).get(reference) ?? []);
    for (const key of askedKeys.filter((one) => !isPresent(document, one)))
      notices.push(`${id}: ${path} has no key "${key}" to omit`);
  }
  return { files, values: moved, notices };
}

function without(content: FileContent | { readonly kind: 'file'; readonly path: string }, keys: readonly string[]) {
  if (content.kind === 'text') return { kind: 'text', text: withoutKeys(content.text, keys) } as const;
  if (content.kind === 'without') return { ...content, keys: [...content.keys, ...keys] };
  return { kind: 'without', of: content, keys } as const;
}

/** Parses the content of a small file; undefined if the content must be rendered first. */
function documentOf(content: FileContent | { readonly kind: 'file' }): unknown {
  if (content.kind === 'text') return JSON.parse(content.text);
  return content.kind === 'l2-genesis' ? l2GenesisHead(content.inputs) : undefined;
}
