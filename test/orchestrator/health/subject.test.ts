import { describe, expect, it } from 'vitest';
import { Subject } from '../../../src/orchestrator/health/subject.ts';

const WALL = 1_700_000_000_000;
const at = (ms: number) => ({ watched: ms, wall: WALL + ms });
const CAUSES = ['disk', 'l1'];

function upAt(ms: number): Subject {
  const subject = new Subject('a', CAUSES);
  subject.up(at(ms));
  return subject;
}

describe('a task', () => {
  it('has no problem before it is up', () => {
    const subject = new Subject('a', CAUSES);
    expect(subject.isUp).toBe(false);
    expect(subject.symptom(1e9)).toBeUndefined();
    expect(subject.quiet(1e9)).toBe(0);
    expect(subject.isBusy(1000, 1e9)).toBe(false);
  });

  it('does not answer 4 s after its last answer', () => {
    const subject = upAt(0);
    subject.answers(at(1000));
    expect(subject.quiet(3000)).toBe(2000);
    expect(subject.symptom(4999)).toBeUndefined();
    expect(subject.symptom(5000)).toEqual({
      ...{ id: 'a', subject: 'a', causes: CAUSES },
      ...{ what: 'does not answer', since: WALL + 1000 },
    });
  });

  it('says why its requests failed until it answers or is started', () => {
    const subject = upAt(0);
    for (const ends of [() => subject.answers(at(0)), () => subject.up(at(0))]) {
      subject.isSilent('connection refused');
      expect(subject.symptom(4000)?.otherwise).toBe('connection refused');
      ends();
      expect(subject.symptom(4000)).not.toHaveProperty('otherwise');
    }
  });

  it('counts as busy from 1.5 s after its last answer, and is silent later by that time', () => {
    const subject = upAt(0);
    expect(subject.isBusy(1000, 1499)).toBe(false);
    expect(subject.isBusy(1000, 1500)).toBe(true);
    expect(subject.isBusy(500, 2500)).toBe(true);
    expect(subject.quiet(3000)).toBe(1500);
    expect(subject.symptom(5499)).toBeUndefined();
    expect(subject.symptom(5500)).toMatchObject({ what: 'does not answer' });
  });

  it('is busy for 10 s at most, which is then the reason', () => {
    const subject = upAt(0);
    subject.isSilent('timeout');
    subject.isBusy(9999, 2000);
    expect(subject.symptom(13_999)).toMatchObject({ otherwise: 'timeout' });
    subject.isBusy(1, 2000);
    expect(subject.symptom(13_999)).toBeUndefined();
    expect(subject.symptom(14_000)).toMatchObject({ otherwise: 'it keeps a processor busy' });
    subject.isBusy(9000, 2000);
    expect(subject.quiet(14_000)).toBe(4000);
  });

  it.each<[name: string, ends: (subject: Subject) => void]>([
    ['an answer', (subject) => subject.answers(at(0))],
    ['a start', (subject) => subject.up(at(0))],
  ])('is not busy any more after %s', (_, ends) => {
    const subject = upAt(0);
    subject.isBusy(9000, 2000);
    ends(subject);
    expect(subject.quiet(4000)).toBe(4000);
  });

  it('that is down has no other problem, and its first time and newest reason', () => {
    const subject = upAt(0);
    subject.down('is stopping', at(1000));
    expect(subject.isUp).toBe(false);
    expect(subject.quiet(9000)).toBe(0);
    expect(subject.symptom(9000)).toEqual({
      ...{ id: 'a', subject: 'a', causes: CAUSES },
      ...{ what: 'is stopping', since: WALL + 1000 },
    });
    subject.down('is stopped', at(2000), 'on request');
    subject.down('is stopped', at(3000), 'by a signal');
    expect(subject.symptom(9000)).toMatchObject({ what: 'is stopped', since: WALL + 1000, because: 'on request' });
    subject.up(at(9000));
    expect(subject.isUp).toBe(true);
    expect(subject.symptom(9000)).toBeUndefined();
  });

  it('that answers another thing than is expected is a problem by its second such answer', () => {
    const subject = upAt(0);
    subject.mismatch('chain id: 1', at(100));
    expect(subject.symptom(100)).toBeUndefined();
    subject.mismatch('chain id: 2', at(200));
    expect(subject.symptom(200)).toMatchObject({ what: 'chain id: 2', since: WALL + 100 });
    subject.isItself();
    expect(subject.symptom(200)).toBeUndefined();
    subject.mismatch('chain id: 3', at(300));
    expect(subject.symptom(300)).toBeUndefined();
    subject.mismatch('chain id: 3', at(400));
    subject.up(at(400));
    expect(subject.symptom(400)).toBeUndefined();
  });
});
