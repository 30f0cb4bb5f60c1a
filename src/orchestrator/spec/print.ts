import { stringify } from 'yaml';
import { specDocument } from './document.ts';
import type { Spec } from './spec.ts';

/** A resolved spec as YAML. */
export function specText(spec: Spec): string {
  return stringify(specDocument(spec), { lineWidth: 0 });
}
