import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SecureVersion } from 'node:tls';
import { sign } from '../../../../src/nodes/crypto/secp256k1.ts';
import { concat } from '../../../../src/protocol/bytes.ts';
import { keccak256Bytes } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';

/** Returns the path of a file of the shared authority, or of a foreign one. */
export const tlsFile = (name: string) => join(import.meta.dirname, '..', '..', '..', 'fixtures', 'tls', name);

/** Arguments of a node with a trusted certificate. */
export const TLS = { ca: tlsFile('ca.crt'), cert: tlsFile('client.crt'), key: tlsFile('client.key') };

export interface SignRequest {
  readonly payloadHash: Hex;
  readonly senderAddress: Hex;
}

/** A remote signer over real TLS, which accepts only certificates of its authority. */
export class TestSigner implements AsyncDisposable {
  /** The requests to sign. */
  readonly requests: {
    readonly method: string;
    readonly params: [SignRequest];
    readonly headers: IncomingHttpHeaders;
  }[] = [];
  readonly #server: Server;

  private constructor(answer: (request: SignRequest) => Hex, cert: string, maxVersion: SecureVersion) {
    const pem = (name: string) => readFileSync(tlsFile(name), 'utf8');
    const identity = { ca: pem('ca.crt'), cert: pem(cert), key: pem('server.key'), maxVersion };
    const mutual = { requestCert: true, rejectUnauthorized: true };
    this.#server = createServer({ ...identity, ...mutual }, async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const { id, method, params } = JSON.parse(Buffer.concat(parts).toString());
      if (method !== 'health_status') this.requests.push({ method, params, headers: request.headers });
      response.setHeader('content-type', 'application/json');
      const result = method === 'health_status' ? 'test' : answer(params[0]);
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  }

  /** `answer` returns the signature of a request. */
  static async start(
    answer: (request: SignRequest) => Hex,
    { cert = 'server.crt', maxVersion = 'TLSv1.3' }: { cert?: string; maxVersion?: SecureVersion } = {},
  ): Promise<TestSigner> {
    const signer = new TestSigner(answer, cert, maxVersion);
    await new Promise<void>((resolve) => signer.#server.listen(0, '127.0.0.1', resolve));
    return signer;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Signs a block of a chain by its hash (specification: rollup node p2p, block signatures). */
export function signatureOf(payloadHash: Hex, chainId: number, key: Hex): Hex {
  const word = Uint8Array.from(Buffer.from(chainId.toString(16).padStart(64, '0'), 'hex'));
  const hash = keccak256Bytes(concat(new Uint8Array(32), word, hexToBytes(payloadHash)));
  const { signature, recovery } = sign(hash, hexToBytes(key));
  return bytesToHex(concat(signature, Uint8Array.of(recovery)));
}
