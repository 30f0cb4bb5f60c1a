import { describe, expect, it } from 'vitest';
import { type PortRequest, portRequests, preferredPorts } from '../../../src/orchestrator/plan/ports.ts';
import { parseValidSpec } from '../package.ts';
import { HIDDEN } from './planned.ts';

const requestsOf = (text: string) => {
  const { spec, clients } = parseValidSpec(text);
  return portRequests(spec, clients, HIDDEN);
};
const preferredOf = (text: string, prefix: string) =>
  Object.fromEntries(
    requestsOf(text).flatMap(({ key, preferred }) => (key.startsWith(prefix) ? [[key, preferred]] : [])),
  );

const REAL = 'l1: { client: geth, binary: geth, hardfork: cancun, beacon: { client: lodestar, binary: lodestar } }';

describe('the ports of a network', () => {
  it.each([
    ['preferred', 'hidden'],
    ['fixed', 'hidden'],
    ['auto', 'auto'],
  ])('of links never fail a start and are told to no user: %s ports make them %s', (policy, expected) => {
    const links = requestsOf(`faults: true\nports: ${policy}`).filter(({ key }) => key.startsWith('link:'));
    expect(links.length).toBeGreaterThan(10);
    expect(new Set(links.map((request) => request.policy))).toEqual(new Set([expected]));
    expect(links.find(({ key }) => key === 'link:*>main/verifier/cl:p2p/udp')?.transport).toBe('udp');
    expect(requestsOf(`ports: ${policy}`).filter(({ key }) => key.startsWith('link:'))).toEqual([]);
  });

  it('are requested in the order of its tasks, with hosts, transports and policies', () => {
    const text =
      'dashboard: true\nports: auto\nchains: { main: { nodes: { a: { role: sequencer, el: { port: 7000 } } } } }';
    const requests = requestsOf(text.replace('el: { port: 7000 }', 'el: { ports: { http: 7000 } }'));
    const rows = requests.map(({ key, task, name, host, transport, preferred, policy }) => {
      expect(key).toBe(`${task}:${name}`);
      return [key, host, transport, preferred, policy];
    });
    expect(rows).toEqual([
      ['l1:rpc', HIDDEN.host, 'tcp', HIDDEN.port, 'hidden'],
      ['l1-beacon:http', '127.0.0.1', 'tcp', 5052, 'auto'],
      ['l1-beacon:gate', '127.0.0.1', 'tcp', 8545, 'auto'],
      ['main/a/el:http', '127.0.0.1', 'tcp', 7000, 'preferred'],
      ['main/a/el:ws', '127.0.0.1', 'tcp', 9546, 'auto'],
      ['main/a/el:engine', '127.0.0.1', 'tcp', 9551, 'auto'],
      ...requests
        .filter(({ task }) => task === 'main/a/cl')
        .map(({ key, preferred }) => [key, '127.0.0.1', 'tcp', preferred, 'auto']),
      ...requests
        .filter(({ task }) => ['main/batcher', 'main/proposer'].includes(task))
        .map(({ key, preferred }) => [key, '127.0.0.1', 'tcp', preferred, 'auto']),
      ['dashboard:http', '127.0.0.1', 'tcp', 9500, 'auto'],
    ]);
  });

  it('are those of a client of the field by their names', () => {
    const program = (client: string) => `{ client: ${client}, binary: ${client} }`;
    const nodes = `{ a: { role: sequencer, el: ${program('op-geth')}, cl: ${program('op-node')} } }`;
    const posters = `batcher: ${program('op-batcher')}, proposer: ${program('op-proposer')}`;
    const text = `chains: { main: { ${posters}, nodes: ${nodes} } }`;
    expect(preferredOf(text, 'main/')).toEqual({
      'main/a/el:http': 9545,
      'main/a/el:ws': 9546,
      'main/a/el:engine': 9551,
      'main/a/el:p2p': 9552,
      'main/a/el:metrics': 9553,
      'main/a/el:pprof': 9550,
      'main/a/cl:rpc': 9547,
      'main/a/cl:p2p': 9522,
      'main/a/cl:metrics': 9573,
      'main/a/cl:pprof': 9548,
      'main/batcher:rpc': 9540,
      'main/batcher:metrics': 9570,
      'main/batcher:pprof': 9542,
      'main/proposer:rpc': 9541,
      'main/proposer:metrics': 9572,
      'main/proposer:pprof': 9543,
    });
  });

  it('of a real L1 have no gate, and distances of the template', () => {
    const rows = requestsOf(REAL).filter(({ task }) => task.startsWith('l1'));
    expect(Object.fromEntries(rows.map(({ key, preferred }) => [key, preferred]))).toMatchObject({
      'l1:rpc': 8545,
      'l1:engine': 8551,
      'l1:p2p': 8552,
      'l1:metrics': 8553,
      'l1:pprof': 8550,
      'l1-beacon:http': 5052,
    });
    expect(new Set(rows.map(({ host }) => host))).toEqual(new Set(['127.0.0.1']));
  });

  it('of the sequencer are first, those of the nodes 10 apart and those of the chains 100 apart', () => {
    const text =
      'chains: { a: { nodes: { v: {}, s: { role: sequencer }, w: {} } }, b: { nodes: { s: { role: sequencer } } } }';
    const https = requestsOf(text).flatMap(({ key, preferred }) => (key.endsWith('el:http') ? [[key, preferred]] : []));
    expect(https).toEqual([
      ['a/s/el:http', 9545],
      ['a/v/el:http', 9555],
      ['a/w/el:http', 9565],
      ['b/s/el:http', 9645],
    ]);
  });

  it('leave out processes outside, and posters and dashboards that the spec does not have', () => {
    const outside =
      '{ el: { external: { http: "http://h:1", engine: "http://h:2", jwt: /j } }, ' +
      'cl: { external: { rpc: "http://h:3" } } }';
    const nodes = `{ s: { role: sequencer }, v: ${outside} }`;
    const text = `chains: { main: { batcher: false, proposer: false, nodes: ${nodes} } }`;
    const tasks = new Set(requestsOf(text).map(({ task }) => task));
    expect([...tasks]).toEqual(['l1', 'l1-beacon', 'main/s/el', 'main/s/cl']);
  });

  it.each([
    ['ports: auto\ndashboard: true', 9500, 'auto'],
    ['ports: auto\ndashboard: { port: 4000 }', 4000, 'preferred'],
    ['ports: fixed\ndashboard: { port: 4000 }', 4000, 'fixed'],
    ['ports: fixed\ndashboard: true', 9500, 'fixed'],
  ])('have the dashboard of %j at %d, %s', (text, preferred, policy) => {
    expect(requestsOf(text).at(-1)).toEqual({
      key: 'dashboard:http',
      task: 'dashboard',
      name: 'http',
      host: '127.0.0.1',
      transport: 'tcp',
      preferred,
      policy,
    });
  });

  it('stay below 65536 in a spec of many chains', () => {
    const chains = Array.from(
      { length: 600 },
      (_, at) => `c${at}: { chainId: ${1000 + at}, batcher: false, proposer: false }`,
    );
    const preferred = Object.entries(preferredOf(`chains: { ${chains.join(', ')} }`, 'c5'));
    expect(preferred.filter(([key]) => key === 'c559/sequencer/el:http')).toEqual([['c559/sequencer/el:http', 65_445]]);
    expect(preferred.filter(([key]) => key === 'c560/sequencer/el:http')).toEqual([
      ['c560/sequencer/el:http', 1024 + (65_545 % 64_000)],
    ]);
    expect(preferred.every(([, port]) => port >= 1024 && port <= 65_535)).toBe(true);
  });
});

describe('the preferred ports', () => {
  const request = (key: string, preferred: number) => ({ key, preferred }) as PortRequest;

  it('are the next ones that no other request has and that are free', () => {
    const requests = [request('a', 10), request('b', 10), request('c', 11), request('d', 20)];
    expect(preferredPorts(requests)).toEqual({ a: 10, b: 11, c: 12, d: 20 });
    expect(preferredPorts(requests, (port) => ![10, 21, 20].includes(port))).toEqual({ a: 11, b: 12, c: 13, d: 22 });
  });

  it('go on at 1024 above 65535', () => {
    const requests = [request('a', 65_534), request('b', 65_534), request('c', 65_534), request('d', 65_535)];
    expect(preferredPorts(requests)).toEqual({ a: 65_534, b: 65_535, c: 1024, d: 1025 });
  });
});
