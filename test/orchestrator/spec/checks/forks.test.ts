import { describe, expect, it } from 'vitest';
import { FORK_TIME } from '../../../../src/orchestrator/spec/schema/values.ts';
import { template } from '../../package.ts';
import { faultsOf, nodes, waysOutOf } from './problems.ts';

/** A chain with forks, a sequencer and a node `b`. */
const chain = (forks: string, b = '{}', more = '') =>
  `chains: { main: { forks: ${forks}, ${more} nodes: { s: { role: sequencer }, b: ${b} } } }`;
const override = (forks: string, times: string) => chain(forks, `{ override: ${times} }`);
const FORKS = 'chains.main.forks';
const NODE = 'chains.main.nodes.b';

describe('the order of forks', () => {
  it.each([
    ['{ base: isthmus, granite: genesis }', []],
    ['{ base: isthmus, granite: +9s }', [`fork-order ${FORKS}.granite: genesis, or a base before granite`]],
    [
      '{ base: isthmus, granite: +9s, isthmus: never }',
      ['granite', 'isthmus'].map((fork) => `fork-order ${FORKS}.${fork}: genesis, or a base before ${fork}`),
    ],
    [
      '{ base: granite, holocene: +20s, isthmus: +16s }',
      [`fork-order ${FORKS}.isthmus: a time at or after that of holocene`],
    ],
    ['{ base: granite, holocene: +20s, isthmus: +20s }', []],
  ])('%s is checked', (forks, faults) => {
    expect(waysOutOf(chain(forks))).toEqual(faults);
  });

  it('a fault elsewhere hides no fault of the forks, and a fault of the forks hides what follows', () => {
    const text = (forks: string) => `chains: { main: { blockTime: soon, forks: ${forks} } }`;
    expect(faultsOf(text('{ base: isthmus, granite: +9s }'))).toEqual([
      'type chains.main.blockTime',
      `fork-order ${FORKS}.granite`,
    ]);
    expect(faultsOf('chains: { main: { forks: { base: granit, isthmus: +9s } } }')).toEqual([`value ${FORKS}.base`]);
  });
});

describe('a time of one node', () => {
  it.each([
    ['{ base: jovian }', '{ isthmus: +9s }', [`override ${NODE}.override.isthmus: ${FORK_TIME}`]],
    [
      '{ base: granite, holocene: +4s, isthmus: +8s }',
      '{ isthmus: genesis }',
      [`override ${NODE}.override.isthmus: ${FORK_TIME}`],
    ],
    [
      '{ base: granite, holocene: +4s, isthmus: +8s }',
      '{ isthmus: +2s }',
      [`fork-order ${NODE}.override.isthmus: undefined`],
    ],
    [
      '{ base: granite, holocene: +4s, isthmus: +8s }',
      '{ holocene: +20s }',
      [`fork-order ${NODE}.override.holocene: undefined`],
    ],
    ['{ base: granite, holocene: +4s, isthmus: +8s }', '{ holocene: +6s, isthmus: +6s }', []],
    ['{ base: granite, holocene: +4s, isthmus: +8s }', '{ isthmus: never }', []],
  ])('of a chain %s is checked: %s', (forks, times, faults) => {
    expect(waysOutOf(override(forks, times))).toEqual(faults);
  });

  it('an order that is wrong on the whole chain is reported there alone', () => {
    expect(faultsOf(override('{ base: granite, holocene: +20s, isthmus: +16s }', '{ isthmus: +18s }'))).toEqual([
      `fork-order ${FORKS}.isthmus`,
    ]);
  });

  it('the time of genesis is at genesis, as 0 is', () => {
    const text = override('{ base: jovian }', '{ jovian: 1700000000 }');
    expect(faultsOf(`time: { genesis: 1700000000 }\n${text}`)).toEqual([]);
    expect(faultsOf(`time: { genesis: 1699999999 }\n${text}`)).toEqual([`override ${NODE}.override.jovian`]);
  });

  it.each([
    ['neither part of the node', './mine.yaml', ['override']],
    ['its rollup node', 'rollup-node', []],
    ['a client that does not exist', 'nope', ['client']],
  ])('a fork that %s can be given is looked at', (_, client, codes) => {
    const b = `{ el: { client: op-reth, binary: r }, cl: ${client}, override: { pectrablobschedule: +9s } }`;
    const loadClient = () => ({ ...template('rollup-node'), takesOverride: () => false });
    expect(faultsOf(chain('{ base: jovian }', b), { loadClient }).map((fault) => fault.replace(/ .*/, ''))).toEqual(
      codes,
    );
  });

  it('a fork that neither part can be given is reported at its time', () => {
    const b = '{ el: { client: op-reth, binary: r }, cl: ./mine.yaml, override: { pectrablobschedule: +9s } }';
    const loadClient = () => ({ ...template('rollup-node'), takesOverride: () => false });
    expect(waysOutOf(chain('{ base: jovian }', b), { loadClient })).toEqual([
      `override ${NODE}.override.pectrablobschedule: undefined`,
    ]);
  });
});

