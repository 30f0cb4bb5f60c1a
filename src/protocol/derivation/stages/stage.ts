import type { L1Header } from '../../types.ts';

/**
 * Result of pulling a stage.
 * A value, `more` (progress was made: pull again) or `eof` (only a new L1 block brings more). Errors are thrown.
 * Counterparts: `NotEnoughData` and `io.EOF` (op-node), `PipelineError::NotEnoughData` and `PipelineError::Eof` (kona).
 */
export type Pulled<Value extends object> = Value | 'more' | 'eof';

/**
 * The L1 block that the whole pipeline processes. Each stage returns that of the stage below (kona: `OriginProvider`).
 */
export interface HasOrigin {
  origin(): L1Header;
}
