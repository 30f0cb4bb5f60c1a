import { describe, expect, it } from 'vitest';
import {
  type Addresses,
  advertise,
  hostsOf,
  linkTo,
  OUTSIDE,
  reach,
  SUPERVISOR,
  urlOf,
} from '../../../src/orchestrator/plan/reach.ts';
import type { ClientTemplate } from '../../../src/orchestrator/template/template.ts';
import { parseText } from '../../../src/orchestrator/template/text.ts';
import { template } from '../package.ts';
import { HIDDEN, optionOf, planOf, quickPlanOf, task } from './planned.ts';

const EL = 'main/a/el';
const addresses: Addresses = {
  l1Host: HIDDEN.host,
  isGated: true,
  ports: { 'l1:rpc': HIDDEN.port, 'l1-beacon:gate': 8545, [`${EL}:http`]: 9545, 'main/a/cl:p2p': 9522 },
  external: new Map([['main/b/el:http', 'https://node.example/rpc']]),
};

it('reach returns L1 itself for its beacon node and the supervisor, and the gate for all others', () => {
  const gate = { host: '127.0.0.1', port: 8545 };
  for (const from of ['main/a/cl', 'main/batcher', OUTSIDE])
    expect(reach(addresses, from, 'l1', 'rpc'), from).toEqual(gate);
  for (const from of ['l1', 'l1-beacon', SUPERVISOR]) expect(reach(addresses, from, 'l1', 'rpc'), from).toEqual(HIDDEN);
  const open = { ...addresses, isGated: false };
  expect(reach(open, OUTSIDE, 'l1', 'rpc')).toEqual(HIDDEN);
});

it('reach returns the gate for the RPC of L1 alone, and never for L1 behind it', () => {
  const more = { ...addresses, ports: { ...addresses.ports, 'l1:metrics': 5, 'l1-beacon:http': 6 } };
  expect(reach(more, OUTSIDE, 'l1', 'metrics')).toEqual({ host: HIDDEN.host, port: 5 });
  expect(reach(more, OUTSIDE, 'l1-beacon', 'http')).toEqual({ host: '127.0.0.1', port: 6 });
});

describe('the links of a network with faults', () => {
  const proxy = { host: '127.0.0.1', port: 30_001 };
  const linked = { ...addresses, links: new Map([['link:main/a/cl>l1:rpc', proxy]]) };
  const ends = (from: string, to: string, port = 'rpc') => ({ from, to, port });

  it('are where a task reaches another', () => {
    expect(reach(linked, 'main/a/cl', 'l1', 'rpc')).toEqual(proxy);
    expect(linkTo(linked, ends('main/a/cl', 'l1'))).toEqual(proxy);
  });

  it.each([
    ['main/b/cl', 'l1'],
    ['main/a/cl', 'l1-beacon'],
    ['l1', EL],
    ['l1-beacon', EL],
  ])('give %s an address of %s that nothing answers, when no template asked for one', (from, to) => {
    expect(linkTo(linked, ends(from, to))).toEqual({ host: 'unlinked.invalid', port: 1 });
  });

  it.each([
    ['supervisor', 'l1'],
    ['outside', 'l1'],
    ['main/a/cl', 'main/a/cl'],
    ['l1', 'l1-beacon'],
    ['l1-beacon', 'l1'],
  ])('are not between %s and %s', (from, to) => {
    expect(linkTo(linked, ends(from, to))).toBeUndefined();
  });

  it('are absent from a network without faults', () => {
    expect(linkTo(addresses, ends('main/a/cl', 'l1'))).toBeUndefined();
  });

  it('are unknown to the supervisor and to callers outside', () => {
    expect([SUPERVISOR, OUTSIDE]).toEqual(['supervisor', 'outside']);
    expect(reach(linked, SUPERVISOR, 'l1', 'rpc')).toEqual(HIDDEN);
    expect(reach(linked, OUTSIDE, 'l1', 'rpc')).toEqual({ host: '127.0.0.1', port: 8545 });
  });
});

