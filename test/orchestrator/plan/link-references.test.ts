import { describe, expect, it } from 'vitest';
import { linkId, linksOf } from '../../../src/orchestrator/plan/links.ts';
import type { ClientTemplate } from '../../../src/orchestrator/template/template.ts';
import { parseText } from '../../../src/orchestrator/template/text.ts';
import { parseValidSpec, template } from '../package.ts';

const NONE = { args: {}, env: {} };

/** Returns a lookup of templates in which those of one client receive these references, and all others none. */
const asking =
  (client: string, references: readonly string[]) =>
  (name: string): ClientTemplate => ({
    ...template(name),
    args: Object.fromEntries((name === client ? references : []).map((each) => [each, parseText(`\${${each}}`)])),
    env: {},
    command: [],
    prepare: [],
    rewind: undefined as never,
    sequencer: NONE,
    verifier: NONE,
  });

/** The links of a network with faults, of which one client receives references. */
function linksFor(chain: string, client: string, ...references: readonly string[]): readonly string[] {
  const lookup = asking(client, references);
  const { spec, clients } = parseValidSpec(`faults: true\nchains: { main: { ${chain} } }`, { client: lookup });
  return linksOf(spec, clients).map(({ from, to, port, transport }) => `${from} > ${to} ${port}/${transport}`);
}

const TWO = 'nodes: { a: { role: sequencer }, b: {} }';
const SET = 'nodes: { s: { role: sequencer, count: 3 }, v: {} }';

describe('the link of a reference', () => {
  it.each<[string, readonly string[]]>([
    ['l1.http', ['main/b/cl > l1 rpc/tcp']],
    ['l1.ws', ['main/b/cl > l1 rpc/tcp']],
    ['l1.beacon', ['main/b/cl > l1-beacon http/tcp']],
    ['el.http', ['main/b/cl > main/b/el http/tcp']],
    ['el.engine', ['main/b/cl > main/b/el engine/tcp']],
    ['el.engineWs', ['main/b/cl > main/b/el engine/tcp']],
    ['sequencer.http', ['main/b/cl > main/a/el http/tcp']],
    ['sequencer.ws', ['main/b/cl > main/a/el ws/tcp']],
    ['sequencer.rpc', ['main/b/cl > main/a/cl rpc/tcp']],
    ['node.p2pHost', ['* > main/b/cl p2p/tcp']],
    ['node.p2pPort', ['* > main/b/cl p2p/tcp']],
    ['node.p2pUdpPort', ['* > main/b/cl p2p/udp']],
    ['node.follow', []],
    ['altDa.server', []],
    ['signer.rpc', []],
    ['conductor.rpc', []],
    ['conductor.members', []],
    ['chain.rollup', []],
  ])('%s of a verifier’s rollup node leads to %j', (reference, links) => {
    const all = linksFor(TWO, 'rollup-node', reference);
    expect(all.filter((each) => each.startsWith('main/b/') || each.startsWith('* > main/b/'))).toEqual(links);
  });

  it('to the sequencer is that of the node which has the role, not of the first', () => {
    const nodes = 'nodes: { b: {}, a: { role: sequencer } }';
    expect(linksFor(nodes, 'rollup-node', 'sequencer.rpc')).toEqual([
      'main/b/cl > main/a/cl rpc/tcp',
      '* > main/a/cl rpc/tcp',
    ]);
  });

  it('that several references share is there once', () => {
    expect(linksFor(TWO, 'batcher', 'l1.http', 'l1.ws', 'sequencer.http')).toEqual([
      'main/batcher > l1 rpc/tcp',
      'main/batcher > main/a/el http/tcp',
    ]);
  });

  it.each<[string, string, string, string, readonly string[]]>([
    ['altDa: {}', TWO, 'batcher', 'altDa.server', ['main/batcher > main/da-server rpc/tcp']],
    ['signer: {}', TWO, 'rollup-node', 'signer.rpc', ['main/a/cl > main/signer rpc/tcp']],
    ['batcher: false', TWO, 'batcher', 'l1.http', []],
    ['proposer: false', TWO, 'proposer', 'l1.http', []],
    ['proposer: {}', TWO, 'proposer', 'sequencer.rpc', ['main/proposer > main/a/cl rpc/tcp']],
    ['proposer: {}', TWO, 'challenger', 'l1.http', []],
    [
      'proposer: { system: dispute-games, challenger: {} }',
      TWO,
      'challenger',
      'l1.http',
      ['main/challenger > l1 rpc/tcp'],
    ],
  ])('with %s, %s: of %s, %s leads to %j', (key, nodes, client, reference, links) => {
    expect(linksFor(`${key}, ${nodes}`, client, reference)).toEqual(links);
  });

  it('of peers is one for each that a node dials, and is open', () => {
    const nodes = 'nodes: { a: { role: sequencer, peers: [b] }, b: { peers: [] }, c: { peers: [a, b] } }';
    expect(linksFor(nodes, 'rollup-node', 'node.peers')).toEqual([
      'main/a/cl > main/b/cl p2p/tcp',
      'main/c/cl > main/a/cl p2p/tcp',
      'main/c/cl > main/b/cl p2p/tcp',
    ]);
  });

  it('of the execution clients of peers is one for each that its node dials', () => {
    const nodes = 'nodes: { a: { role: sequencer, peers: [b] }, b: { peers: [] }, c: { peers: [a] } }';
    expect(template('rollup-node').dials).toBe(true);
    expect(linksFor(nodes, 'execution-go', 'node.elPeers')).toEqual(['main/c/el > main/a/el http/tcp']);
    expect(linksFor(nodes, 'execution-rust', 'node.elPeers')).toEqual(['main/a/el > main/b/el http/tcp']);
  });

  it('of peers is none for a node whose arguments close its port', () => {
    const nodes =
      'nodes: { a: { role: sequencer, peers: [b, c] }, b: { peers: [], cl: { args: { p2p.disable: true } } }, ' +
      'c: { peers: [] } }';
    expect(linksFor(nodes, 'rollup-node', 'node.peers')).toEqual(['main/a/cl > main/c/cl p2p/tcp']);
  });

  it('of the execution clients of peers is one for each that dials its node, too, when the node dials none', () => {
    const nodes =
      'nodes: { a: { role: sequencer, peers: [] }, b: { peers: [a] }, c: { peers: [b] }, d: { peers: [] } }';
    const lookup = asking('execution-go', ['node.elPeers']);
    const client = (name: string) => ({ ...lookup(name), ...(name === 'rollup-node' && { dials: false }) });
    const { spec, clients } = parseValidSpec(`faults: true\nchains: { main: { ${nodes} } }`, { client });
    expect(linksOf(spec, clients).map(({ from, to }) => `${from} > ${to}`)).toEqual([
      'main/b/el > main/a/el',
      'main/b/el > main/c/el',
      'main/c/el > main/b/el',
    ]);
  });

  it('of a node that follows another leads to its rollup node', () => {
    const nodes = 'nodes: { a: { role: sequencer }, f: { cl: { follow: a } } }';
    expect(linksFor(nodes, 'rollup-node', 'node.follow')).toEqual(['main/f/cl > main/a/cl rpc/tcp']);
  });
});

