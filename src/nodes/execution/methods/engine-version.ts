import type { Rules } from '../../../protocol/rules/rules.ts';
import { engineError } from '../engine/errors.ts';

/**
 * Checks that a version of an Engine API method serves blocks of these rules (geth: `checkFork`,
 * reth: `validate_payload_timestamp`).
 * Before withdrawals V1 does, as V2. @throws RpcError -38005
 */
export function checkVersion(method: 'newPayload' | 'getPayload', version: number, { engine, header }: Rules): void {
  const expected = engine[method];
  if (version === expected || (version === 1 && expected === 2 && header.withdrawalsRoot === 'absent')) return;
  throw engineError('unsupportedFork', `${method}V${version} does not serve this timestamp, use V${expected}`);
}
