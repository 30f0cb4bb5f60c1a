import { RpcError } from '../../../rpc/error.ts';

/** Error codes of the Engine API (specification: Engine API, Errors). */
export const ENGINE_CODE = {
  unknownPayload: -38001,
  invalidForkchoiceState: -38002,
  invalidPayloadAttributes: -38003,
  tooLargeRequest: -38004,
  unsupportedFork: -38005,
} as const;

const MESSAGES: Readonly<Record<keyof typeof ENGINE_CODE, string>> = {
  unknownPayload: 'Unknown payload',
  invalidForkchoiceState: 'Invalid forkchoice state',
  invalidPayloadAttributes: 'Invalid payload attributes',
  tooLargeRequest: 'Too large request',
  unsupportedFork: 'Unsupported fork',
};

/**
 * Returns an Engine API error (geth: `EngineAPIError`, reth: `EngineApiError`). `detail` is sent as `data.err`, as geth
 * does.
 */
export function engineError(kind: keyof typeof ENGINE_CODE, detail?: string): RpcError {
  return new RpcError(ENGINE_CODE[kind], MESSAGES[kind], detail === undefined ? undefined : { err: detail });
}
