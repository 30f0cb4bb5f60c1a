import { VERSION } from '../../../system/program/common-options.ts';

/** Labels of a unit of an exported network, by which `devnet attach --context` finds it. */
export const LABELS = {
  devnet: 'rollup-devnet.devnet',
  unit: 'rollup-devnet.unit',
  version: 'rollup-devnet.version',
} as const;

/** Returns the labels of a unit's container, or of its service of a swarm. */
export function composeLabels(devnet: string, unit: string): Readonly<Record<string, string>> {
  return { [LABELS.devnet]: devnet, [LABELS.unit]: unit, [LABELS.version]: VERSION };
}
