import { expect, it } from 'vitest';
import { template } from '../../package.ts';
import { faultsOf, problemsOf, waysOutOf } from './problems.ts';

const LODESTAR = 'beacon: { client: lodestar, binary: l }';

it.each([
  ['{ hardfork: osaka }', []],
  [`{ client: geth, binary: g, hardfork: osaka, ${LODESTAR} }`, []],
  [
    '{ client: geth, binary: g, hardfork: cancun }',
    ['client l1.client: lodestar, or a template of yours that refers to ${l1.engine}'],
  ],
  [`{ client: execution-go, ${LODESTAR}, hardfork: cancun }`, []],
  [`{ hardfork: cancun, ${LODESTAR} }`, ['client l1.beacon: l1-beacon']],
  [`{ client: geth, binary: g, hardfork: cancun, ${LODESTAR} }`, []],
])('l1: %s has an execution client and a beacon node that fit', (text, faults) => {
  expect(waysOutOf(`l1: ${text}`)).toEqual(faults);
});

it.each([
  ['nope', ['client l1.client']],
  ['{ client: nope, forks: { osaka: +20s }, blobSchedule: { osaka: { target: 1, max: 1 } } }', ['client l1.client']],
  ['{ client: op-geth, binary: g, hardfork: cancun }', ['client l1.client']],
  ['{ client: geth, binary: g, hardfork: cancun, beacon: nope }', ['client l1.beacon.client']],
  ['{ client: geth, binary: g, hardfork: cancun, beacon: batcher }', ['client l1.beacon.client']],
])('l1: %s has a client that is none, of which nothing more is asked', (text, faults) => {
  expect(faultsOf(`l1: ${text}`)).toEqual(faults);
});

it.each([
  ['{ client: geth, binary: g, hardfork: cancun, beacon: { client: lodestar, binary: l } }', ['client l1.beacon']],
  [`{ client: anvil, hardfork: cancun, ${LODESTAR} }`, []],
])('l1: %s has a beacon node that makes no blocks', (text, faults) => {
  const client = (name: string) => ({ ...template(name), ...(name === 'lodestar' ? { drivesEngine: false } : {}) });
  expect(faultsOf(`l1: ${text}`, { client })).toEqual(faults);
});

const FORKS = 'forks: { base: cancun, prague: +20s, osaka: { block: 30 }, bpo1: +60s, bpo2: +60s }';
const WITH_FORKS = 'client: execution-go or execution-rust with l1-beacon, or client: geth with lodestar';
const ON_OURS = `${WITH_FORKS}, or \`hardfork\``;
const REAL = `client: geth, binary: g, ${LODESTAR}`;

it.each([
  [`{ client: execution-go, ${FORKS} }`, []],
  [`{ client: execution-rust, ${FORKS} }`, []],
  ['{ forks: { base: osaka } }', []],
  ['{ hardfork: osaka, forks: { base: osaka } }', []],
  ['{ hardfork: osaka, forks: { base: prague } }', ['fork-order l1.forks.base: one of the two keys']],
  [`{ ${FORKS} }`, [`fork-client l1.forks.prague: ${ON_OURS}`]],
  [`{ ${REAL}, forks: { base: cancun, prague: { block: 8 }, osaka: { block: 24 }, bpo1: { block: 24 } } }`, []],
  [`{ ${REAL}, blockTime: 4, forks: { base: cancun, prague: +64s } }`, []],
  [
    `{ ${REAL}, forks: { base: cancun, prague: { block: 8 }, osaka: { block: 25 } } }`,
    [
      'fork-client l1.forks.osaka: the first block of an epoch, which has 8 blocks of 2 s: ' +
        '{ block: 24 } or { block: 32 }',
    ],
  ],
  ['{ client: execution-go, forks: { prague: +20s } }', ['fork-order l1.forks.prague: a base before prague']],
  ['{ client: execution-go, forks: { bpo1: +20s } }', ['fork-order l1.forks.bpo1: a time for osaka too']],
  [
    '{ client: execution-go, forks: { osaka: +20s, bpo1: +19s } }',
    ['fork-order l1.forks.bpo1: a time at or after that of osaka'],
  ],
  [
    '{ client: execution-go, forks: { osaka: 1000 } }',
    ['fork-order l1.forks.osaka: a time after genesis, or a base of osaka'],
  ],
  [
    '{ client: execution-go, forks: { osaka: genesis } }',
    ['fork-order l1.forks.osaka: a time after genesis, or a base of osaka'],
  ],
  ['{ client: execution-go, forks: { osaka: never } }', []],
  [
    '{ client: execution-go, forks: { base: cancun, prague: +20s, osaka: +10s, bpo1: +10s } }',
    ['fork-order l1.forks.osaka: a time at or after that of prague'],
  ],
  ['{ client: execution-go, forks: { osaka: +20s }, blobSchedule: { osaka: { target: 1, max: 1 } } }', []],
  [`{ client: execution-go, ${LODESTAR}, hardfork: cancun, blobSchedule: { cancun: { target: 1, max: 1 } } }`, []],
  [
    '{ client: execution-go, blobSchedule: { prague: { target: 2, max: 1 } } }',
    ['value l1.blobSchedule.prague: a max from 2 on'],
  ],
  ['{ client: execution-go, hardfork: osaka, blobSchedule: { prague: { target: 0, max: 1 } } }', []],
  [
    '{ client: execution-go, blobSchedule: { osaka: { target: 1, max: 1 } } }',
    ['fork-order l1.blobSchedule.osaka: a time for it: l1.forks.osaka'],
  ],
  ['{ blobSchedule: { cancun: { target: 1, max: 1 } } }', [`fork-client l1.blobSchedule.cancun: ${WITH_FORKS}`]],
])('forks of L1: %s follow one another after genesis', (text, faults) => {
  expect(waysOutOf(`l1: ${text}`)).toEqual(faults);
});