describe('the link of a reference with a conductor', () => {
  const verifier = (links: readonly string[]) => links.filter((each) => each.startsWith('main/v/'));
  const CONDUCTOR = `conductor: true, ${SET}`;
  const OP_CONDUCTORS = `conductor: { client: op-conductor, binary: /bin/sh }, ${SET}`;
  const members = ['s-1', 's-2', 's-3'];

  it.each(['sequencer.http', 'sequencer.rpc', 'conductor.rpc', 'conductor.forward'])('%s leads to it', (reference) => {
    const links = linksFor(CONDUCTOR, 'rollup-node', reference);
    expect(links).toEqual([...members, 'v'].map((node) => `main/${node}/cl > main/conductor rpc/tcp`));
  });

  it('sequencer.ws has none, as a conductor has no WebSocket', () => {
    expect(verifier(linksFor(CONDUCTOR, 'rollup-node', 'sequencer.ws'))).toEqual([]);
  });

  it('conductor.members leads to both clients of each sequencer', () => {
    expect(linksFor(CONDUCTOR, 'conductor', 'conductor.members', 'l1.beacon', 'member.rpc')).toEqual([
      ...members.flatMap((node) => [
        `main/conductor > main/${node}/cl rpc/tcp`,
        `main/conductor > main/${node}/el http/tcp`,
      ]),
      'main/conductor > l1-beacon http/tcp',
    ]);
  });

  it('conductor.members before op-conductors leads to these, too', () => {
    expect(linksFor(OP_CONDUCTORS, 'conductor', 'conductor.members')).toEqual(
      members.flatMap((node) => [
        `main/conductor > main/${node}/cl rpc/tcp`,
        `main/conductor > main/${node}/el http/tcp`,
        `main/conductor > main/${node}/conductor rpc/tcp`,
      ]),
    );
  });

  it('of an op-conductor leads to the clients of its own sequencer, and of a sequencer to its own op-conductor', () => {
    expect(linksFor(OP_CONDUCTORS, 'op-conductor', 'member.rpc', 'member.http', 'l1.http')).toEqual(
      members.flatMap((node) => [
        `main/${node}/conductor > main/${node}/cl rpc/tcp`,
        `main/${node}/conductor > main/${node}/el http/tcp`,
      ]),
    );
    const links = linksFor(OP_CONDUCTORS, 'rollup-node', 'conductor.rpc');
    for (const node of members) expect(links).toContain(`main/${node}/cl > main/${node}/conductor rpc/tcp`);
  });
});

it('links are none without faults', () => {
  const { spec, clients } = parseValidSpec(`chains: { main: { ${TWO} } }`);
  expect(linksOf(spec, clients)).toEqual([]);
});

it.each([
  [{ from: 'a', to: 'b', port: 'p' }, 'link:a>b:p'],
  [{ from: 'a', to: 'b', port: 'p', transport: 'tcp' }, 'link:a>b:p'],
  [{ from: '*', to: 'b', port: 'p', transport: 'udp' }, 'link:*>b:p/udp'],
] as const)('the id of the link %j is %s', (ends, id) => {
  expect(linkId(ends)).toBe(id);
});
