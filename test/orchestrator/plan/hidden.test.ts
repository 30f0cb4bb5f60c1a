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
