import type { BatchRules } from './rules.ts';

/** Specification: derivation, Batch Format and Batch Queue. */
export const bedrockBatches: BatchRules = {
  span: false,
  transactionTypes: [1, 2],
  maxSequencerDrift: (config) => config.max_sequencer_drift,
  blobs: false,
};

export const deltaBatches: BatchRules = { ...bedrockBatches, span: true };

export const ecotoneBatches: BatchRules = { ...deltaBatches, blobs: true };

/** The drift became a constant of the protocol. */
export const fjordBatches: BatchRules = { ...ecotoneBatches, maxSequencerDrift: () => 1800 };

export const isthmusBatches: BatchRules = { ...fjordBatches, transactionTypes: [1, 2, 4] };
