import { ProtocolError } from '../../errors.ts';
import type { Hex } from '../../types.ts';

/** Creates the error for extraData that the rules in force reject. The block is invalid. */
export function extraDataError(extraData: Hex, expected: string): ProtocolError {
  return new ProtocolError('extra-data-invalid', 'drop', `header extraData must be ${expected}, found ${extraData}`, {
    extraData,
  });
}
