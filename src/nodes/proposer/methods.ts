import * as z from 'zod';
import { type MethodTable, method } from '../../rpc/method.ts';

interface ProposerContext {
  readonly version: string;
}

/** Methods of the proposer's own RPC. */
export const HEALTH_METHODS: MethodTable<ProposerContext> = {
  health_status: method('Version of this program', z.tuple([]), ({ version }: ProposerContext) => version),
};