describe('upgrade transactions', () => {
  const OP_NODE = '{ cl: { client: op-node, binary: n } }';

  it.each([
    [
      'without a bundle of the package',
      chain('{ karst: +9s }'),
      [`fork-bundle ${FORKS}.karst: genesis, never, or a file at chains.main.bundles.karst`],
    ],
    ['of a bundle that the spec gives', chain('{ karst: +9s }', '{}', 'bundles: { karst: k.json },'), []],
    [
      'that one node activates',
      override('{ base: jovian }', '{ karst: +9s }'),
      [`fork-bundle ${NODE}.override.karst: genesis, never, or a file at chains.main.bundles.karst`],
    ],
    ['of this package’s own contracts', chain('{ base: isthmus, jovian: +9s }'), []],
    [
      'of this package’s own contracts beside op-node',
      chain('{ base: isthmus, jovian: +9s }', OP_NODE),
      [`fork-bundle ${FORKS}.jovian: genesis, or the official bundle at chains.main.bundles.jovian`],
    ],
    ['of the official contracts beside op-node', chain('{ base: holocene, isthmus: +9s }', OP_NODE), []],
    [
      'beside a client that does not exist',
      chain('{ base: isthmus, jovian: +9s }', '{ cl: nope }'),
      [expect.stringMatching(`^client ${NODE}.cl.client: `)],
    ],
  ])('%s are checked', (_, text, faults) => {
    expect(waysOutOf(text)).toEqual(faults);
  });
});

describe('forks of a client', () => {
  it('a client is refused at its key with a fork after its last one', () => {
    const geth = (forks: string) => chain(forks, '{ el: { client: op-geth, binary: g } }');
    expect(waysOutOf(geth('{ base: karst }'))).toEqual([`fork-client ${NODE}.el.client: undefined`]);
    expect(waysOutOf(geth('{ base: jovian, pectrablobschedule: +9s }'))).toEqual([]);
  });

  it('the default client is refused at the fork', () => {
    const client = (name: string) => ({ ...template(name), until: name === 'rollup-node' ? 'isthmus' : null });
    expect(faultsOf(nodes('b: {}').replace('nodes:', 'forks: { jovian: genesis }, nodes:'), { client })).toEqual(
      Array(2).fill(`fork-client ${FORKS}.jovian`),
    );
  });
});

describe('forks at one time', () => {
  const OP_NODE = '{ cl: { client: op-node, binary: n } }';
  const BUNDLES = 'bundles: { jovian: j.json, karst: k.json },';

  it.each([
    [
      '{ base: holocene, isthmus: +20s, jovian: +20s }',
      [`fork-client ${FORKS}.jovian: a later time than that of isthmus, or genesis for both`],
    ],
    ['{ base: holocene, isthmus: +20s, jovian: +22s }', []],
    ['{ base: granite, holocene: +20s, isthmus: +20s }', []],
    ['{ base: isthmus, jovian: +20s, karst: +22s, pectrablobschedule: +22s }', []],
    ['{ base: holocene, isthmus: 1700000000, jovian: 1700000000 }', []],
  ])('%s are refused for op-node as it refuses them', (forks, faults) => {
    expect(waysOutOf(`time: { genesis: 1700000000 }\n${chain(forks, OP_NODE, BUNDLES)}`)).toEqual(faults);
  });

  it.each([
    ['{ isthmus: +40s }', 'isthmus'],
    ['{ jovian: +20s }', 'jovian'],
  ])('that the times %s of one node make are refused at these', (times, fork) => {
    const b = OP_NODE.replace(' } }', ` }, override: ${times} }`);
    const text = chain('{ base: holocene, isthmus: +20s, jovian: +40s }', b, BUNDLES);
    expect(faultsOf(text)).toEqual([`fork-client ${NODE}.override.${fork}`]);
  });

  it('the first fork after bedrock is compared with bedrock', () => {
    const loadClient = () => ({ ...template('rollup-node'), distinctTimesFrom: 'regolith' });
    const text = chain('{ base: bedrock, regolith: +20s, canyon: +20s }', '{ cl: ./mine.yaml }');
    expect(faultsOf(text, { loadClient })).toEqual([`fork-client ${FORKS}.canyon`]);
  });
});

describe('blobs', () => {
  it.each([
    ['canyon', '{ da: blobs }', ['value chains.main.batcher.da: calldata, or a base of ecotone or later']],
    ['canyon', '{ da: calldata }', []],
    ['canyon', 'false', []],
    ['ecotone', '{ da: blobs }', []],
  ])('at %s with a batcher %s are checked', (base, batcher, faults) => {
    expect(waysOutOf(chain(`{ base: ${base} }`, '{}', `batcher: ${batcher},`))).toEqual(faults);
  });
});
