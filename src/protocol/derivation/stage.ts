import type { L1Header } from '../types.ts';

/**
 * Result of pulling a stage.
 * A value, `more` (progress was made: pull again) or `eof` (only a new L1 block brings more). Errors are thrown.
 */
export type Pulled<Value extends object> = Value | 'more' | 'eof';

/** What every stage has, handed up from L1 traversal: the L1 block that the whole pipeline stands at. */
export interface HasOrigin {
  origin(): L1Header;
}
