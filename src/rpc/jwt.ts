import { createHmac, timingSafeEqual } from 'node:crypto';
import { skewedNow } from '../system/time/skew.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';

/** Seconds by which `iat` may differ from the wall clock (Engine API: authentication). */
export const JWT_WINDOW = 60;

/** Milliseconds that a token is reused. */
const REUSED_MS = 5000;

const HEADER = encode({ alg: 'HS256', typ: 'JWT' });

/**
 * Signs an HS256 token with `iat` in Unix seconds. Uses Node's HMAC: loading a library's WebCrypto takes each process 5
 * ms.
 */
function signJwt(secret: Uint8Array, iat: number): string {
  const signed = `${HEADER}.${encode({ iat })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Creates the Authorization headers of a client; a token is reused for a few seconds. */
export function jwtBearer(secret: Uint8Array): () => string {
  let signed: { readonly at: number; readonly header: string } | undefined;
  return () => {
    const now = skewedNow();
    // The clock may also have been set back.
    if (!signed || Math.abs(now - signed.at) >= REUSED_MS)
      signed = { at: now, header: `Bearer ${signJwt(secret, Math.floor(now / 1000))}` };
    return signed.header;
  };
}

/**
 * Creates a check of Authorization headers: HS256 by the shared secret, `iat` within 60 s of the wall clock.
 * The check returns why a header is refused; undefined if it is valid.
 * It runs on every engine request: a repeated header is verified once, and only its times are checked again.
 */
export function jwtVerifier(secret: Uint8Array): (header: string | undefined, now?: number) => string | undefined {
  let last: { readonly header: string; readonly claims: Claims } | undefined;
  return (header, now = skewedNow()) => {
    if (header === undefined) return 'missing token';
    if (last === undefined || last.header !== header) {
      const claims = signedClaims(header, secret);
      if (typeof claims === 'string') return claims;
      last = { header, claims };
    }
    return staleness(last.claims, now / 1000);
  };
}

type Claims = Readonly<Record<string, unknown>>;

/** Returns the claims of a header's token, or why the secret did not sign it. */
function signedClaims(header: string, secret: Uint8Array): Claims | string {
  const token = /^Bearer\s+(\S+)$/i.exec(header)?.[1];
  if (token === undefined) return 'missing token';
  const [head, claims, signature, ...rest] = token.split('.');
  // Node's decoder ignores characters outside the alphabet.
  const isWell = [head, claims, signature].every((part) => part !== undefined && /^[\w-]+$/.test(part));
  if (!isWell || !head || !claims || !signature || rest.length > 0) return 'token is malformed';
  const algorithm = decode(head)?.['alg'];
  if (algorithm !== 'HS256') return `token is signed with ${String(algorithm)}, expected HS256`;
  const expected = createHmac('sha256', secret).update(`${head}.${claims}`).digest();
  const actual = Buffer.from(signature, 'base64url');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    return 'token signature is invalid: the two sides hold different JWT secrets';
  return decode(claims) ?? {};
}

/** `now`: Unix seconds. */
function staleness({ iat, exp, nbf }: Claims, now: number): string | undefined {
  if (typeof iat !== 'number') return 'missing issued-at';
  if (Math.abs(now - iat) > JWT_WINDOW)
    return `stale token: issued ${Math.round(now - iat)} s from now, at most ${JWT_WINDOW}`;
  if (typeof exp === 'number' && exp < now) return 'token is expired';
  if (typeof nbf === 'number' && nbf > now) return 'token is not valid yet';
  return undefined;
}

function decode(part: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
