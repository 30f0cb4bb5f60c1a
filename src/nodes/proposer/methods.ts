import * as z from 'zod';
import type { Hex } from '../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../rpc/error.ts';
import { type MethodTable, method } from '../../rpc/method.ts';
import type { ProposedFalseOutput } from './false-output.ts';

/** Operations of the proposer that its RPC methods call (op-proposer: `ProposerDriver`). */
export interface ProposerControl {
  readonly version: string;
  readonly running: boolean;
  start(): void;
  stop(): Promise<void>;
  proposeFalseOutput(root: Hex, block: number | undefined): Promise<ProposedFalseOutput>;
}

const NO_PARAMS = z.tuple([]);
const FALSE_OUTPUT = z.tuple([
  z.object({ root: z.custom<Hex>((value) => /^0x[\da-f]{64}$/i.test(String(value))), block: z.int().optional() }),
]);
type Of = ProposerControl;

const refused = (message: string) => new RpcError(RPC_CODE.server, message);

/** Methods of the proposer's own RPC that are always served. */
export const HEALTH_METHODS: MethodTable<ProposerControl> = {
  health_status: method('Version of this program', NO_PARAMS, ({ version }: Of) => version),
};

/** Methods of the admin namespace, with op-proposer's messages (op-proposer: `adminAPI`). */
export const ADMIN_METHODS: MethodTable<ProposerControl> = {
  admin_startProposer: method('Goes on proposing', NO_PARAMS, (control: Of) => {
    if (control.running) throw refused('proposer is already running');
    control.start();
    return null;
  }),
  admin_stopProposer: method(
    'Stops proposing; a transaction under way is not waited for',
    NO_PARAMS,
    async (control: Of) => {
      if (!control.running) throw refused('proposer is not running');
      await control.stop();
      return null;
    },
  ),
  devnet_proposeFalseOutput: method(
    'Proposes a root that is not the output of the block; absent: of the newest safe block',
    FALSE_OUTPUT,
    (control: Of, [{ root, block }]) => control.proposeFalseOutput(root, block),
  ),
};
