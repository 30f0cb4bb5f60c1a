import { createHmac, timingSafeEqual } from 'node:crypto';
import { SignJWT } from 'jose';

/** Seconds that `iat` may be away from the wall clock (Engine API, authentication). */
export const JWT_WINDOW = 60;

/** A fresh HS256 token with `iat` now, for the Authorization header. */
export async function signJwt(secret: Uint8Array): Promise<string> {
  return new SignJWT({}).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).setIssuedAt().sign(secret);
}

/**
 * Why a request's Authorization header is refused, or undefined where it is good: HS256 by the shared secret, `iat` within 60 s of the wall
 * clock. Checked with node's own HMAC because it runs on every engine request.
 */
export function jwtProblem(header: string | undefined, secret: Uint8Array, now = Date.now()): string | undefined {
  const token = /^Bearer\s+(\S+)$/i.exec(header ?? '')?.[1];
  if (token === undefined) return 'missing token';
  const [head, claims, signature, ...rest] = token.split('.');
  // Node's decoder passes over characters that are not of the alphabet.
  const isWell = [head, claims, signature].every((part) => part !== undefined && /^[\w-]+$/.test(part));
  if (!isWell || !head || !claims || !signature || rest.length > 0) return 'token is malformed';
  const algorithm = decode(head)?.['alg'];
  if (algorithm !== 'HS256') return `token is signed with ${String(algorithm)}, expected HS256`;
  const expected = createHmac('sha256', secret).update(`${head}.${claims}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return 'token signature is invalid: the two sides hold different JWT secrets';
  const { iat, exp, nbf } = decode(claims) ?? {};
  if (typeof iat !== 'number') return 'missing issued-at';
  if (Math.abs(now / 1000 - iat) > JWT_WINDOW)
    return `stale token: issued ${Math.round(now / 1000 - iat)} s from now, at most ${JWT_WINDOW}`;
  if (typeof exp === 'number' && exp < now / 1000) return 'token is expired';
  if (typeof nbf === 'number' && nbf > now / 1000) return 'token is not valid yet';
  return undefined;
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
