import { describe, expect, it } from 'vitest';
import { template, templateNames } from '../../package.ts';
import { faultsOf, nodes, problemsOf, waysOutOf } from './problems.ts';

const el = (text: string) => nodes(`b: { el: ${text} }`);
const cl = (text: string) => nodes(`b: { cl: ${text} }`);
const NODE = 'chains.main.nodes.b';
const PLACE = `${NODE}.el`;

const kindNames = (kind: string) => templateNames.filter((name) => template(name).kind === kind);
/** What a client of a kind may be. */
const allowed = (kind: string) => [...kindNames(kind), 'the path of a template'].join(', ');

describe('clients', () => {
  it.each([
    ['{ runtime: embedded, image: x }', `runtime ${PLACE}.image: runtime: docker`],
    ['{ runtime: embedded, limits: { cpus: 1 } }', `runtime ${PLACE}.limits: runtime: docker`],
    ['{ client: op-geth, image: x, binary: ./g }', `runtime ${PLACE}.binary: image: the name of an image`],
    ['{ client: op-geth, runtime: embedded }', `runtime ${PLACE}.runtime: process, docker`],
    ['{ client: op-geth }', `runtime ${PLACE}.client: binary: a path, or a name on the PATH`],
    ['{ client: op-geth, runtime: docker }', `runtime ${PLACE}.runtime: image: the name of an image`],
    ['{ client: execution-go, binary: ./g }', `runtime ${PLACE}.binary: embedded, docker`],
    ['{ runtime: docker, launch: manual }', `runtime ${PLACE}.launch: launch: spawn, or another runtime`],
    ['{ args: { http.port: 7 } }', `argument ${PLACE}.args."http.port": ports: { http: … }`],
    ['{ ports: { htp: 7 } }', `unknown-key ${PLACE}.ports.htp: http, ws, engine`],
    ['execution-goo', `client ${PLACE}.client: ${allowed('el')}`],
    ['rollup-node', `client ${PLACE}.client: ${allowed('el')}`],
  ])('an execution client %s is reported with its code and the way out', (text, fault) => {
    expect(waysOutOf(el(text))).toEqual([fault]);
  });

  it.each([
    [cl('{ client: op-node }'), `runtime ${NODE}.cl.client: binary: a path, or a name on the PATH`],
    ['l1: { args: { fork-url: x } }', 'argument l1.args.fork-url: undefined'],
    ['l1: { args: { block-time: 1 } }', 'argument l1.args.block-time: undefined'],
    ['l1: { ports: { http: 1 } }', 'unknown-key l1.ports.http: rpc'],
    ['l1: { beacon: { ports: { rpc: 1 } } }', 'unknown-key l1.beacon.ports.rpc: http, gate'],
    ['l1: nope', `client l1.client: ${allowed('l1')}`],
    ['l1: { beacon: nope }', `client l1.beacon.client: ${allowed('beacon')}`],
    ['chains: { main: { batcher: nope } }', `client chains.main.batcher.client: ${allowed('batcher')}`],
    ['chains: { main: { proposer: nope } }', `client chains.main.proposer.client: ${allowed('proposer')}`],
    [
      'chains: { main: { proposer: { system: dispute-games, challenger: nope } } }',
      `client chains.main.proposer.challenger.client: ${allowed('challenger')}`,
    ],
    ['chains: { main: { signer: nope } }', `client chains.main.signer.client: ${allowed('signer')}`],
    [
      'chains: { main: { conductor: nope, nodes: { s: { role: sequencer, count: 3 } } } }',
      `client chains.main.conductor.client: ${allowed('conductor')}`,
    ],
    ['chains: { main: { altDa: nope } }', `client chains.main.altDa.client: ${allowed('da-server')}`],
    [cl('nope'), `client ${NODE}.cl.client: ${allowed('cl')}`],
    ['l1: { client: op-geth, binary: geth }', `client l1.client: ${allowed('l1')}`],
    [
      'l1: { client: geth, binary: geth, hardfork: cancun, beacon: batcher }',
      `client l1.beacon.client: ${allowed('beacon')}`,
    ],
  ])('%s is reported for its process alone', (text, fault) => {
    expect(waysOutOf(text)).toEqual([fault]);
  });

  it.each([
    ['a binary', '{ client: op-geth, binary: 5 }', `type ${PLACE}.binary`],
    ['an image', '{ client: op-geth, runtime: docker, image: 5 }', `type ${PLACE}.image`],
  ])('%s of a wrong type is reported alone, and not as missing', (_, text, fault) => {
    expect(faultsOf(el(text))).toEqual([fault]);
  });

  it('a client and a port that are misspelt are reported with the nearest ones', () => {
    expect(problemsOf(el('execution-goo'))).toMatchObject([{ nearest: 'execution-go', line: 1 }]);
    const [port] = problemsOf(el('{ ports: { htp: 7 } }'));
    expect(port).toMatchObject({ nearest: 'http', message: 'execution-go has no port "htp"', width: 'htp'.length });
  });

  it('a key for containers is reported at the key, with its name', () => {
    const [problem] = problemsOf(el('{ limits: { cpus: 1 } }'));
    expect(problem).toMatchObject({ message: '"limits" has a meaning for containers only', width: 'limits'.length });
    expect(faultsOf(el('{ runtime: docker, image: x, limits: { cpus: 1 } }'))).toEqual([]);
    expect(faultsOf(el('{ client: op-geth, binary: g, limits: { cpus: 1 } }'))).toEqual([`runtime ${PLACE}.limits`]);
  });

  it('an argument is reported at its key, with the reason why the client refuses it', () => {
    const [problem] = problemsOf('l1: { args: { block-time: 1 } }');
    const reason = template('anvil').refusedArguments['block-time'];
    expect(problem).toMatchObject({
      column: 15,
      width: 'block-time'.length,
      message: `--block-time cannot be given to anvil here: ${reason}`,
    });
  });

  it('each of several faults of one process is reported', () => {
    expect(faultsOf(el('{ image: 5, ports: { x: 1, y: 2 }, args: { http.port: 7, ws.port: 8 } }')).toSorted()).toEqual([
      `argument ${PLACE}.args."http.port"`,
      `argument ${PLACE}.args."ws.port"`,
      `type ${PLACE}.image`,
      `unknown-key ${PLACE}.ports.x`,
      `unknown-key ${PLACE}.ports.y`,
    ]);
  });

  it('each of two nodes with the same fault is reported', () => {
    expect(faultsOf(nodes('b: { el: nope }, c: { el: nope, cl: nope }'))).toEqual([
      `client ${NODE}.el.client`,
      'client chains.main.nodes.c.el.client',
      'client chains.main.nodes.c.cl.client',
    ]);
  });

  it('a name of every object is no argument that the plan sets', () => {
    expect(waysOutOf(el('{ args: { toString: x, constructor-x: y } }'))).toEqual([]);
  });

  it('an external process needs no binary', () => {
    expect(faultsOf(el('{ client: op-geth, external: { http: "http://x", engine: "http://x", jwt: j } }'))).toEqual([]);
    expect(faultsOf(cl('{ client: op-node, external: { rpc: "http://x" } }'))).toEqual([]);
  });

  it('a container whose runtime the spec names for all is reported at its client', () => {
    const text = `runtime: docker\n${el('op-geth')}`;
    expect(waysOutOf(text)).toContain(`runtime ${PLACE}.client: image: the name of an image`);
  });

  it('a batcher and a proposer of another kind are refused', () => {
    const paths = waysOutOf('chains: { main: { batcher: proposer, proposer: batcher } }').map((fault) =>
      fault.replace(/:.*/, ''),
    );
    expect(paths).toEqual(['client chains.main.batcher.client', 'client chains.main.proposer.client']);
  });

  it('nodes of one count are reported once', () => {
    const text = 'chains: { main: { nodes: { s: { role: sequencer }, b: { count: 3, el: op-geth } } } }';
    expect(waysOutOf(text)).toHaveLength(1);
  });
});

