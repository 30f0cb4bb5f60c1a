import * as z from 'zod';
import { attributesFromJson } from '../../../protocol/codec/attributes-json.ts';
import { SIGNATURE_SIZE } from '../../../protocol/codec/gossip.ts';
import { envelopeFromJson, envelopeToJson } from '../../../protocol/codec/payload-json.ts';
import { hexToBytes, lowerHex } from '../../../protocol/hex.ts';
import { RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method, param, parameterOf } from '../../../rpc/method.ts';
import { EngineError, type EngineErrorKind } from '../engine/error.ts';
import type { NodeApi } from './api.ts';

/** Error codes of op-node's build API, by kind of engine error. */
const OTHER = -40199;
const CODES: Readonly<Partial<Record<EngineErrorKind, number>>> = {
  temporary: -40100,
  syncing: -40100,
  unauthorized: -40100,
  forkchoice: -40101,
  attributes: -40101,
  invalid: -40110,
  'unknown-payload': -40120,
};

const blockId = z.object({ hash: param.hash, number: z.int() });
/** Go's spelling of a struct without tags. */
const payloadInfo = z.object({ ID: z.string().regex(/^0x[0-9a-fA-F]{16}$/), Timestamp: z.int() });
const signature = param.data.refine((data) => hexToBytes(data).length === SIGNATURE_SIZE, {
  error: `expected a signature of ${SIGNATURE_SIZE} bytes`,
});
const signed = z.object({ envelope: parameterOf(envelopeFromJson), signature });

/** Methods that build blocks step by step, served with `experimental.sequencer-api`. */
export const opstackMethods: MethodTable<NodeApi> = {
  opstack_openBlockV1: method(
    'Starts a block upon a parent, of these attributes.',
    z.tuple([blockId, parameterOf(attributesFromJson)]),
    (node: NodeApi, [parent, attributes]) =>
      answered(async () => {
        const { id, timestamp } = await node.building.open(
          { hash: lowerHex(parent.hash), number: parent.number },
          attributes,
        );
        return { ID: id, Timestamp: timestamp };
      }),
  ),
  opstack_cancelBlockV1: method('Ends a build without a block.', z.tuple([payloadInfo]), (node: NodeApi, [info]) =>
    answered(async () => {
      await node.building.seal(infoOf(info));
      return null;
    }),
  ),
  opstack_sealBlockV1: method('Ends a build; returns its block.', z.tuple([payloadInfo]), (node: NodeApi, [info]) =>
    answered(async () => envelopeToJson(await node.building.seal(infoOf(info)))),
  ),
  opstack_commitBlockV1: method('Makes a block the unsafe head.', z.tuple([signed]), (node: NodeApi, [block]) =>
    answered(async () => {
      await node.building.commit(block.envelope);
      return null;
    }),
  ),
  opstack_publishBlockV1: method('Gossips a signed block.', z.tuple([signed]), (node: NodeApi, [block]) =>
    answered(async () => {
      await node.building.publish(block.envelope, hexToBytes(block.signature));
      return null;
    }),
  ),
};

function infoOf(info: z.output<typeof payloadInfo>) {
  return { id: lowerHex(info.ID), timestamp: info.Timestamp };
}

/** Maps failures to the codes of the build API. */
async function answered<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof RpcError) throw error;
    const code = error instanceof EngineError ? CODES[error.kind] : undefined;
    throw new RpcError(code ?? OTHER, error instanceof Error ? error.message : String(error));
  }
}
