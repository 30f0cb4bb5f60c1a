import { describe, expect, it } from 'vitest';
import type { ExecutionDifferences } from '../../../../src/orchestrator/divergence/explain/execution-differences.ts';
import type { Explanation } from '../../../../src/orchestrator/divergence/explain/explain.ts';
import type { ForkTimesResult } from '../../../../src/orchestrator/divergence/explain/fork-times.ts';
import { reportLines } from '../../../../src/orchestrator/divergence/explain/report.ts';

const explanation: Explanation = {
  ...{ chain: 'main', block: 26, kind: 'hash', nodes: ['late', 'slow'], against: 'sequencer', time: 1_000_052 },
  ...{ boundary: null, fields: [], execution: null, refusals: [] },
  forkTimes: { unknown: 'no state' },
  commands: [{ task: 'main/late/el', command: 'geth --x' }],
};
const lines = (more: Partial<Explanation> = {}) => reportLines({ ...explanation, ...more });
const SIDES = '1 on main/late, 2 on main/sequencer';

describe('the report of a divergence', () => {
  it('names its sides, what is not known and the commands of the minority', () => {
    expect(lines()).toEqual([
      'main/late, main/slow have another block 26 than main/sequencer',
      '  fork times: not executed: no state',
      '  nearest fork boundary: none [the plan]',
      '  launch commands of the minority [the plan]:',
      '    main/late/el: geth --x',
    ]);
  });

  it.each<[Partial<Explanation>, string]>([
    [{ nodes: ['late'] }, 'main/late has another block 26 than main/sequencer'],
    [{ kind: 'refused' }, 'main/late, main/slow diverged at block 26 from main/sequencer'],
    [{ nodes: ['late'], kind: 'behind' }, 'main/late diverged at block 26 from main/sequencer'],
  ])('begins by its kind: %j', (more, first) => {
    expect(lines(more)[0]).toBe(first);
  });

  it('has the fields that differ, the boundary and the refusals', () => {
    const boundary = { fork: 'isthmus', network: 1_000_052, block: 26, nodes: {}, distance: 0 };
    expect(
      lines({
        boundary,
        fields: [{ field: 'extraData', minority: 1, majority: 2 }],
        refusals: [{ task: 'main/late/el', log: '/el.log', words: 'bad block' }],
      }).slice(2, -2),
    ).toEqual([
      '  nearest fork boundary: isthmus, at this block: 1970-01-12T13:47:32Z, block 26 ' +
        "by the network's schedule [the plan]",
      '  header fields that differ [eth_getBlockByNumber of both sides]:',
      `    extraData: ${SIDES}`,
      '  refusals, in the words of the clients:',
      '    main/late/el: bad block',
      '      [/el.log]',
    ]);
  });

  it('has the first difference of each part of the execution', () => {
    const at = (path: string) => ({ path, minority: 1, majority: 2 });
    const differs: ExecutionDifferences = {
      transaction: { kind: 'same', known: 'root' },
      receipt: { kind: 'differs', index: 3, difference: at('status'), known: 'receipts' },
      step: { kind: 'differs', index: 3, step: 17, difference: at(''), known: 'trace' },
      state: { kind: 'unknown', because: 'no proof' },
    };
    expect(lines({ execution: differs }).slice(3, -2)).toEqual([
      '  transactions: the same on both sides [root]',
      `  receipts: receipt 3, status: ${SIDES} [receipts]`,
      `  trace: transaction 3, step 17, it: ${SIDES} [trace]`,
      '  state: not compared: no proof',
    ]);
    const other: ExecutionDifferences = {
      transaction: { kind: 'differs', index: 0, difference: at(''), known: 'raw' },
      receipt: { kind: 'unknown', because: 'a' },
      step: { kind: 'unknown', because: 'b' },
      state: { kind: 'differs', difference: at('0x1.nonce'), known: 'proof' },
    };
    expect(lines({ execution: other }).slice(3, -2)).toEqual([
      `  transactions: transaction 0, it: ${SIDES} [raw]`,
      '  receipts: not compared: a',
      '  trace: not compared: b',
      `  state: 0x1.nonce: ${SIDES} [proof]`,
    ]);
    const state = { ...other.state, index: 5 } as ExecutionDifferences['state'];
    expect(lines({ execution: { ...other, state } })).toContain(`  state: transaction 5, 0x1.nonce: ${SIDES} [proof]`);
  });

  describe('of fork times', () => {
    const result: ForkTimesResult = {
      ...{ control: { same: true, result: '0xab' }, explaining: [], tried: 7, impossible: 2, own: false },
    };
    const ofForks = (more: Partial<ForkTimesResult>) => lines({ forkTimes: { ...result, ...more } }).slice(1, -3);
    const reproduced =
      "  the network's schedule reproduces the block of main/sequencer exactly " +
      '[7 other schedules executed on the state of block 25, 2 not possible there]';

    it('says nothing when the block of the majority is not reproduced', () => {
      expect(ofForks({ control: { same: false, result: 'another block 0xcd' } })).toEqual([
        "  fork times: no statement: executed under the network's schedule, block 26 of main/sequencer is not",
        '    reproduced: another block 0xcd [replay by execution-client]',
      ]);
    });

    it('names the schedules that give the block of the minority', () => {
      const explaining = [{ changes: [], text: 'isthmus not active' }];
      expect(ofForks({ explaining, own: true })).toEqual([
        '  fork times: the block of main/late is reproduced exactly with',
        '    isthmus not active',
        '  the plan gives main/late fork times with exactly this result',
        reproduced,
      ]);
    });

    it('looks for another cause when no schedule gives it', () => {
      expect(ofForks({})).toEqual([
        '  fork times: no other schedule of the forks gives the block of main/late; the cause is elsewhere',
        reproduced,
      ]);
    });
  });
});
