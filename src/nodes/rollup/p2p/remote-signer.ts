import { SIGNATURE_SIZE } from '../../../protocol/codec/gossip.ts';
import { keccak256Bytes } from '../../../protocol/hash.ts';
import { bytesToHex, hexToBytes, lowerHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { httpClient } from '../../../rpc/client/http-client.ts';
import { Failure, messageOf } from '../../../system/failure.ts';
import type { Logger } from '../../../system/program/log.ts';
import { type BlockSigner, recoverSigner } from '../../gossip/message/signature.ts';
import { readTls, renewedTls, type TlsFiles, type TlsIdentity, tlsRefusal } from './signer-tls.ts';

/** Endpoint and credentials of the remote signer. */
export interface RemoteSignerOptions {
  readonly endpoint: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** undefined: no client certificate is sent. */
  readonly tls: TlsFiles | undefined;
  readonly log: Logger;
}

const DOMAIN: Hex = `0x${'00'.repeat(32)}`;
/** Time limit (ms) of a signature. Peers have no use for a block that is signed later. */
const SIGNATURE_TIMEOUT_MS = 3_000;
/** Time limit (ms) of the first answer, which arrives while the node loads its other parts. */
const START_TIMEOUT_MS = 20_000;

/**
 * Creates a signer whose key is held by a remote process: op-signer's RPC over mutual TLS.
 * Counterpart in op-service: `SignerClient`, in kona: `RemoteSigner`.
 * Its health is checked before use, as op-node does. A renewed certificate is used from the next block on.
 * @throws Failure `signer` if a TLS file cannot be used, or the signer does not answer
 */
export async function remoteSigner({
  endpoint,
  address,
  headers,
  tls,
  log,
}: RemoteSignerOptions): Promise<BlockSigner> {
  const connect = (as: TlsIdentity | undefined) => httpClient({ url: endpoint, headers, ...(as && { tls: as }) });
  let identity = tls && readTls(tls);
  let rpc = connect(identity);
  let lastNotice: string | undefined;

  /** Loads a renewed certificate. The previous one stays in use while the new one cannot be read. */
  function renew(): void {
    if (!tls || !identity) return;
    try {
      const renewed = renewedTls(tls, identity);
      lastNotice = undefined;
      if (!renewed) return;
      const before = rpc;
      setTimeout(() => before.close(), SIGNATURE_TIMEOUT_MS).unref();
      identity = renewed;
      rpc = connect(renewed);
      log.info('the certificate for the remote signer was renewed', { certificate: renewed.description });
    } catch (error) {
      if (messageOf(error) !== lastNotice)
        log.warn('the certificate for the remote signer stays the one before', { error });
      lastNotice = messageOf(error);
    }
  }

  async function ask<Result>(
    method: string,
    params: readonly unknown[],
    timeoutMs = SIGNATURE_TIMEOUT_MS,
  ): Promise<Result> {
    try {
      return await rpc.call<Result>(method, params, { timeoutMs });
    } catch (cause) {
      const reason = tlsRefusal(cause, identity) ?? messageOf(cause);
      throw new Error(`the remote signer ${new URL(endpoint).host}: ${reason}`, { cause });
    }
  }

  await ask('health_status', [], START_TIMEOUT_MS).catch((error: Error) => {
    rpc.close();
    throw new Failure('signer', error.message, {
      cause: error.cause,
      hint: 'see --signer.endpoint and --signer.tls.*; --signer.tls.enabled=false shows no certificate',
    });
  });
  const expected = lowerHex(address);
  return {
    address: expected,
    async sign(body, chainId) {
      renew();
      const signature = hexToBytes(
        await ask<Hex>('opsigner_signBlockPayloadV2', [
          {
            domain: DOMAIN,
            chainId: String(chainId),
            payloadHash: bytesToHex(keccak256Bytes(body)),
            senderAddress: expected,
          },
        ]),
      );
      const signer = signature.length === SIGNATURE_SIZE ? recoverSigner(signature, body, chainId) : undefined;
      if (signer !== expected)
        throw new Error(
          `the remote signer signed as ${signer ?? 'no address'}, expected ${expected} (--signer.address)`,
        );
      return signature;
    },
  };
}
