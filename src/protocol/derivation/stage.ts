import type { L1Header } from '../types.ts';

/**
 * What a stage answers when it is pulled: a value, `more` (it made progress, pull again) or `eof` (nothing is left at this L1 origin; only a
 * new L1 block brings more). Errors of ports and contradictions are thrown.
 */
export type Pulled<Value extends object> = Value | 'more' | 'eof';

/** What every stage has, handed up from L1 traversal: the L1 block that the whole pipeline stands at. */
export interface HasOrigin {
  origin(): L1Header;
}
