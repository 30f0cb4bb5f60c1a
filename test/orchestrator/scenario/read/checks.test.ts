import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { checkSteps } from '../../../../src/orchestrator/scenario/read/load.ts';
import { readScenario } from '../../../../src/orchestrator/scenario/read/read.ts';
import { GENESIS, twoChains } from './two-chains.ts';

const TO = `"0x${'22'.repeat(20)}"`;

/** The problems of steps on a network: `path: message` with what is allowed, and the nearest word. */
function problemsOf(steps: readonly string[], plan: Plan = twoChains()) {
  const text = `steps:\n${steps.map((step) => `  - ${step}\n`).join('')}`;
  const { scenario, problems } = readScenario({ name: 'a.yaml', text }, 'a');
  if (scenario === undefined || problems.length > 0) throw new Error(problems.map(({ message }) => message).join());
  return checkSteps(scenario, plan).map(({ code, path, message, allowed, nearest }) => {
    expect(code).toBe('never');
    return [path.replace(/^steps\./, ''), message, allowed, nearest];
  });
}

const NODES = 'a, b, c';
const TASKS = 'main/a/el, main/a/cl, main/b/el, main/b/cl, main/batcher, main/proposer, other/c/el, other/c/cl';
const METRICS = 'a rollup node whose spec has args: { metrics.enabled: true }';

describe('a step is accepted', () => {
  it.each([
    'wait: block:5 @main/b',
    'wait: fork:isthmus @a',
    'wait: { for: fork:holocene, node: b }',
    `send: { to: ${TO}, from: 1 }`,
    `send: { on: l1, to: ${TO}, from: 1 }`,
    `call: { to: ${TO}, on: other/c, function: "f(uint256)", args: [1] }`,
    `deposit: { chain: main, to: ${TO}, data: "0x12" }`,
    `withdraw: { value: 1, from: 1 }`,
    `fund: { address: ${TO}, amount: 1 ether, chain: other }`,
    'load: { count: 3, chain: other }',
    'batcher: stop',
    'batcher: { da: blobs, args: { a: 1 } }',
    'fork: { move: { isthmus: +40s, jovian: never } }',
    'node: { restart: a, override: { isthmus: +9s }, args: { a: 1 }, rewind: true }',
    'node: { reset: a, override: { isthmus: +9s }, args: { a: 1 } }',
    'node: { kill: main/batcher }',
    'node: { add: new, el: execution-rust, peers: [a], chain: main, set: [cl.args.x=1] }',
    'node: { remove: b }',
    'proposer: { do: stop, chain: main }',
    `expect: { game: { of: ${TO}, is: in-progress } }`,
    'expect: { agree: true }',
    'warp: +30s',
    'warp: +1h30m',
    'warp: +0.5s',
    'warp: { to: "time:1800000000" }',
    'warp: { to: "block:5", chain: other }',
    'warp: { to: "fork:isthmus", chain: main, past: true }',
    'exec: { run: "true", stdout: "^a" }',
    'expect: { log: { of: a.el, matches: "^x" } }',
    'expect: { metric: { of: b.cl, name: up, is: 1 } }',
    'expect: { head: { node: c, stands: true, for: 3s } }',
    'expect: { head: { at: 1 } }',
    'expect: { head: { stands: true } }',
    'expect: { diverge: { node: other/c } }',
    `expect: { balance: { of: ${TO}, on: l1, is: 1 } }`,
    `expect: { receipt: { hash: "0x${'0'.repeat(64)}", on: b } }`,
    `expect: { call: { to: ${TO}, returns: 1 } }`,
    'pause: 3s',
  ])('%s', (step) => {
    expect(problemsOf([step])).toEqual([]);
  });
});