it.each([
  [1_700_000_000, ['fork-order l1.forks.osaka']],
  [1_700_000_001, []],
])('a fork of L1 at %i is after the genesis at 1700000000, or is refused', (time, faults) => {
  const l1 = `l1: { client: execution-go, forks: { osaka: ${time} } }`;
  expect(faultsOf(`time: { genesis: 1700000000 }\n${l1}`)).toEqual(faults);
});

it.each([
  ['{ client: execution-go, hardfork: cancn, forks: { prague: +20s } }', 'value l1.hardfork'],
  ['{ client: execution-go, hardfork: osakaa, forks: { bpo1: +20s } }', 'value l1.hardfork'],
  ['{ client: execution-go, forks: { osaka: soon, bpo1: +20s } }', 'value l1.forks.osaka'],
  [
    '{ client: execution-go, forks: { osaka: soon }, blobSchedule: { osaka: { target: 1, max: 1 } } }',
    'value l1.forks.osaka',
  ],
  [`{ client: geth, binary: g, forks: { base: cancn }, ${LODESTAR} }`, 'value l1.forks.base'],
])('l1: %s has no fault of its forks beside a fork that is misspelt', (text, fault) => {
  expect(faultsOf(`l1: ${text}`)).toEqual([fault]);
});

/** Has the templates of the package, and an L1 that knows one fork alone. */
const withOld = (name: string) =>
  name === 'old' ? { ...template('geth'), name, hardforks: ['cancun'] } : template(name);

const NO_AMSTERDAM = 'the rules of amsterdam are not implemented: of an external L1 its headers are read';

it.each([
  [
    'a fork without the one before it',
    ['client: execution-go', 'forks: { base: cancun, osaka: +20s }'],
    ['3:33 l1.forks.osaka: osaka activates, but prague, which comes before it, does not'],
  ],
  [
    'a fork before the one that it follows',
    ['client: execution-rust', 'forks: { osaka: +20s, bpo1: +19s }'],
    ['3:31 l1.forks.bpo1: bpo1 activates 1 s before osaka'],
  ],
  [
    'a fork before the genesis of L2',
    ['client: execution-go', 'forks: { osaka: 1000 }'],
    ['3:19 l1.forks.osaka: osaka of L1 would activate at or before genesis'],
  ],
  [
    'forks on anvil',
    ['client: anvil', 'forks: { base: cancun, prague: +20s }'],
    ['3:34 l1.forks.prague: anvil activates no fork of L1 after genesis'],
  ],
  [
    'a base that the client cannot run',
    ['client: old', 'binary: g', 'hardfork: osaka'],
    ['4:13 l1.hardfork: old cannot run an L1 of osaka'],
  ],
  [
    'a fork within an epoch',
    ['client: geth', 'binary: g', LODESTAR, 'forks: { base: cancun, prague: +4s }'],
    ['5:34 l1.forks.prague: prague activates 4 s after genesis, within an epoch of lodestar'],
  ],
  ['amsterdam as a base', ['client: execution-go', 'hardfork: amsterdam'], [`3:13 l1.hardfork: ${NO_AMSTERDAM}`]],
  [
    'amsterdam later',
    ['client: execution-go', 'forks: { amsterdam: +20s }'],
    [`3:12 l1.forks.amsterdam: ${NO_AMSTERDAM}`],
  ],
  [
    'a max of blobs below their target',
    ['client: execution-go', 'blobSchedule: { prague: { target: 6, max: 5 } }'],
    ['3:19 l1.blobSchedule.prague: prague has a max of 5 blobs, below its target of 6'],
  ],
])('l1 refuses %s, at its position', (_, lines, expected) => {
  const found = problemsOf(`l1:\n${lines.map((line) => `  ${line}\n`).join('')}`, { client: withOld });
  expect(found.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)).toEqual(
    expect.arrayContaining(expected),
  );
});
