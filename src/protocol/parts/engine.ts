import type { EngineVersions } from './rules.ts';

/** Specification: Engine API, method versions by fork. */
export const bedrockEngine: EngineVersions = { forkchoiceUpdated: 1, newPayload: 2, getPayload: 2 };
export const canyonEngine: EngineVersions = { forkchoiceUpdated: 2, newPayload: 2, getPayload: 2 };
export const ecotoneEngine: EngineVersions = { forkchoiceUpdated: 3, newPayload: 3, getPayload: 3 };
export const isthmusEngine: EngineVersions = { forkchoiceUpdated: 3, newPayload: 4, getPayload: 4 };
export const karstEngine: EngineVersions = { forkchoiceUpdated: 3, newPayload: 4, getPayload: 5 };
