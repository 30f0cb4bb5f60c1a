import * as z from 'zod';
import { envelopeFromJson } from '../../../protocol/codec/payload-json.ts';
import { lowerHex } from '../../../protocol/hex.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method, param, parameterOf } from '../../../rpc/method.ts';
import { messageOf } from '../../../system/failure.ts';
import { readLogLevel } from '../../service/log-level.ts';
import type { NodeApi, SequencerControl } from './api.ts';

/**
 * Admin methods, served with `rpc.enable-admin`.
 * Counterpart in op-node: `adminAPI`, in op-service: `CommonAdminAPI`, in kona: `AdminRpc`.
 */
export const adminMethods: MethodTable<NodeApi> = {
  admin_resetDerivationPipeline: method('Derives again from the safe head.', z.tuple([]), async (node: NodeApi) => {
    await node.resetDerivation();
    return null;
  }),
  admin_startSequencer: method(
    'Starts sequencing, from the unsafe head that is given, or whichever it is.',
    z.tuple([param.hash.optional()]),
    async (node: NodeApi, [head]) => {
      await plainError(() => control(node).start(head === undefined || head === null ? undefined : lowerHex(head)));
      return null;
    },
  ),
  admin_stopSequencer: method('Stops sequencing; returns the unsafe head.', z.tuple([]), (node: NodeApi) =>
    plainError(() => control(node).stop()),
  ),
  admin_sequencerActive: method(
    'Whether this node sequences.',
    z.tuple([]),
    (node: NodeApi) => node.sequencer?.isActive() ?? false,
  ),
  admin_conductorEnabled: method(
    'Whether a conductor leads this node.',
    z.tuple([]),
    (node: NodeApi) => node.sequencer?.isConducted ?? false,
  ),
  admin_overrideLeader: method(
    'Sequences whatever the conductor says, if one leads: for when all conductors are lost.',
    z.tuple([]),
    (node: NodeApi) => {
      control(node).overrideLeader();
      return null;
    },
  ),
  admin_setRecoverMode: method(
    'Has the sequencer make empty blocks upon the next L1 origins, or not any more.',
    z.tuple([z.boolean()]),
    async (node: NodeApi, [isRecovering]) => {
      await control(node).setRecovering(isRecovering);
      return null;
    },
  ),
  admin_setLogLevel: method('Sets the lowest level printed.', z.tuple([z.string()]), (node: NodeApi, [name]) => {
    node.log.level = readLogLevel(name);
    return null;
  }),
  admin_postUnsafePayload: method(
    'Takes an unsafe block as if it had been gossiped.',
    z.tuple([parameterOf(envelopeFromJson)]),
    (node: NodeApi, [envelope]) =>
      plainError(() => {
        node.postUnsafePayload(envelope);
        return null;
      }),
  ),
};

function control(node: NodeApi): SequencerControl {
  if (!node.sequencer)
    throw new RpcError(RPC_CODE.server, 'sequencer is not enabled: this node was started without --sequencer.enabled');
  return node.sequencer;
}

/** Reports errors as plain server errors. */
async function plainError<Result>(run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof RpcError ? error : new RpcError(RPC_CODE.server, messageOf(error));
  }
}
