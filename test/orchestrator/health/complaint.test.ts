import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastComplaint, withoutHarmless } from '../../../src/orchestrator/health/complaint.ts';
import { printable } from '../../../src/system/files/lines.ts';

const SINCE = Date.parse('2026-01-01T00:00:00Z');

describe("a process's last complaint", () => {
  it.each<[name: string, line: string, says: string]>([
    [
      'keys and values',
      't=2026-01-01T00:00:01.000Z lvl=warn msg="cannot read the batches" error="blob 0x01 is not there"',
      'cannot read the batches: blob 0x01 is not there',
    ],
    ['an error without a reason', 't=2026-01-01T00:00:01Z lvl=error msg="giving up" number=4', 'giving up'],
    ['JSON', '{"t":"2026-01-01T00:00:01Z","lvl":"eror","msg":"no peers","err":"timeout"}', 'no peers: timeout'],
    [
      'geth',
      'WARN [01-01|00:00:01.123] Beacon client online, but no      updates',
      'Beacon client online, but no updates',
    ],
    [
      'tracing',
      '\u001b[2m2026-01-01T00:00:01Z\u001b[0m \u001b[33m WARN\u001b[0m engine: status=invalid',
      'engine: status=invalid',
    ],
    [
      'a runtime',
      'Error: listen EADDRINUSE: address already in use',
      'Error: listen EADDRINUSE: address already in use',
    ],
  ])('%s', (_, line, says) => {
    expect(lastComplaint(['t=2026-01-01T00:00:00Z lvl=info msg=starting', line, 'lvl=info msg=more'], SINCE)).toBe(
      says,
    );
  });

  it('is absent if it is old or nothing is wrong', () => {
    expect(lastComplaint(['t=2025-12-31T23:59:00Z lvl=warn msg="L1 does not answer"'], SINCE)).toBeUndefined();
    expect(lastComplaint(['t=2026-01-01T00:00:01Z lvl=info msg="imported 4 blocks, 0 errors"'], SINCE)).toBeUndefined();
    expect(lastComplaint([], SINCE)).toBeUndefined();
  });

  it('is no missing answer from before the programs answered', () => {
    const refused = 't=2026-01-01T00:00:01Z lvl=warn msg="L1 does not answer" error="ws://a: connect ECONNREFUSED"';
    const other = 't=2026-01-01T00:00:01Z lvl=warn msg="cannot decode the batch"';
    const answered = SINCE + 2000;
    expect(lastComplaint([refused], SINCE, answered)).toBeUndefined();
    expect(lastComplaint([other, refused], SINCE, answered)).toBe('cannot decode the batch');
    expect(lastComplaint([refused.replace(':01Z', ':03Z')], SINCE, answered)).toContain('L1 does not answer');
  });

  it('is never a harmless line', () => {
    const lines = withoutHarmless(
      [
        '2026-01-01T00:00:01Z  WARN derivation: cannot read a blob',
        '2026-01-01T00:00:02Z  INFO engine: inserted a block',
        '2026-01-01T00:00:03Z ERROR engine: Failed to drain engine tasks err=()',
      ],
      ['drain engine tasks err=\\(\\)'],
    );
    expect(lastComplaint(lines, SINCE)).toBe('derivation: cannot read a blob');
  });

  it('is never a line of another level, even if the process is idle since', () => {
    const lines = [
      't=2026-01-01T00:00:00Z lvl=info msg=Posted',
      't=2026-01-01T00:00:05Z lvl=info msg="Batcher stopped"',
      '',
    ];
    expect(lastComplaint(lines, SINCE)).toBeUndefined();
  });

  it('is one bounded line without control characters', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 600 }), { maxLength: 4 }), (noise) => {
        const lines = noise.map((text) => `lvl=error msg=${text}`);
        const complaint = lastComplaint(lines, SINCE) ?? '';
        expect(complaint.length).toBeLessThanOrEqual(301);
        expect(complaint).toBe(printable(complaint));
      }),
    );
  });
});

const AT = '2026-01-01T00:00:01Z';
const LONG = 'x'.repeat(300);

