import { SIGNATURE_SIZE } from '../../protocol/codec/gossip.ts';
import { keccak256Bytes } from '../../protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import { httpClient } from '../../rpc/http-client.ts';
import { Failure, messageOf } from '../../system/failure.ts';
import { type BlockSigner, recoverSigner } from '../gossip/signature.ts';
import { readTls, type TlsFiles, tlsRefusal } from './signer-tls.ts';

export interface RemoteSignerOptions {
  readonly endpoint: string;
  readonly address: Hex;
  readonly headers: Readonly<Record<string, string>>;
  /** undefined: no TLS of this program's own. */
  readonly tls: TlsFiles | undefined;
}

const DOMAIN: Hex = `0x${'00'.repeat(32)}`;
const TIMEOUT = 3_000;

/**
 * A signer of gossiped blocks that holds its key elsewhere: op-signer's RPC, over TLS that shows who both are. It is asked how it is before it is
 * relied on, as op-node does.
 * @throws Failure `signer` where a file of the TLS cannot be used, or the signer does not answer
 */
export async function remoteSigner({ endpoint, address, headers, tls }: RemoteSignerOptions): Promise<BlockSigner> {
  const identity = tls && readTls(tls);
  const rpc = httpClient({ url: endpoint, headers, timeoutMs: TIMEOUT, ...(identity && { tls: identity }) });

  async function ask<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    try {
      return await rpc.call<Result>(method, params);
    } catch (cause) {
      const reason = tlsRefusal(cause, identity) ?? messageOf(cause);
      throw new Error(`the remote signer ${new URL(endpoint).host}: ${reason}`, { cause });
    }
  }

  await ask('health_status', []).catch((error: Error) => {
    rpc.close();
    throw new Failure('signer', error.message, {
      cause: error.cause,
      hint: 'see --signer.endpoint and --signer.tls.*; --signer.tls.enabled=false shows no certificate',
    });
  });
  const own = address.toLowerCase() as Hex;
  return {
    address: own,
    async sign(body, chainId) {
      const signature = hexToBytes(
        await ask<Hex>('opsigner_signBlockPayloadV2', [
          {
            domain: DOMAIN,
            chainId: String(chainId),
            payloadHash: bytesToHex(keccak256Bytes(body)),
            senderAddress: own,
          },
        ]),
      );
      const made = signature.length === SIGNATURE_SIZE ? recoverSigner(signature, body, chainId) : undefined;
      if (made !== own)
        throw new Error(`the remote signer signed as ${made ?? 'nobody'}, expected ${own} (--signer.address)`);
      return signature;
    },
  };
}
