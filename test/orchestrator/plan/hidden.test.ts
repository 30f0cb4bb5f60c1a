import { expect, it } from 'vitest';
import { hiddenPlace } from '../../../src/orchestrator/plan/hidden.ts';
import { portRequests } from '../../../src/orchestrator/plan/ports.ts';
import { hkdf } from '../../../src/system/crypto/hkdf.ts';
import { parseValidSpec } from '../package.ts';
import { HIDDEN, optionOf, planOf, task } from './planned.ts';

const secret = (byte: number) => new Uint8Array(32).fill(byte);
const spec = { name: 'demo', seed: 7 };

it('a hidden port is the same for the same secret, seed and name, and another for each other', () => {
  const places = [
    hiddenPlace(secret(1), spec, hkdf),
    hiddenPlace(secret(2), spec, hkdf),
    hiddenPlace(secret(1), { ...spec, seed: 8 }, hkdf),
    hiddenPlace(secret(1), { ...spec, name: 'other' }, hkdf),
  ];
  expect(hiddenPlace(secret(1), spec, hkdf)).toEqual(places[0]);
  expect(new Set(places.map(({ host }) => host)).size).toBe(4);
});

it('a hidden port is spread over loopback and non-ephemeral ports, without the addresses that systems use', () => {
  const places = Array.from({ length: 2000 }, (_, seed) => hiddenPlace(secret(1), { ...spec, seed }, hkdf));
  for (const { host, port } of places) {
    expect(host).toMatch(/^127(\.\d{1,3}){3}$/);
    const [, a, b, c] = host.split('.').map(Number) as [number, number, number, number];
    expect([a >= 1 && a <= 255, b <= 255, c >= 1 && c <= 254, port >= 10_000 && port < 32_000]).toEqual(
      Array(4).fill(true),
    );
  }
  expect(new Set(places.map(({ host }) => host)).size).toBeGreaterThan(1990);
  expect(new Set(places.map(({ host }) => host.split('.')[1])).size).toBeGreaterThan(250);
});

it.each([
  ['ports: fixed', 8545, 'fixed', HIDDEN.port, 'hidden'],
  ['ports: auto', 8545, 'auto', HIDDEN.port, 'hidden'],
  ['l1: { ports: { rpc: 18001 } }', 18001, 'preferred', HIDDEN.port, 'hidden'],
  ['l1: { port: 18001 }', 18001, 'preferred', HIDDEN.port, 'hidden'],
  ['l1: { beacon: { ports: { gate: 18002 } } }', 18002, 'preferred', HIDDEN.port, 'hidden'],
])('the gate gets the port that the spec gives L1: %s', (text, gate, gatePolicy, l1Port, ownPolicy) => {
  const { spec, clients } = parseValidSpec(text);
  const requests = portRequests(spec, clients, HIDDEN).filter(({ key }) => /^l1(-beacon)?:(rpc|gate)$/.test(key));
  expect(requests.map(({ key, host, preferred, policy }) => [key, host, preferred, policy])).toEqual([
    ['l1:rpc', HIDDEN.host, l1Port, ownPolicy],
    ['l1-beacon:gate', '127.0.0.1', gate, gatePolicy],
  ]);
});

it('a spec opens the gate and the other ports to names and pages', () => {
  const open = 'args: { http.vhosts: devnet.example, http.corsdomain: "https://app.example" }';
  const plan = planOf(
    `l1: { beacon: { ${open} } }\n` +
      `chains: { main: { batcher: { ${open} }, nodes: { a: { role: sequencer, cl: { ${open} } } } } }`,
  );
  for (const id of ['l1-beacon', 'main/batcher', 'main/a/cl']) {
    expect(optionOf(task(plan, id), 'http.vhosts')).toBe('devnet.example');
    expect(optionOf(task(plan, id), 'http.corsdomain')).toBe('https://app.example');
  }
});

it('a hidden place is read from the bytes that the seed and the secret give', () => {
  const bytes =
    (...values: readonly number[]) =>
    () =>
      Uint8Array.from([...values, ...Array<number>(32).fill(0)]);
  const placeOf = (...values: readonly number[]) => hiddenPlace(secret(1), spec, bytes(...values));
  expect(placeOf(0, 0, 0)).toEqual({ host: '127.1.0.1', port: 10_000 });
  expect(placeOf(254, 255, 253)).toEqual({ host: '127.255.255.254', port: 10_000 });
  expect(placeOf(255, 7, 254)).toEqual({ host: '127.1.7.1', port: 10_000 });
  // Eight bytes, of the highest first: 2^8 + 3, 22 000 and what is beyond them.
  expect(placeOf(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3).port).toBe(10_259);
  expect(placeOf(0, 0, 0, 0, 0, 0, 0, 0, 0, 0x55, 0xef).port).toBe(31_999);
  expect(placeOf(0, 0, 0, 0, 0, 0, 0, 0, 0, 0x55, 0xf0, 9).port).toBe(10_000);
  const salts: string[] = [];
  hiddenPlace(secret(1), spec, (key, salt, info) => {
    salts.push(...[salt, info].map((each) => new TextDecoder().decode(each)));
    return key;
  });
  expect(salts).toEqual(['rollup-devnet', '[7,"demo","l1","place"]']);
});