describe('steps of false outputs', () => {
  const lie = `proposer: { lie: { to: ${TO} } }`;
  const against = `withdraw: { value: 1, against: ${TO} }`;

  it('are accepted if outputs are dispute games', () => {
    const plan = twoChains({ contracts: { l1: { DisputeGameFactory: `0x${'33'.repeat(20)}` }, l2: {} } });
    expect(problemsOf([lie, against], plan)).toEqual([]);
    expect(problemsOf([against.replace('value', 'gas: 7, value')], plan)).toEqual([
      ['0.withdraw.gas', '"gas" has no meaning with against', 'from, to, value, timeout, chain', undefined],
    ]);
    expect(problemsOf([against.replace('value', 'data: "0x12", value')], plan)).toEqual([
      ['0.withdraw.data', '"data" has no meaning with against', 'from, to, value, timeout, chain', undefined],
    ]);
  });

  it.each([
    [lie, '0.proposer'],
    [against, '0.withdraw'],
  ])('%s is refused if outputs go to an oracle', (step, path) => {
    const allowed = 'a chain with proposer: { system: dispute-games }';
    expect(problemsOf([step])).toEqual([[path, 'the outputs of main are no dispute games', allowed, undefined]]);
  });
});

it('a step of an unknown node is refused with each name once, which nodes of several chains may share', () => {
  const plan = twoChains();
  const [main, other] = plan.network.chains;
  const chains = [main!, { ...other!, nodes: [{ ...other!.nodes[0]!, name: 'a' }] }];
  expect(problemsOf(['wait: block:5 @d'], { ...plan, network: { ...plan.network, chains } })).toEqual([
    ['0.wait.node', 'the devnet has no node "d"', 'a, b', 'a'],
  ]);
});

it('a step of an account without a known key is refused', () => {
  const [keyed] = twoChains().network.chains[0]!.accounts;
  const plan = twoChains({ accounts: [keyed!, { address: keyed!.address }] });
  expect(problemsOf([`send: { to: ${TO} }`], plan)).toEqual([]);
  expect(problemsOf([`send: { to: ${TO}, from: 1 }`], plan)).toEqual([
    ['0.send.from', 'main has no account 1', '0 to 0', undefined],
  ]);
});

it('a step after a move of the sequencer knows the roles that are then', () => {
  const move = 'sequencer: { move: b }';
  expect(problemsOf([move, 'node: { remove: a }'])).toEqual([]);
  expect(problemsOf([move, 'node: { remove: b }'])).toEqual([
    ['1.node.remove', '"b" is the sequencer', 'a verifier', undefined],
  ]);
  expect(problemsOf([move, move])).toEqual([
    ['1.sequencer.move', '"b" is the sequencer already', undefined, undefined],
  ]);
});

describe('a step after one that adds or removes a node', () => {
  it('knows the nodes that are there then', () => {
    const add = 'node: { add: new }';
    expect(problemsOf([add, 'wait: block:5 @main/new', 'node: { stop: new.cl }', 'node: { remove: new }'])).toEqual([]);
    expect(problemsOf([add, 'node: { remove: b }', 'wait: block:5 @b'])).toEqual([
      ['2.wait.node', 'the devnet has no node "b"', 'a, new, c', 'a'],
    ]);
    expect(problemsOf([add, add])).toEqual([
      ['1.node.add', 'the chain "main" has a node "new" already', undefined, undefined],
    ]);
  });

  it('knows the processes that are there then', () => {
    const remove = 'node: { remove: b }';
    for (const process of ['el', 'cl']) {
      expect(problemsOf(['node: { add: new }', `node: { stop: main/new/${process} }`])).toEqual([]);
      const left = TASKS.replace('main/b/el, main/b/cl, ', '');
      expect(problemsOf([remove, `node: { stop: main/b/${process} }`])).toEqual([
        ['1.node.stop', `there is no node "main/b/${process}"`, left, `main/a/${process}`],
      ]);
      const added = ['node: { add: new }', 'node: { remove: new }', `node: { stop: main/new/${process} }`];
      expect(problemsOf(added)).toEqual([
        ['2.node.stop', `there is no node "main/new/${process}"`, TASKS, `main/a/${process}`],
      ]);
    }
  });

  it('knows that an added node is a verifier on the chain that it names, with the fork times of that', () => {
    const later = ['wait: fork:isthmus @main/new', 'sequencer: { move: main/new }', 'node: { remove: main/a }'];
    expect(problemsOf(['node: { add: new }', ...later])).toEqual([]);
    expect(problemsOf(['node: { add: new, chain: other }', 'wait: block:5 @other/new'])).toEqual([]);
    expect(problemsOf(['node: { add: new, chain: other }', 'wait: block:5 @main/new'])).toHaveLength(1);
  });

  it('knows an added node as one like a verifier of its chain, here with metrics, or like its only node', () => {
    const metric = (of: string) => `expect: { metric: { of: ${of}, name: up, is: 1 } }`;
    expect(problemsOf(['node: { add: new }', metric('main/new/cl')])).toEqual([]);
    const chained = ['node: { add: new }', 'node: { remove: b }', 'node: { add: newer }', metric('main/newer/cl')];
    expect(problemsOf(chained)).toEqual([]);
    expect(problemsOf(['node: { add: new, chain: other }', metric('other/new/cl')])).toEqual([
      ['1.expect.metric.of', 'other/new/cl serves no metrics', METRICS, undefined],
    ]);
  });

  it('knows that devnet starts an added node, also beside one that runs elsewhere', () => {
    const external = { launch: 'external' as const };
    const outside = twoChains({}, { 'main/b/el': external, 'main/b/cl': external });
    expect(problemsOf(['node: { add: new }', 'node: { stop: new }'], outside)).toEqual([]);
  });
});