it('the URLs of processes outside the devnet are those of the spec, beside those of ports of the plan', () => {
  const external = (text: string) => `chains: { main: { nodes: { a: { role: sequencer }, b: { ${text} } } } }`;
  const el = 'el: { external: { http: "http://x:1", ws: "ws://x:2", engine: "http://x:3", jwt: j } }';
  const cl = 'cl: { external: { rpc: "http://y:4" } }';
  const nodeOf = (text: string) => quickPlanOf(external(text)).network.chains[0]?.nodes[1];
  expect(nodeOf(`${el}, ${cl}`)).toMatchObject({
    el: { http: 'http://x:1', ws: 'ws://x:2', engine: 'http://x:3' },
    cl: { rpc: 'http://y:4' },
  });
  expect(nodeOf(el)?.cl.rpc).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

it('reach throws when the network has no such port', () => {
  expect(() => reach(addresses, OUTSIDE, EL, 'ws')).toThrow('the plan has no entry "main/a/el:ws"');
});

it('a task binds, advertises and is reached at the loopback address, and L1 at an address of its own', () => {
  expect(hostsOf(addresses, EL)).toEqual({ bind: '127.0.0.1', advertise: '127.0.0.1', reach: '127.0.0.1' });
  expect(new Set(Object.values(hostsOf(addresses, 'l1')))).toEqual(new Set([HIDDEN.host]));
  expect(advertise(addresses, 'main/a/cl', 'p2p')).toEqual({ host: '127.0.0.1', port: 9522 });
});

it('a task with a host name listens at every address, and is advertised and reached by its name', () => {
  const elsewhere = {
    ...addresses,
    hostNames: { l1: 'l1', 'l1-beacon': 'l1', [EL]: 'main-a-el', 'main/a/cl': 'main-a-cl' },
  };
  expect(hostsOf(elsewhere, EL)).toEqual({ bind: '0.0.0.0', advertise: 'main-a-el', reach: 'main-a-el' });
  expect(advertise(elsewhere, 'main/a/cl', 'p2p')).toEqual({ host: 'main-a-cl', port: 9522 });
  for (const from of ['main/a/cl', OUTSIDE])
    expect(reach(elsewhere, from, 'l1', 'rpc'), from).toEqual({ host: 'l1', port: 8545 });
  // anvil has no name: its own unit alone reaches it.
  for (const from of ['l1', 'l1-beacon', SUPERVISOR]) expect(reach(elsewhere, from, 'l1', 'rpc'), from).toEqual(HIDDEN);
});

it('the URL of a process outside the devnet is the one that the spec gives', () => {
  expect(urlOf(addresses, 'http', OUTSIDE, 'main/b/el', 'http')).toBe('https://node.example/rpc');
  expect(urlOf(addresses, 'ws', 'main/a/cl', EL, 'http')).toBe('ws://127.0.0.1:9545');
});

it('commands, probes and views of a plan hold the addresses that reach returns', () => {
  const plan = planOf('chains: { main: { nodes: { a: { role: sequencer }, b: {} } } }');
  const { host, port } = HIDDEN;
  expect(optionOf(task(plan, 'main/a/cl'), 'l1')).toBe('ws://127.0.0.1:8545');
  expect(JSON.stringify(task(plan, 'l1').ready)).toContain(`"http://${host}:${port}"`);
  expect(plan.network.l1).toMatchObject({ rpc: 'http://127.0.0.1:8545', direct: { rpc: `http://${host}:${port}` } });
});

it('the reference to the sequencer’s WebSocket is absent when its execution client has no port for it', () => {
  const text = 'chains: { main: { nodes: { a: { role: sequencer } } } }';
  const asking = (name: string): ClientTemplate => {
    const base = template(name);
    return base.kind === 'batcher' ? { ...base, args: { ...base.args, ws: [parseText('${sequencer.ws}')] } } : base;
  };
  const mute = (name: string): ClientTemplate => {
    const base = asking(name);
    const without = <T>(record: Readonly<Record<string, T>>) =>
      Object.fromEntries(Object.entries(record).filter(([key]) => !key.startsWith('ws')));
    if (base.kind !== 'el') return base;
    return {
      ...base,
      ports: without(base.ports),
      portNames: Object.keys(without(base.ports)),
      args: without(base.args),
    };
  };
  expect(optionOf(task(planOf(text, {}, [], asking), 'main/batcher'), 'ws')).toBe('ws://127.0.0.1:9546');
  expect(optionOf(task(planOf(text, {}, [], mute), 'main/batcher'), 'ws')).toBeUndefined();
});
