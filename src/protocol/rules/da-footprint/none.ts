import type { DaFootprintRules } from '../rules.ts';

/** Before jovian blocks have no data-availability footprint. */
export const noDaFootprint: DaFootprintRules = { read: () => null };
