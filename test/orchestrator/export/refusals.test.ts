import { expect, it } from 'vitest';
import { Failure } from '../../../src/system/failure.ts';
import { exportText, SPECS } from './exported.ts';

const WORDS = 'test test test test test test test test test test test junk';

const NODES = 'chains:\n  main:\n    nodes:\n      s: { role: sequencer }\n';

async function refusalsOf(text: string, isExposed = false): Promise<string[]> {
  try {
    await exportText(text, isExposed);
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.exit).toBe(2);
    const { problems } = error.data as { problems: { line: number; column: number; message: string }[] };
    return problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
}

it.each<[string, string, string]>([
  [
    'a stepped clock',
    'time:\n  clock: stepped',
    '2:10 clock: stepped needs a supervisor, and an exported network has none',
  ],
  ['an instant clock', 'time:\n  clock: instant', '2:10 clock: instant needs a supervisor'],
  ['a rate', 'time:\n  rate: 4', '2:9 rate: 4 needs a supervisor'],
  [
    'a manual process',
    'chains:\n  main:\n    batcher: { launch: manual }',
    '3:24 main/batcher: launch: manual leaves its start to a user',
  ],
  [
    'a binary',
    'chains:\n  main:\n    batcher: { client: op-batcher, binary: /bin/true }',
    '3:44 main/batcher: the image has no /bin/true',
  ],
  [
    'op-conductors',
    'chains:\n  main:\n    conductor: { client: op-conductor, image: op-conductor:1 }\n' +
      '    nodes: { s: { role: sequencer, count: 3 } }',
    '3:26 main/conductor: a raft cluster of op-conductor is formed by addresses of this machine',
  ],
  [
    'a client in an image of its own that takes a fork time as an option',
    `${NODES}      v: { el: { client: op-geth, image: "op-geth:1" }, override: { jovian: +50s } }\n` +
      '    forks: { base: isthmus, jovian: +20s }',
    '5:42 main/v/el: op-geth takes the times of this network as arguments (--override.jovian), and they follow from',
  ],
  [
    'a client in an image of its own that takes a key as a variable',
    'chains:\n  main:\n    nodes:\n      s: { role: sequencer, cl: { client: op-node, image: "op-node:1" } }',
    '4:59 main/s/cl: op-node takes a key as the variable OP_NODE_P2P_SEQUENCER_KEY, which every user of the engine',
  ],
  [
    'a client in an image of its own that needs its first block from a supervisor',
    `${NODES}      v: { cl: { client: kona-node, image: "kona-node:1" }, peers: [] }`,
    '5:44 main/v/cl: kona-node needs its first block from a supervisor',
  ],
  [
    'an external process',
    `${NODES}      v: { cl: { external: { rpc: "http://node.example:1" } } }`,
    '5:18 main/v/cl: an external process belongs to no engine',
  ],
  [
    'a list of served hosts without the unit',
    'chains:\n  main:\n    batcher: { args: { http.vhosts: example.org } }',
    '3:37 main/batcher: the other processes call it by the name main-batcher, which http.vhosts does not serve',
  ],
])('an export refuses %s at its place in the spec', async (_, text, expected) => {
  const [first, ...others] = await refusalsOf(text);
  expect(first).toContain(expected);
  expect(others).toEqual([]);
});

it('an export says what stands in place of a binary and of a manual start', async () => {
  const spec =
    'chains: { main: { batcher: { launch: manual }, proposer: { client: op-proposer, binary: /bin/true } } }';
  await expect(exportText(spec)).rejects.toMatchObject({
    message: expect.stringMatching(/allowed: spawn\n.*allowed: a client of this package, or one with `image:`\n/s),
  });
});

it('an export lists all refusals at once', async () => {
  expect(await refusalsOf('time: { clock: stepped }\nchains: { main: { batcher: { launch: manual } } }')).toHaveLength(
    2,
  );
});

it('an export that other machines reach refuses accounts of the published mnemonic', async () => {
  expect(await refusalsOf('{}', true)).toEqual([
    expect.stringContaining('chain main: other machines would reach accounts whose keys are published'),
  ]);
  expect(await refusalsOf(`chains: { main: { accounts: { mnemonic: ${WORDS} } } }`, true)).toEqual([]);
  expect(await refusalsOf('{}', false)).toEqual([]);
});

it.each(Object.entries(SPECS))('an export takes %s', async (_, text) => {
  expect(await refusalsOf(text)).toEqual([]);
});
