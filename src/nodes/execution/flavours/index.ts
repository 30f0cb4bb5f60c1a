import { GO } from './go/index.ts';
import type { Flavour, FlavourName } from './interface/flavour.ts';
import { RUST } from './rust/index.ts';

/** Flavours by name. */
export const FLAVOURS: Readonly<Record<FlavourName, Flavour>> = { rust: RUST, go: GO };

/** Flavours that `--flavour` accepts; the first is the default. */
export const FLAVOUR_NAMES = ['rust', 'go'] as const satisfies readonly FlavourName[];