describe('a line of a log', () => {
  it.each<[line: string, says: string | undefined]>([
    ['level=warn msg=slow', 'slow'],
    ['lvl="error" msg=slow', 'slow'],
    ['msg=slow level=fatal', 'slow'],
    ['xlevel=warn msg=slow', undefined],
    ['{"level":"warn","msg":"slow"}', 'slow'],
    ['{"severity":  "error","message":"slow"}', 'slow'],
    ['WARN slow', 'slow'],
    ['[ERROR] slow', 'slow'],
    [' WARNING slow', 'slow'],
    ['it is no:FATAL line', undefined],
    ['WARNED of a slow disk', undefined],
    ['panic: slow', 'panic: slow'],
    ['fatally slow', undefined],
    ['no error: slow', 'no error: slow'],
    ['it did not panic', undefined],
  ])('complains exactly when its level is warn or worse: %s', (line, says) => {
    expect(lastComplaint([line], SINCE)).toBe(says);
  });

  it.each<[line: string, says: string]>([
    // The message and its reason.
    ['lvl=warn msg="no peers" cause=c reason=r err=e error=f', 'no peers: f'],
    ['lvl=warn msg="no peers" cause=c reason=r err=e', 'no peers: e'],
    ['lvl=warn msg="no peers" cause=c reason=r', 'no peers: r'],
    ['lvl=warn msg="no peers" cause=c', 'no peers: c'],
    ['lvl=warn msg="no peers" error= cause=c', 'no peers: c'],
    ['lvl=warn message=slow', 'slow'],
    ['lvl=warn message=other msg=slow', 'slow'],
    ['lvl=warn msg="it says \\"no\\" twice" err=e', 'it says "no" twice: e'],
    ['lvl=warn msg="a \\x escape" err=e', 'a \\x escape: e'],
    ['lvl=warn my.msg=a msg=b', 'b'],
    ['lvl=warn xmsg=a', 'lvl=warn xmsg=a'],
    ['{"lvl":"warn","msg":"slow","err":{"code":1}}', 'slow: {"code":1}'],
    ['{"lvl":"warn","msg":"slow"', '{"lvl":"warn","msg":"slow"'],
    // Without time and level.
    [`${AT} WARN  a   slow\tdisk `, 'a slow disk'],
    [`${AT} [WARN]  slow`, 'slow'],
    ['WARN [01-01|00:00:01.123]   slow', 'slow'],
    ['ERROR slow [01-01|00:00:01]', 'slow [01-01|00:00:01]'],
    ['panic WARN slow', 'panic WARN slow'],
    ['WARN WARNED', 'WARNED'],
    ['WARNING slow', 'slow'],
    [`${AT} [WARNING]: slow`, 'slow'],
    ['WARNING: slow', 'slow'],
    // Bounded.
    [`WARN ${LONG}`, LONG],
    [`WARN ${LONG}y`, `${LONG}…`],
  ])('is shown by its message: %s', (line, says) => {
    expect(lastComplaint([line], SINCE)).toBe(says);
  });

  it.each<[at: string, answered: string | undefined, counts: boolean]>([
    ['2025-12-31T23:59:55Z', undefined, true],
    ['2025-12-31T23:59:54.999Z', undefined, false],
    ['2026-01-01T00:00:01Z', '2026-01-01T00:00:01Z', true],
    ['2026-01-01T00:00:01Z', '2026-01-01T00:00:01.001Z', false],
  ])('of %s counts from 5 s before the standstill, and if all answered at %s', (at, answered, counts) => {
    const line = `t=${at} lvl=warn msg="L1 does not answer"`;
    const complaint = lastComplaint([line], SINCE, answered === undefined ? undefined : Date.parse(answered));
    expect(complaint).toBe(counts ? 'L1 does not answer' : undefined);
  });

  it.each(['connect ECONNREFUSED', 'Connection refused', 'L1 does not answer', 'no answer to a request'])(
    'says that another program does not answer: %s',
    (words) => {
      const line = `t=${AT} lvl=warn msg="${words}"`;
      expect(lastComplaint([line], SINCE, Date.parse(AT) + 1)).toBeUndefined();
      expect(lastComplaint([line], SINCE)).toBe(words);
    },
  );
});

it('no line is harmless without a pattern', () => {
  expect(withoutHarmless(['WARN slow', 'ERROR'])).toEqual(['WARN slow', 'ERROR']);
  expect(withoutHarmless(['a', 'b', 'c'], ['a', 'c'])).toEqual(['b']);
});
