import { u256be } from '../../protocol/bytes.ts';
import { bytesToHex } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import { calldata, Words } from '../games/abi.ts';

/** A claim of a game (FaultDisputeGame: `ClaimData`). */
export interface Claim {
  readonly claimant: Hex;
  /** Seconds that its side had used when it was made. */
  readonly used: number;
  /** Unix seconds. */
  readonly made: number;
}

/** Status of a game that is not over (`GameStatus.IN_PROGRESS`). */
export const IN_PROGRESS = 0;

/** What a game claims, and how far it has got. */
export interface GameState {
  readonly status: number;
  readonly rootClaim: Hex;
  readonly block: number;
  readonly claims: readonly Claim[];
}

/** Reads a game of contracts-bedrock 0.17 at the head. */
export async function readState(rpc: RpcClient, address: Hex): Promise<GameState> {
  const views = async (calls: readonly Uint8Array[]) => {
    const requests = calls.map((data) => ({
      method: 'eth_call',
      params: [{ to: address, data: bytesToHex(data) }, 'latest'],
    }));
    return (await rpc.batch<Hex>(requests)).map((outcome) => {
      if (!outcome.ok) throw outcome.error;
      return new Words(outcome.result);
    });
  };
  const names = ['status()', 'rootClaim()', 'l2BlockNumber()', 'claimDataLen()'];
  const [status, root, block, count] = await views(names.map((signature) => calldata(signature)));
  if (status === undefined || root === undefined || block === undefined || count === undefined)
    throw new Error('L1 answered fewer results than requests');
  const indices = Array.from({ length: count.number(0) }, (_, index) => index);
  const claims = await views(indices.map((index) => calldata('claimData(uint256)', u256be(index))));
  return { status: status.number(0), rootClaim: root.hash(0), block: block.number(0), claims: claims.map(claimIn) };
}

/** Words of a claim: parent, counter, claimant, bond, claim, position, clock. */
function claimIn(words: Words): Claim {
  const clock = words.bigint(6);
  return {
    claimant: words.address(2),
    used: Number(clock >> 64n),
    made: Number(clock & 0xffff_ffff_ffff_ffffn),
  };
}

/** Tells whether the clock of every claim has run out: the game can be resolved (`resolveClaim`). */
export function isOver(claims: readonly Claim[], clock: number, now: number): boolean {
  return claims.every(({ used, made }) => used + now - made > clock);
}
