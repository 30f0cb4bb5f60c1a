import { createHmac } from 'node:crypto';
import { jwtVerify } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { jwtBearer, jwtVerifier } from '../../src/rpc/jwt.ts';

const secret = Buffer.alloc(32, 7);
const otherSecret = Buffer.alloc(32, 9);
const now = 1_800_000_000_000;
const iat = now / 1000;

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = (text: string, key: Uint8Array) =>
  `Bearer ${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
const HS256 = { alg: 'HS256', typ: 'JWT' };
const token = (claims: unknown, { head = HS256 as unknown, key = secret as Uint8Array } = {}) =>
  signed(`${part(head)}.${part(claims)}`, key);

const MALFORMED = 'token is malformed';
const MISSING = 'missing token';
const ANOTHER_SECRET = 'token signature is invalid: the two sides hold different JWT secrets';

describe('the check of a token', () => {
  it.each([
    ['issued now', token({ iat })],
    ['issued 60 s ago', token({ iat: iat - 60 })],
    ['issued 60 s ahead', token({ iat: iat + 60 })],
    ['that expires in this second', token({ iat, exp: iat })],
    ['that is valid from this second on', token({ iat, nbf: iat })],
    ['with times that are no numbers', token({ iat, exp: '1', nbf: '9999999999' })],
    ['of a scheme in lower case', token({ iat }).replace('Bearer', 'bearer')],
    ['after several spaces', token({ iat }).replace(' ', '   ')],
  ])('admits one %s', (_, header) => {
    expect(jwtVerifier(secret)(header, now)).toBeUndefined();
  });

  it.each([
    ['issued 61 s ago', token({ iat: iat - 61 }), 'stale token: issued 61 s from now, at most 60'],
    ['issued 61 s ahead', token({ iat: iat + 61 }), 'stale token: issued -61 s from now, at most 60'],
    ['without iat', token({}), 'missing issued-at'],
    ['with iat as text', token({ iat: String(iat) }), 'missing issued-at'],
    ['whose claims are a list', token([iat]), 'missing issued-at'],
    ['whose claims are no JSON', signed(`${part(HS256)}.abc`, secret), 'missing issued-at'],
    ['of algorithm none', token({ iat }, { head: { alg: 'none' } }), 'token is signed with none, expected HS256'],
    ['without an algorithm', token({ iat }, { head: {} }), 'token is signed with undefined, expected HS256'],
    ['whose head is no JSON', signed(`abc.${part({ iat })}`, secret), 'token is signed with undefined, expected HS256'],
    ['of another secret', token({ iat }, { key: otherSecret }), ANOTHER_SECRET],
    ['with a part of its signature', token({ iat }).slice(0, -4), ANOTHER_SECRET],
    ['expired a second ago', token({ iat, exp: iat - 1 }), 'token is expired'],
    ['valid in a second', token({ iat, nbf: iat + 1 }), 'token is not valid yet'],
    ['with characters behind its signature', `${token({ iat })}~`, MALFORMED],
    ['with characters before its head', token({ iat }).replace(' ', ' ~'), MALFORMED],
    ['with two parts', 'Bearer a.b', MALFORMED],
    ['with four parts', `${token({ iat })}.x`, MALFORMED],
    ['with an empty head', signed(`.${part({ iat })}`, secret), MALFORMED],
    ['with empty claims', signed(`${part(HS256)}.`, secret), MALFORMED],
    ['with an empty signature', `Bearer ${part(HS256)}.${part({ iat })}.`, MALFORMED],
    ['of no scheme', token({ iat }).replace('Bearer ', ''), MISSING],
    ['of another scheme', token({ iat }).replace('Bearer', 'Basic'), MISSING],
    ['behind other text', `x ${token({ iat })}`, MISSING],
    ['before other text', `${token({ iat })} x`, MISSING],
    ['that is absent', undefined, MISSING],
  ])('refuses one %s', (_, header, problem) => {
    expect(jwtVerifier(secret)(header, now)).toBe(problem);
  });

  it('reads the times of a cached token again, and admits no other token for it', () => {
    const judge = jwtVerifier(secret);
    const good = token({ iat });
    expect(judge(good, now)).toBeUndefined();
    expect(judge(good, now + 60_000)).toBeUndefined();
    expect(judge(good, now + 61_000)).toContain('stale token');
    expect(judge(token({ iat }, { key: otherSecret }), now)).toBe(ANOTHER_SECRET);
    expect(judge(token({ iat: iat - 61 }), now)).toContain('stale token');
    expect(judge(undefined, now)).toBe(MISSING);
  });
});

describe('the bearer of tokens', () => {
  afterEach(() => void vi.useRealTimers());

  it('signs one that this check and a library accept', async () => {
    const header = jwtBearer(secret)();
    expect(jwtVerifier(secret)(header)).toBeUndefined();
    const { payload, protectedHeader } = await jwtVerify(header.slice('Bearer '.length), secret, { maxTokenAge: 60 });
    expect(protectedHeader).toEqual(HS256);
    expect(payload).toEqual({ iat: expect.any(Number) });
  });

  it('signs the second of its clock', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: now + 999 });
    expect(jwtBearer(secret)()).toBe(token({ iat }));
  });

  it('gives the same one for 5 s, and a new one after that or when the clock is set back', () => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    const bearer = jwtBearer(secret);
    expect(bearer()).toBe(token({ iat }));
    vi.setSystemTime(now + 4999);
    expect(bearer()).toBe(token({ iat }));
    for (const seconds of [5, -5, 120]) {
      vi.setSystemTime(now + 1000 * seconds);
      expect(bearer()).toBe(token({ iat: iat + seconds }));
    }
  });
});