describe('a template of the user’s', () => {
  it.each<[string, Partial<ReturnType<typeof template>>, string, readonly string[]]>([
    ['that runs in no container', { runtimes: ['process'] }, 'image: x', [`runtime ${PLACE}.image: process`]],
    ['that runs in containers alone', { runtimes: ['docker'] }, 'launch: spawn', [`runtime ${PLACE}.client: docker`]],
    [
      'that is embedded, with a binary',
      { runtimes: ['embedded', 'process'] },
      'runtime: embedded, binary: g',
      [`runtime ${PLACE}.binary: runtime: process`],
    ],
    [
      'that needs a binary, embedded',
      { runtimes: ['embedded', 'process'], needsBinary: true },
      'runtime: embedded',
      [],
    ],
    ['that has a program', { needsBinary: false }, 'runtime: process', []],
    ['that has an image', { needsImage: false }, 'runtime: docker', []],
  ])('%s is checked by what it can', (_, facts, text, faults) => {
    const more = { loadClient: () => ({ ...template('op-geth'), ...facts }) };
    expect(waysOutOf(el(`{ client: ./mine.yaml, ${text} }`), more)).toEqual(faults);
  });

  it('that did not load is reported by its own problems alone', () => {
    const [problem] = waysOutOf(el('./mine.yaml'));
    expect(problem).toBe(`client ${PLACE}.client: undefined`);
    expect(faultsOf(el('./mine.yaml'), { loadClient: () => [] })).toEqual([]);
  });
});