describe('a step that can never come true is refused', () => {
  it.each<[string, readonly (readonly (string | undefined)[])[]]>([
    ['node: { remove: a }', [['0.node.remove', '"a" is the sequencer', 'a verifier', undefined]]],
    ['node: { add: d, chain: x }', [['0.node.chain', 'the devnet has no chain "x"', 'main, other', undefined]]],
    ['node: { remove: d }', [['0.node.remove', 'the devnet has no node "d"', NODES, 'a']]],
    ['node: { add: d, peers: [c] }', [['0.node.peers.0', 'the devnet has no node "main/c"', NODES, 'c']]],
    ...[
      ['el', 'x'],
      ['cl', 'x'],
      ['peers', '[a]'],
      ['follow', 'a'],
      ['set', '[cl.args.x=1]'],
      ['chain', 'main'],
    ].map(([key, value]): [string, (string | undefined)[][]] => [
      `node: { stop: b, ${key}: ${value} }`,
      [[`0.node.${key}`, `"${key}" changes nothing without add`, 'with add', undefined]],
    ]),
    ['proposer: { do: stop, chain: other }', [['0.proposer', 'other has no proposer', 'a chain with one', undefined]]],
    ['wait: block:5 @d', [['0.wait.node', 'the devnet has no node "d"', NODES, 'a']]],
    ['wait: block:5 @main/c', [['0.wait.node', 'the devnet has no node "main/c"', NODES, 'c']]],
    [
      'wait: fork:isthmus',
      [['0.wait.for', 'isthmus never activates on main/b, other/c', 'granite, holocene, isthmus', 'isthmus']],
    ],
    [
      'wait: fork:isthms @main/a',
      [['0.wait.for', 'isthms never activates on main/a', 'granite, holocene, isthmus', 'isthmus']],
    ],
    [`send: { to: ${TO}, from: 2 }`, [['0.send.from', 'main has no account 2', '0 to 1', undefined]]],
    [`send: { on: l1, to: ${TO}, from: 9 }`, [['0.send.from', 'main has no account 9', '0 to 1', undefined]]],
    [
      `send: { on: c, to: ${TO} }`,
      [['0.send.from', 'other has no account 0', 'none: it has no accounts with known keys', undefined]],
    ],
    [`send: { on: x, to: ${TO}, from: 9 }`, [['0.send.on', 'the devnet has no node "x"', NODES, 'a']]],
    [`call: { on: x, to: ${TO} }`, [['0.call.on', 'the devnet has no node "x"', NODES, 'a']]],
    ['deploy: { bytecode: "0x00", from: 7 }', [['0.deploy.from', 'main has no account 7', '0 to 1', undefined]]],
    [
      `deposit: { chain: mian, to: ${TO} }`,
      [['0.deposit.chain', 'the devnet has no chain "mian"', 'main, other', 'main']],
    ],
    [
      `deposit: { chain: x, to: ${TO}, data: "0x12", function: "f()" }`,
      [
        ['0.deposit.chain', 'the devnet has no chain "x"', 'main, other', undefined],
        ['0.deposit.data', '"data" and "function" both say what is called', 'one of them', undefined],
      ],
    ],
    [`deposit: { from: 5, to: ${TO} }`, [['0.deposit.from', 'main has no account 5', '0 to 1', undefined]]],
    [
      `fund: { address: ${TO}, amount: 1, chain: x }`,
      [['0.fund.chain', 'the devnet has no chain "x"', 'main, other', undefined]],
    ],
    ['load: { chain: x }', [['0.load.chain', 'the devnet has no chain "x"', 'main, other', undefined]]],
    [
      'withdraw: { value: 1, chain: x }',
      [['0.withdraw.chain', 'the devnet has no chain "x"', 'main, other', undefined]],
    ],
    [
      'withdraw: { value: 1, chain: other }',
      [
        ['0.withdraw.from', 'other has no account 0', 'none: it has no accounts with known keys', undefined],
        ['0.withdraw', expect.stringContaining('no proposer'), 'a chain with a proposer', undefined] as never,
      ],
    ],
    [
      `call: { to: ${TO}, data: "0x12", function: "f()" }`,
      [['0.call.data', '"data" and "function" both say what is called', 'one of them', undefined]],
    ],
    [
      `call: { to: ${TO}, args: [1] }`,
      [['0.call.args', '"args" needs "function"', 'function: "transfer(address,uint256)" beside it', undefined]],
    ],
    [
      `send: { to: ${TO}, function: "f(" }`,
      [
        [
          '0.send.function',
          expect.stringMatching(/^"f\(" is not the signature of a function/) as never,
          'a signature such as transfer(address,uint256)',
          undefined,
        ],
      ],
    ],
    ['batcher: { chain: other }', [['0.batcher', 'other has no batcher', 'a chain with one', undefined]]],
    [
      'batcher: { chain: x, do: stop, da: blobs }',
      [['0.batcher.chain', 'the devnet has no chain "x"', 'main, other', undefined]],
    ],
    [
      'batcher: { do: stop, da: blobs, args: { a: 1 } }',
      [
        ['0.batcher.da', '"da" changes nothing with stop', 'with restart', undefined],
        ['0.batcher.args', '"args" changes nothing with stop', 'with restart', undefined],
      ],
    ],
    [
      'fork: { move: { holocene: +9s, granite: +9s, isthmus: +9s } }',
      ['granite', 'holocene'].map((fork) => [
        `0.fork.move.${fork}`,
        `${fork} is active at genesis of main and cannot move`,
        'a fork that activates after genesis, or never',
        undefined,
      ]),
    ],
    [
      'fork: { move: { isthmus: +9s }, chain: x }',
      [['0.fork.chain', 'the devnet has no chain "x"', 'main, other', undefined]],
    ],
    [
      'fork: { move: {} }',
      [['0.fork.move', 'no fork is named', expect.stringMatching(/^bedrock, .*isthmus, jovian/), undefined] as never],
    ],
    ['node: { stop: x }', [['0.node.stop', 'there is no node "x"', TASKS, 'a']]],
    ['sequencer: { move: x }', [['0.sequencer.move', 'the devnet has no node "x"', NODES, 'a']]],
    [
      'node: { stop: a, rewind: true, args: { a: 1 }, override: { isthmus: +9s } }',
      ['override', 'args', 'rewind'].map((key) => [
        `0.node.${key}`,
        `"${key}" changes nothing with stop`,
        'with restart',
        undefined,
      ]),
    ],
    [
      'node: { reset: a, rewind: false, args: { a: 1 } }',
      [['0.node.rewind', '"rewind" changes nothing with reset', 'with restart', undefined]],
    ],
    ['warp: { to: "fork:isthmus" }', [['0.warp', 'the devnet has several chains', 'chain: NAME beside it', undefined]]],
    ['warp: { to: "block:5" }', [['0.warp', 'the devnet has several chains', 'chain: NAME beside it', undefined]]],
    ['warp: { to: "block:5", chain: x }', [['0.warp.chain', 'the devnet has no chain "x"', 'main, other', undefined]]],
    ...[
      ['jovian', 'jovian never activates on main'],
      ['ecotone', 'ecotone never activates on main'],
      ['isthms', 'isthms never activates on main', 'fork:isthmus'],
      ['granite', 'granite is active on main from genesis on: there is no block before it'],
      ['holocene', 'holocene is active on main from genesis on: there is no block before it'],
    ].map(([fork, found, near]): [string, (string | undefined)[][]] => [
      `warp: { to: "fork:${fork}", past: true, chain: main }`,
      [['0.warp.to', found, 'fork:isthmus, block:N, time:SECONDS, or +30s', near]],
    ]),
    [
      'warp: { to: "fork:granite", chain: other }',
      [
        [
          '0.warp.to',
          'granite is active on other from genesis on: there is no block before it',
          'block:N, time:SECONDS, or +30s',
          undefined,
        ],
      ],
    ],
    [
      'warp: { to: "block:5", past: false, chain: main }',
      [['0.warp.past', '"past" has a meaning with fork:NAME only', undefined, undefined]],
    ],
    ...[
      ...['blok:5', '30s', '+x', 'block:', 'fork:', 'block:5x', 'time:now', 'x+30s', '+3x', '+30', '+0s', '+1d'],
      ...['block:1234567890', 'time:123456789012', 'xblock:5'],
    ].map((to): [string, [string, string, string, undefined][]] => [
      `warp: { to: "${to}", chain: main }`,
      [['0.warp.to', `found "${to}"`, 'block:N, fork:NAME, time:SECONDS, or +30s', undefined]],
    ]),
    ['warp: +3x', [['0.warp.to', 'found "+3x"', 'block:N, fork:NAME, time:SECONDS, or +30s', undefined]]],
    [
      'exec: { run: "true", stdout: "(" }',
      [['0.exec.stdout', 'not a regular expression', 'a regular expression of JavaScript', undefined]],
    ],
    [
      'expect: { log: { of: x, matches: "(" } }',
      [
        ['0.expect.log.of', 'there is no node "x"', TASKS, 'a'],
        ['0.expect.log.matches', 'not a regular expression', 'a regular expression of JavaScript', undefined],
      ],
    ],
    ['expect: { metric: { of: x, name: up, is: 1 } }', [['0.expect.metric.of', 'there is no node "x"', TASKS, 'a']]],
    [
      'expect: { metric: { of: a.cl, name: up, is: 1 } }',
      [['0.expect.metric.of', 'a.cl serves no metrics', METRICS, undefined]],
    ],
    ['expect: { diverge: { node: x } }', [['0.expect.diverge.node', 'the devnet has no node "x"', NODES, 'a']]],
    [
      'expect: { head: { node: x, at: 1, for: 3s } }',
      [
        ['0.expect.head.node', 'the devnet has no node "x"', NODES, 'a'],
        ['0.expect.head.for', '"for" has no meaning without "stands"', 'stands: true beside it', undefined],
      ],
    ],
    [
      `expect: { balance: { of: ${TO}, on: x, is: 1 } }`,
      [['0.expect.balance.on', 'the devnet has no node "x"', NODES, 'a']],
    ],
    [
      `expect: { receipt: { hash: "0x${'0'.repeat(64)}", on: x } }`,
      [['0.expect.receipt.on', 'the devnet has no node "x"', NODES, 'a']],
    ],
    [
      `expect: { call: { to: ${TO}, on: x, args: [1], returns: 1 } }`,
      [
        ['0.expect.call.on', 'the devnet has no node "x"', NODES, 'a'],
        ['0.expect.call.args', '"args" needs "function"', 'function: "transfer(address,uint256)" beside it', undefined],
      ],
    ],
  ])('%s', (step, expected) => {
    expect(problemsOf([step])).toEqual(expected);
  });

  it.each([
    ['wait: block:5', 'block:4', 4, 5],
    ['wait: block:11', 'fork:isthmus', 10, 11],
    ['warp: { to: "block:6", chain: main }', 'block:5', 5, 6],
    ['warp: { to: "fork:isthmus", chain: main, past: true }', 'block:10', 10, 11],
    ['warp: { to: "fork:isthmus", chain: main }', 'block:9', 9, 10],
  ])('as one that goes back in time after %s: warp to %s', (first, to, block, reached) => {
    const message = `block ${block} is behind block ${reached}, which an earlier step has reached`;
    expect(problemsOf([first, `warp: { to: "${to}", chain: main }`])).toEqual([
      ['1.warp.to', message, 'a later block: time moves forward only', undefined],
    ]);
    expect(problemsOf([`warp: { to: "${to}", chain: main }`, first])).toEqual([]);
  });

  it.each([
    ['wait: block:5', 'block:5'],
    ['wait: block:11', 'fork:isthmus, past: true'],
    ['wait: block:5 @a', 'block:4'],
    ['wait: safe:5', 'block:4'],
    ['warp: { to: "block:5", chain: other }', 'block:4'],
    ['warp: { to: "time:1900000000", chain: main }', 'block:4'],
  ])('not if nothing shows that %s passed it: warp to %s', (first, to) => {
    const [target, ...more] = to.split(', ');
    expect(problemsOf([first, `warp: { to: "${target}", chain: main${more.map((each) => `, ${each}`)} }`])).toEqual([]);
  });

  it.each<[string, Record<string, number>, string, number, number | undefined]>([
    ['of a node, where the chain never activates it', { jovian: GENESIS + 30 }, 'jovian', 0, 14],
    ['that is next, of a node', { isthmus: GENESIS + 9 }, 'isthmus', 3, 4],
    ['that is next, of the chain', { isthmus: GENESIS + 9 }, 'isthmus', 4, 10],
    ['that is next, of a node after the chain', { isthmus: GENESIS + 40 }, 'isthmus', 10, 19],
    ['that is last, where all are past', { isthmus: GENESIS + 9 }, 'isthmus', 11, undefined],
  ])('as a warp to a fork goes to the time %s', (_, overrides, fork, waited, target) => {
    const [a, b] = twoChains().network.chains[0]!.nodes;
    const plan = twoChains({ nodes: [a!, { ...b!, overrides }] });
    const steps = [`wait: block:${waited}`, `warp: { to: "fork:${fork}", chain: main }`];
    const further = problemsOf([...steps, 'warp: { to: "block:1", chain: main }'], plan);
    expect(further.map(([path, message]) => [path, message])).toEqual([
      ...(target === undefined
        ? [['1.warp.to', `block 10 is behind block ${waited}, which an earlier step has reached`]]
        : []),
      ['2.warp.to', `block 1 is behind block ${target ?? waited}, which an earlier step has reached`],
    ]);
  });

  it.each([
    'fork: { move: { jovian: +90s, isthmus: +90s }, chain: main }',
    'fork: { move: { jovian: +90s, isthmus: +90s } }',
    'node: { restart: a, override: { jovian: +90s, isthmus: +90s } }',
    'node: { reset: main/b.el, override: { jovian: +90s, isthmus: +90s } }',
  ])('not as one of a fork that an earlier step moves: %s', (move) => {
    const later = ['wait: fork:jovian @main/a', 'wait: block:30', 'warp: { to: "fork:isthmus", chain: main }'];
    expect(problemsOf([move, ...later])).toEqual([]);
    expect(problemsOf([...later, move]).map(([path]) => path)).toEqual(['0.wait.for', '2.warp.to']);
    expect(problemsOf([move, 'wait: fork:jovian @c', 'warp: { to: "fork:ecotone", chain: main }'])).toHaveLength(2);
  });

  it('as a wait after a higher one changes nothing of what is reached', () => {
    const steps = ['wait: block:9', 'wait: block:5', 'warp: { to: "block:8", chain: main }'];
    expect(problemsOf(steps).map(([path]) => path)).toEqual(['2.warp.to']);
    const warps = ['warp: { to: "block:9", chain: main }', 'wait: block:2', 'warp: { to: "block:8", chain: main }'];
    expect(problemsOf(warps).map(([path]) => path)).toEqual(['2.warp.to']);
  });

  it('as a warp for a time, or to a fork that never activates, changes nothing of what is reached', () => {
    const [wait, back] = ['wait: block:9', 'warp: { to: "block:8", chain: main }'];
    expect(problemsOf([wait, 'warp: +30s', back]).map(([path]) => path)).toEqual(['2.warp.to']);
    const never = 'warp: { to: "fork:ecotone", chain: main }';
    expect(problemsOf([wait, never, back]).map(([path]) => path)).toEqual(['1.warp.to', '2.warp.to']);
  });

  it('with the forks of single nodes among those that it may warp to', () => {
    const plan = twoChains();
    const [main] = plan.network.chains;
    const nodes = main!.nodes.map((node) => ({ ...node, overrides: { ecotone: GENESIS + 40 } }));
    const own = { ...plan, network: { ...plan.network, chains: [{ ...main!, nodes }] } };
    expect(problemsOf(['warp: { to: "fork:ecoton" }'], own)).toEqual([
      [
        '0.warp.to',
        'ecoton never activates on main',
        'fork:isthmus, fork:ecotone, block:N, time:SECONDS, or +30s',
        'fork:ecotone',
      ],
    ]);
  });

  it('within other steps too', () => {
    expect(problemsOf(['repeat: { times: 2, steps: [{ wait: ready }, { load: { chain: x } }] }'])).toEqual([
      ['0.repeat.steps.1.load.chain', 'the devnet has no chain "x"', 'main, other', undefined],
    ]);
  });
});

