import * as z from 'zod';
import { RPC_CODE, RpcError } from '../../rpc/error.ts';
import { type MethodTable, method } from '../../rpc/method.ts';

/** What the challenger's RPC tells. */
export interface ChallengerFacts {
  readonly version: string;
  /** What keeps it from challenging; undefined: nothing. */
  hindrance: string | undefined;
}

/** Methods of the challenger's own RPC. */
export const CHALLENGER_METHODS: MethodTable<ChallengerFacts> = {
  health_status: method(
    'Version of this program; an error that says what keeps it from challenging',
    z.tuple([]),
    ({ version, hindrance }: ChallengerFacts) => {
      if (hindrance !== undefined) throw new RpcError(RPC_CODE.server, hindrance);
      return version;
    },
  ),
};
