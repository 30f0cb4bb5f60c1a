import { blockRefOf } from '../../../protocol/derivation/attributes/block-ref.ts';
import type { Rollup } from '../../../protocol/derivation/ports.ts';
import type { BlockId, ExecutionPayloadEnvelope, Hex, PayloadAttributes } from '../../../protocol/types.ts';
import type { Driver } from '../driver/driver.ts';
import type { EngineClient } from '../engine/client.ts';
import type { NodeP2P } from '../p2p/p2p.ts';

/** Identifies a block under construction (op-service: `PayloadInfo`). */
export interface PayloadInfo {
  readonly id: Hex;
  /** Seconds. Decides the version of `engine_getPayload`. */
  readonly timestamp: number;
}

/** Builds blocks step by step for an external sequencer: op-node's build API. All methods throw EngineError. */
export interface BlockBuilding {
  /**
   * Starts a block on a parent (op-node: `onBuildStart`). The heads stay.
   * @throws Error if the engine does not have the parent
   */
  open(parent: BlockId, attributes: PayloadAttributes): Promise<PayloadInfo>;
  /** Ends a build and returns its block (op-node: `onBuildSeal`). The block is not published. */
  seal(info: PayloadInfo): Promise<ExecutionPayloadEnvelope>;
  /** Executes a block and makes it the unsafe head. */
  commit(envelope: ExecutionPayloadEnvelope): Promise<void>;
  /** Gossips a block that another process signed. @throws Error if there is no network */
  publish(envelope: ExecutionPayloadEnvelope, signature: Uint8Array): Promise<void>;
}

/** Creates the build API. Each call runs between two steps of the driver: the engine has one caller. */
export function blockBuilding(
  rollup: Rollup,
  { loop, engine }: Pick<Driver, 'loop' | 'engine'>,
  client: EngineClient,
  peers: NodeP2P,
): BlockBuilding {
  return {
    open: (parent, attributes) =>
      loop.run(async () => {
        const envelope = await client.payloadByHash(parent.hash);
        if (envelope === null) throw new Error(`the engine has no parent block ${parent.hash}`);
        const { id } = await engine.startBuild(blockRefOf(rollup, envelope.executionPayload), attributes);
        return { id, timestamp: Number(attributes.timestamp) };
      }),
    seal: ({ id, timestamp }) => loop.run(() => client.getPayload(id, timestamp)),
    commit: (envelope) =>
      loop.run(async () => {
        await engine.insert(envelope);
      }),
    async publish(envelope, signature) {
      const network = peers.network();
      if (!network) throw new Error('p2p is disabled, or has not started yet');
      // Peers recover the signer themselves.
      await network.publish(envelope, { address: `0x${'0'.repeat(40)}`, sign: () => signature });
    },
  };
}