describe('a step of a network that runs elsewhere is refused', () => {
  const external = { launch: 'external' as const };
  const outside = twoChains({}, { 'main/b/el': external, 'main/b/cl': external, 'main/batcher': external });
  const here = 'main/a/el, main/a/cl, main/proposer, other/c/el, other/c/cl';

  it.each([
    ['node: { stop: b }', '0.node.stop', 'b', here],
    ['batcher: stop', '0.batcher', 'main/batcher', here],
  ])('%s', (step, path, word, allowed) => {
    expect(problemsOf([step], outside)).toEqual([
      [path, `${word} is not started by devnet: it runs elsewhere`, allowed, undefined],
    ]);
    expect(problemsOf(['node: { stop: a }'], outside)).toEqual([]);
  });

  it('unless one of its processes runs here', () => {
    const half = twoChains({}, { 'main/b/el': external });
    expect(problemsOf(['node: { stop: b }'], half)).toEqual([]);
  });

  it('with the reason when no process runs here', () => {
    const none = { ...outside, tasks: outside.tasks.map((task) => ({ ...task, launch: 'external' as const })) };
    expect(problemsOf(['node: { stop: a }'], none)).toEqual([
      [
        '0.node.stop',
        'a is not started by devnet: it runs elsewhere',
        'none: no process of this network runs here',
        undefined,
      ],
    ]);
  });

  it('when it moves forks', () => {
    const attached = twoChains({}, { l1: external });
    expect(problemsOf(['fork: { move: { isthmus: +9s } }'], attached)).toEqual([
      ['0.fork', expect.stringContaining('runs elsewhere'), 'wait: fork:NAME', undefined],
    ]);
  });
});

describe('a step that moves the clock is refused', () => {
  const wall = twoChains({}, { 'main/b/cl': { kind: 'cl', clock: 'wall' } });
  it('when a client reads that of the machine, unless the step can wait', () => {
    expect(problemsOf(['pause: 3s'], wall)).toEqual([
      ['0.pause', expect.stringContaining('main/b/cl (fixture) reads'), 'wait', undefined],
    ]);
    expect(problemsOf(['warp: +30s'], wall)).toEqual([]);
  });

  it('never on one chain for want of its name', () => {
    const plan = twoChains();
    const one = { ...plan, network: { ...plan.network, chains: plan.network.chains.slice(0, 1) } };
    expect(problemsOf(['warp: { to: "block:5" }', 'warp: { to: "fork:isthmus" }'], one)).toEqual([]);
    expect(one.genesisTime).toBe(GENESIS);
  });
});
