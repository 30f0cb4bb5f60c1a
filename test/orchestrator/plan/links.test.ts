import { describe, expect, it } from 'vitest';
import { linkId } from '../../../src/orchestrator/plan/links.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { REFERENCES } from '../../../src/orchestrator/template/references.ts';
import type { ClientTemplate } from '../../../src/orchestrator/template/template.ts';
import { parseText } from '../../../src/orchestrator/template/text.ts';
import { sampleNames, template } from '../package.ts';
import { HIDDEN, optionOf, quickPlanOf, task } from './planned.ts';

const TWO = 'chains: { main: { nodes: { a: { role: sequencer }, b: {} } } }';

const texts = ({ links = [] }: Plan) =>
  links.map(({ from, to, port, transport }) => `${from} > ${to} ${port}${transport === 'udp' ? '/udp' : ''}`);

describe('the links of a plan', () => {
  it('are one for each address of another task that a task receives', () => {
    expect(texts(quickPlanOf(`faults: true\n${TWO}`))).toEqual([
      'main/a/el > main/b/el http',
      'main/a/cl > l1 rpc',
      'main/a/cl > l1-beacon http',
      'main/a/cl > main/a/el engine',
      '* > main/a/cl p2p',
      '* > main/a/cl p2p/udp',
      'main/a/cl > main/b/cl p2p',
      'main/b/el > main/a/el http',
      'main/b/cl > l1 rpc',
      'main/b/cl > l1-beacon http',
      'main/b/cl > main/b/el engine',
      '* > main/b/cl p2p',
      '* > main/b/cl p2p/udp',
      'main/b/cl > main/a/cl p2p',
      'main/batcher > l1 rpc',
      'main/batcher > main/a/el http',
      'main/batcher > main/a/cl rpc',
      'main/proposer > l1 rpc',
      'main/proposer > main/a/cl rpc',
    ]);
  });

  it.each<[string, string, readonly string[]]>([
    [
      'a signer, which only the sequencer calls',
      'signer: {}, nodes: { a: { role: sequencer }, b: {} }',
      ['main/a/cl > main/signer rpc'],
    ],
    [
      'a DA server, which nodes and the batcher call',
      'altDa: {}, nodes: { a: { role: sequencer }, b: {} }',
      ['a/cl', 'b/cl', 'batcher'].map((caller) => `main/${caller} > main/da-server rpc`),
    ],
    [
      'a challenger',
      'proposer: { system: dispute-games, challenger: {} }, nodes: { a: { role: sequencer } }',
      ['main/challenger > l1 rpc', 'main/challenger > main/a/cl rpc'],
    ],
    [
      'a node that follows another',
      'nodes: { a: { role: sequencer }, f: { cl: { follow: a } } }',
      ['main/f/cl > main/a/cl rpc'],
    ],
    ['no batcher and no proposer', 'batcher: false, proposer: false, nodes: { a: { role: sequencer } }', []],
  ])('with %s are those that follow from it alone', (_, chain, links) => {
    const plan = quickPlanOf(`faults: true\nchains: { main: { ${chain} } }`);
    const nodes =
      /> (l1|l1-beacon) (rpc|http)|(el|cl) > main\/\w\/(el|cl) (http|engine|p2p)|\* > |(batcher|proposer) > main\/a/;
    expect(texts(plan).filter((each) => each.includes('challenger') || !nodes.test(each))).toEqual(links);
  });

  it('lead every call of the sequencer by the conductor, which calls each of the set', () => {
    const set = 'conductor: true, nodes: { s: { role: sequencer, count: 3 }, v: {} }';
    const links = texts(quickPlanOf(`faults: true\nchains: { main: { ${set} } }`));
    expect(links.filter((each) => each.startsWith('main/conductor'))).toEqual([
      ...['s-1', 's-2', 's-3'].flatMap((node) => [
        `main/conductor > main/${node}/cl rpc`,
        `main/conductor > main/${node}/el http`,
      ]),
      'main/conductor > l1 rpc',
    ]);
    const callers = links.filter((each) => each.endsWith('> main/conductor rpc')).map((each) => each.split(' ')[0]);
    const nodes = ['s-1', 's-2', 's-3', 'v'].flatMap((node) =>
      (node === 'v' ? ['el'] : ['el', 'cl']).map((part) => `main/${node}/${part}`),
    );
    expect(callers).toEqual([...nodes, 'main/batcher', 'main/proposer']);
    expect(links.filter((each) => / (http|rpc)$/.test(each) && /(batcher|proposer) > main\/s/.test(each))).toEqual([]);
  });

  it('are those of each chain, and of the peers that its nodes have', () => {
    const two = 'a: { nodes: { s: { role: sequencer }, v: { peers: [] } } }, b: { nodes: { s: { role: sequencer } } }';
    const links = texts(quickPlanOf(`faults: true\nchains: { ${two} }`));
    expect(links.filter((each) => / p2p$/.test(each))).toEqual(['* > a/s/cl p2p', '* > a/v/cl p2p', '* > b/s/cl p2p']);
    expect(links.filter((each) => each.startsWith('b/'))).toEqual([
      ...['l1 rpc', 'l1-beacon http', 'b/s/el engine'].map((target) => `b/s/cl > ${target}`),
      ...['l1 rpc', 'b/s/el http', 'b/s/cl rpc'].map((target) => `b/batcher > ${target}`),
      ...['l1 rpc', 'b/s/cl rpc'].map((target) => `b/proposer > ${target}`),
    ]);
  });

  it('are absent without faults, and nothing else of the plan depends on them', () => {
    const plan = quickPlanOf(TWO);
    expect(plan.links).toBeUndefined();
    expect(JSON.stringify(plan)).not.toContain('advertise');
    const withFaults = quickPlanOf(`faults: true\n${TWO}`);
    const facts = ({ tasks, network, files }: Plan) => [
      tasks.map(({ id, ports, ready, live, needs }) => ({ id, ports, ready, live, needs })),
      ...[network, files],
    ];
    expect(facts(withFaults)).toEqual(facts(plan));
  });

  it('that lead to L1 listen at its hidden address and call its gate, and the others are at loopback', () => {
    const { links = [] } = quickPlanOf(`faults: true\n${TWO}`);
    for (const { to, listen, target } of links) {
      expect(listen.host).toBe(to === 'l1' ? HIDDEN.host : '127.0.0.1');
      expect(listen.port).not.toBe(target.port);
      if (to === 'l1') expect(target).toEqual({ host: '127.0.0.1', port: 8545 });
    }
    const ports = links.filter(({ to }) => to === 'l1').map(({ listen }) => listen.port);
    expect(ports.every((port) => port > HIDDEN.port && port < HIDDEN.port + 100)).toBe(true);
  });

  it('are those that a node dials its peers by and announces itself by', () => {
    const plan = quickPlanOf(`faults: true\n${TWO}`);
    const listenOf = (from: string, to: string, transport: 'tcp' | 'udp' = 'tcp') =>
      plan.links?.find(({ id }) => id === linkId({ from, to, port: 'p2p', transport }))?.listen.port;
    const cl = task(plan, 'main/b/cl');
    expect(optionOf(cl, 'p2p.static')).toContain(`/ip4/127.0.0.1/tcp/${listenOf('main/b/cl', 'main/a/cl')}/p2p/`);
    expect(optionOf(cl, 'p2p.advertise.ip')).toBe('127.0.0.1');
    expect(optionOf(cl, 'p2p.advertise.tcp')).toBe(String(listenOf('*', 'main/b/cl')));
    expect(optionOf(cl, 'p2p.advertise.udp')).toBe(String(listenOf('*', 'main/b/cl', 'udp')));
  });

  it.each(sampleNames)('of the sample %s have distinct ids and ports', (name) => {
    const { links = [] } = quickPlanOf(`base: ${name}\nfaults: true`);
    expect(links.length).toBeGreaterThan(15);
    expect(new Set(links.map(({ id }) => id)).size).toBe(links.length);
    expect(new Set(links.map(({ listen }) => listen.port)).size).toBe(links.length);
  });

  it('cover every reference that a template may make: none leads around a proxy, or nowhere', () => {
    const asking = (name: string): ClientTemplate => {
      const base = template(name);
      const names = Object.entries(REFERENCES).flatMap(([reference, { kinds }]) =>
        (kinds as readonly string[]).includes(base.kind) &&
        !('secret' in REFERENCES[reference as keyof typeof REFERENCES])
          ? [reference]
          : [],
      );
      const all = names.map((reference) => [`all.${reference}`, parseText(`\${${reference}}`)] as const);
      return { ...base, args: { ...base.args, ...Object.fromEntries(all) } };
    };
    const plan = quickPlanOf(`faults: true\n${TWO}`, {}, asking);
    for (const { id, command } of plan.tasks) {
      const line = command.argv.join(' ');
      expect(line, id).not.toContain('unlinked');
      if (id === 'l1' || id === 'l1-beacon') continue;
      for (const other of plan.tasks.filter((each) => each.id !== id))
        for (const { host, port } of other.ports) expect(line, id).not.toMatch(new RegExp(`//${host}:${port}\\b`));
    }
  });
});
