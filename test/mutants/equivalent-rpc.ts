import type { EquivalentMutant } from './equivalent.ts';

const BODY = "return names.length > 0 && (body.includes('\\\\') || names.some((name) => body.includes(name)));";
const PARSED = 'the check saves time: the parsed body says the same';

/** Equivalent mutants of `src/rpc`. */
export const RPC: Readonly<Record<string, readonly EquivalentMutant[]>> = {
  'src/rpc/client/client.ts': [
    {
      line: 'const serverTime = answer.date === undefined ? Number.NaN : Date.parse(answer.date);',
      change: 'answer.date === undefined ⇒ false',
      reason: 'undefined is no date, and is parsed to NaN',
    },
  ],
  'src/rpc/client/http-exchange.ts': [
    {
      line: "const isByServer = !this.#isClosed && CLOSED_CODES.has(cause.code ?? '');",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'neither is a code',
    },
  ],
  'src/rpc/client/http-rest.ts': [
    { line: "return exchange(url, 'GET', options);", change: `'GET' ⇒ ""`, reason: 'GET is the default method' },
  ],
  'src/rpc/client/websocket-connection.ts': [
    ...['outcome?.ok ⇒ outcome.ok', 'outcome?.error ⇒ outcome.error'].map((change) => ({
      line: "if (!outcome?.ok) throw outcome?.error ?? new Error('no answer');",
      change,
      reason: 'one call has one outcome',
    })),
    ...['{ once: true } ⇒ {}', 'true ⇒ false'].map((change) => ({
      line: "signal?.addEventListener('abort', aborted, { once: true });",
      change,
      reason: 'a signal aborts once',
    })),
    {
      line: "response.setEncoding('utf8').on('data', (part: string) => {",
      change: `'utf8' ⇒ ""`,
      reason: 'UTF-8 is the default',
    },
    {
      line: "response.once('close', () => tell(text || (response.statusMessage ?? '')));",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'an answer that is read has the text of its status, if an empty one',
    },
  ],
  'src/rpc/gateway/upstream.ts': [
    ...['/\\[|\\]$/g', '/^\\[|\\]/g'].map((becomes) => ({
      line:
        'const target = { protocol: base.protocol, ' +
        "hostname: base.hostname.replace(/^\\[|\\]$/g, ''), port: base.port, agent };",
      change: `/^\\[|\\]$/g ⇒ ${becomes}`,
      reason: 'a host has brackets at its ends alone',
    })),
    {
      line: "const path = root + (request.url ?? '/');",
      change: `'/' ⇒ ""`,
      reason: 'a request that a server reads has an address',
    },
    {
      line: "new WebSocket(base.href.replace(/^http/, 'ws'), {",
      change: '/^http/ ⇒ /http/',
      reason: 'the URL begins with it',
    },
  ],
  'src/rpc/server/listener.ts': [
    {
      line: "socket.on('error', () => socket.destroy());",
      change: '() => socket.destroy() ⇒ () => undefined',
      reason: 'Node has destroyed a socket that fails; the listener alone keeps the process',
    },
    {
      line: "return /^application\\/(json|json-rpc|jsonrequest)\\b/i.test(headers['content-type'] ?? '');",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'neither is a type',
    },
    {
      line: 'resolve(first !== undefined && rest.length === 0 ? first : Buffer.concat(parts));',
      change: 'first !== undefined && rest.length === 0 ⇒ false',
      reason: 'a copy of bytes equals them',
    },
  ],
  'src/rpc/server/json-text.ts': [
    ...["typeof text === 'string' ⇒ false", `'string' ⇒ ""`].map((change) => ({
      line: "if (typeof text === 'string') return text.length;",
      change,
      reason: 'the characters of a text have its length together',
    })),
    {
      line: "return Buffer.concat(text.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));",
      change: "typeof part === 'string' ⇒ true",
      reason: 'a copy of bytes equals them',
    },
  ],
  'src/rpc/gateway/methods.ts': [
    {
      line: 'if (!mayName(methods, body)) return undefined;',
      change: '!mayName(methods, body) ⇒ false',
      reason: PARSED,
    },
    { line: '} catch {', change: '{ return undefined; } ⇒ {}', reason: 'undefined is a request without a method' },
    ...[
      "names.length > 0 && (body.includes('\\\\') || names.some((name) => body.includes(name))) ⇒ true",
      "names.length > 0 && (body.includes('\\\\') || names.some((name) => body.includes(name))) ⇒ " +
        "names.length > 0 || body.includes('\\\\') || names.some(name => body.includes(name))",
      'names.length > 0 ⇒ true',
      'names.length > 0 ⇒ names.length >= 0',
      "body.includes('\\\\') || names.some((name) => body.includes(name)) ⇒ true",
      `'\\\\' ⇒ ""`,
    ].map((change) => ({ line: BODY, change, reason: PARSED })),
  ],
  'src/rpc/jwt.ts': [
    {
      line: "if (header === undefined) return 'missing token';",
      change: 'header === undefined ⇒ false',
      reason: 'the text "undefined" has no scheme, and is refused by the same words',
    },
    {
      line: 'if (last === undefined || last.header !== header) {',
      change: 'last === undefined || last.header !== header ⇒ true',
      reason: 'the cache saves time: the same header has the same claims',
    },
    {
      line: 'const isWell = [head, claims, signature].every((part) => part !== undefined && /^[\\w-]+$/.test(part));',
      change: 'part !== undefined ⇒ true',
      reason: 'the next line refuses an absent part by the same words',
    },
    {
      line: '} catch {',
      change: '{ return undefined; } ⇒ {}',
      reason: 'a function without a return value returns undefined',
    },
  ],
  'src/rpc/server/access-control.ts': [
    {
      line: "const beyond = !isLoopbackAddress(socket.localAddress ?? '');",
      change: '\'\' ⇒ "Stryker was here!"',
      reason: 'neither is a loopback address',
    },
  ],
};
