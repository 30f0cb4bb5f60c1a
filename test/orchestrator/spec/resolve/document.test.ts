import { describe, expect, it } from 'vitest';
import { argvOf } from '../../../../src/orchestrator/spec/resolve/command.ts';
import { documentText, specDocument, withoutDecided } from '../../../../src/orchestrator/spec/resolve/document.ts';
import { genesisTimeOf } from '../../../../src/orchestrator/spec/resolve/genesis-time.ts';
import { keptText } from '../../../../src/orchestrator/spec/resolve/pin.ts';
import type { Spec } from '../../../../src/orchestrator/spec/schema/types.ts';
import { parseValidSpec } from '../../package.ts';

it('a command is a line for a shell, or a program and its arguments', () => {
  expect(argvOf('a | b')).toEqual(['/bin/sh', '-c', 'a | b']);
  expect(argvOf(['a', '|', 'b'])).toEqual(['a', '|', 'b']);
});

describe('a document of a spec', () => {
  const decided = { chainId: 7, blockTime: 2, gasLimit: 5, sequenceWindow: 6, systemConfig: {}, forks: { base: 'x' } };

  it('lacks what the files of an existing chain decide, and nothing else', () => {
    const from = { genesis: 'g', rollup: 'r' };
    const chains = { a: { ...decided, from, accounts: 1 }, b: { ...decided, accounts: 1 }, c: null, d: { from: 'x' } };
    expect(withoutDecided({ name: 'x', chains })).toEqual({
      name: 'x',
      chains: { ...chains, a: { from, accounts: 1 } },
    });
  });

  const SEQUENCERS = 'nodes: { s: { role: sequencer, count: 3 } }';

  it.each([
    ['no conductor', 'chains: { main: {} }', false],
    ['the conductor of this package', `chains: { main: { conductor: true, ${SEQUENCERS} } }`, { client: 'conductor' }],
    [
      'a conductor that leads one sequencer alone',
      `chains: { main: { conductor: { client: op-conductor, binary: b, ports: { rpc: 9000 } }, ${SEQUENCERS} } }`,
      { client: 'op-conductor', binary: 'b', ports: { rpc: 9000 } },
    ],
  ])('with %s gives the same spec when it is read', (_, text, conductor) => {
    const { spec } = parseValidSpec(text);
    const document = specDocument(spec);
    expect(document).toMatchObject({ chains: { main: { conductor } } });
    expect(document).not.toHaveProperty('chains.main.conductor.front');
    expect(parseValidSpec(documentText(document)).spec).toEqual(spec);
  });

  it('is printed with one line for each text, however long', () => {
    const text = 'word '.repeat(40).trim();
    expect(documentText({ a: { b: text } })).toBe(`a:\n  b: ${text}\n`);
  });
});

describe('the time of genesis', () => {
  const timeOf = (genesis: 'now' | number, chains: object, now: number) =>
    genesisTimeOf({ time: { genesis }, chains } as unknown as Spec, now);
  const own = (blockTime: number) => ({ from: null, blockTime });
  const existing = { from: { genesis: 'g', rollup: 'r' }, blockTime: 9 };

  it.each<[string, 'now' | number, object, number, number]>([
    ['a given one', 5, { a: own(2) }, 1000, 5],
    ['the block time of a chain ago', 'now', { a: own(2) }, 1000, 998],
    ['the longest block time ago', 'now', { a: own(2), b: own(3), c: own(1) }, 1000, 997],
    ['a second ago without a chain', 'now', {}, 1000, 999],
    ['a second ago with an existing chain, whose block time is in its files', 'now', { a: existing }, 1000, 999],
    ['of a whole second', 'now', { a: own(2) }, 1000.9, 998],
  ])('is %s', (_, genesis, chains, now, seconds) => {
    expect(timeOf(genesis, chains, now)).toBe(seconds);
  });
});

describe('the spec that a devnet’s folder keeps', () => {
  const moment = { genesisTime: 1000, now: 1500.7 };
  const keep = (document: Parameters<typeof keptText>[0]) => JSON.parse(keptText(document, moment));

  it('has the times after planning as timestamps, and the others as they are', () => {
    const times = { isthmus: 'now+20s', jovian: '+30s', karst: { block: 4 }, base: 'granite' };
    const nodes = { b: { override: { jovian: 'now+1m', karst: 'never' } }, c: {} };
    expect(keep({ name: 'now+20s', chains: { main: { forks: times, nodes } } })).toEqual({
      name: 'now+20s',
      chains: {
        main: {
          forks: { ...times, isthmus: 1520 },
          nodes: { b: { override: { jovian: 1560, karst: 'never' } }, c: {} },
        },
      },
      time: { genesis: 1000 },
    });
  });

  it('has the time of genesis beside the other keys of the clock', () => {
    expect(keep({ time: { genesis: 'now', rate: 2 } })).toEqual({ time: { genesis: 1000, rate: 2 } });
    expect(keep({ time: 5 })).toEqual({ time: { genesis: 1000 } });
    expect(keep([1])).toEqual([1]);
  });

  it('is JSON on several lines', () => {
    expect(keptText({}, moment)).toBe('{\n  "time": {\n    "genesis": 1000\n  }\n}\n');
    expect(keptText([1], moment)).toBe('[\n  1\n]\n');
  });
});
