import { SIGNATURE_SIZE } from '../../protocol/codec/gossip.ts';
import { keccak256Bytes } from '../../protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import { httpClient } from '../../rpc/http-client.ts';
import { Failure, messageOf } from '../../system/failure.ts';
import { readText } from '../../system/folder.ts';
import { type BlockSigner, recoverSigner } from '../gossip/signature.ts';

export interface RemoteSignerOptions {
  readonly endpoint: string;
  readonly address: Hex;
  readonly headers: Readonly<Record<string, string>>;
  /** Files of PEM; undefined: no TLS of this program's own. */
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: string } | undefined;
}

const DOMAIN: Hex = `0x${'00'.repeat(32)}`;
const TIMEOUT = 3_000;

/**
 * A signer of gossiped blocks that holds its key elsewhere: op-signer's RPC, over TLS that shows who both are.
 * @throws Failure `signer` where a file of the TLS cannot be read
 */
export function remoteSigner({ endpoint, address, headers, tls }: RemoteSignerOptions): BlockSigner {
  const rpc = httpClient({
    url: endpoint,
    headers,
    timeoutMs: TIMEOUT,
    ...(tls && { tls: { ca: pem(tls.ca, 'ca'), cert: pem(tls.cert, 'cert'), key: pem(tls.key, 'key') } }),
  });
  const own = address.toLowerCase() as Hex;
  return {
    address: own,
    async sign(body, chainId) {
      const signature = hexToBytes(
        await rpc.call<Hex>('opsigner_signBlockPayloadV2', [
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

function pem(path: string, what: string): string {
  let text: string | undefined;
  try {
    text = readText(path);
  } catch (cause) {
    throw new Failure('signer', `cannot read --signer.tls.${what} ${path}: ${messageOf(cause)}`, { cause });
  }
  if (text?.includes('-----BEGIN ')) return text;
  throw new Failure(
    'signer',
    `--signer.tls.${what}: ${path} ${text === undefined ? 'does not exist' : 'is no PEM file'}`,
    {
      hint: '--signer.tls.enabled=false connects without',
      data: { path },
    },
  );
}
