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
