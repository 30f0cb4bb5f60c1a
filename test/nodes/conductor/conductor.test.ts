import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conductorCheckpoints } from '../../../src/nodes/conductor/checkpoints.ts';
import { Lead } from '../../../src/nodes/conductor/lead.ts';
import { after, GENESIS } from './support/blocks.ts';
import { TestSet } from './support/test-set.ts';

const WAIT = { timeout: 100_000, interval: 20 };

describe('the conductor', { timeout: 240_000 }, () => {
  let folder = '';
  let lead: Lead;
  let set: TestSet;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'devnet-conductor-'));
    lead = new Lead(folder);
    set = await TestSet.open(lead);
  });
  afterEach(async () => {
    await set[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const first = after(GENESIS, '1');
  const second = after(first, '2');
  const sequencing = () => set.members.flatMap(({ name, isActive }) => (isActive ? [name] : []));
  const leads = (name: string) => expect.poll(() => [lead.leader, ...sequencing()], WAIT).toEqual([name, name]);
  /** Waits until one of the others leads and it alone sequences. */
  const leadsInPlaceOf = (name: string) =>
    expect.poll(() => lead.leader !== name && [lead.leader, ...sequencing()].join(), WAIT).toMatch(/^(s\d),\1$/);
  /** Waits until every member, or every one of some, has answered so many further looks. */
  async function looks(count: number, members = set.clients()): Promise<void> {
    for (let nth = 0; nth < count; nth++) {
      const before = members.map(({ state }) => state?.at);
      await expect.poll(() => members.every(({ state }, at) => state?.at !== before[at]), WAIT).toBe(true);
    }
  }

  it('starts the first member once all answer', async () => {
    await set.member('s3').close();
    set.run();
    await expect.poll(() => set.client('s1').state && set.client('s2').state, WAIT).toBeDefined();
    expect(lead.leader).toBeNull();
    await set.member('s3').open();
    await leads('s1');
    expect(set.member('s1').calls).toEqual(['start 0']);
  });

  it('leaves the lead to a leader of before its start that has not answered yet', async () => {
    lead.give('s3');
    // A machine that stands still takes the lead from no member.
    await using patient = await TestSet.open(lead, 300_000);
    patient.run();
    await expect.poll(() => patient.member('s3').isActive, WAIT).toBe(true);
    expect([lead.leader, lead.term]).toEqual(['s3', 1]);
  });

  it('gives the lead to another member when the leader does not answer, and stops the former one', async () => {
    set.run();
    await leads('s1');
    set.publish('s1', first);
    await set.member('s1').close();
    await expect.poll(() => lead.leader, WAIT).toMatch(/s[23]/);
    await set.member('s1').open();
    await leadsInPlaceOf('s1');
    expect(set.member('s1').calls).toEqual(['start 0', 'stop']);
  });

  it('gives the lead to another member when the leader makes no block that is due', async () => {
    set.run();
    await leads('s1');
    await looks(16);
    expect(lead.term).toBe(1);
    set.now += 60_000;
    await expect.poll(() => lead.term, WAIT).toBeGreaterThan(1);
    expect(set.member('s1').calls.slice(0, 2)).toEqual(['start 0', 'stop']);
  });

  it('gives the lead to another member when the leader does not start', async () => {
    set.member('s1').refusal = 'no engine';
    set.run();
    await leadsInPlaceOf('s1');
  });

  it('stops a member that sequences without the lead', async () => {
    set.run();
    await leads('s1');
    set.member('s3').isActive = true;
    await leads('s1');
    expect(set.member('s3').calls).toEqual(['stop']);
  });

  it('leaves the lead where it is while it is paused', async () => {
    set.run();
    await leads('s1');
    set.conductor.isPaused = true;
    await set.member('s1').close();
    await expect.poll(() => set.conductor.isHealthy(set.client('s1')), WAIT).toBe(false);
    await looks(3, [set.client('s2'), set.client('s3')]);
    expect(lead.leader).toBe('s1');
    set.conductor.isPaused = false;
    await expect.poll(() => lead.leader, WAIT).toMatch(/s[23]/);
  });

  it('keeps the leader when it has stood still itself for longer than a lease', async () => {
    set.run();
    await leads('s1');
    for (let nth = 0; nth < 2; nth++) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200);
      await looks(2);
    }
    expect([lead.leader, lead.term]).toEqual(['s1', 1]);
  });

  describe('transfers the lead', () => {
    beforeEach(async () => {
      await set.look();
      await set.conductor.transfer('s1');
    });

    it('to the member with the highest block if none is named', async () => {
      set.publish('s1', first);
      set.member('s2').has();
      await set.look();
      expect((await set.conductor.transfer(undefined)).name).toBe('s3');
      expect(sequencing()).toEqual(['s3']);
    });

    it('with the block that was committed last', async () => {
      set.publish('s1', first);
      set.member('s2').has();
      await set.conductor.transfer('s2');
      expect(set.member('s2').calls).toEqual(['post 1', 'start 1']);
      expect(() => set.publish('s2', after(GENESIS, '9'))).toThrow('does not follow block 1');
      set.publish('s2', second);
      expect(() => set.publish('s1', after(second, '3'))).toThrow('s1 is not the leader: s2');
    });

    it.each([
      ['s1', 's1 is the leader already'],
      ['s9', 'no member to lead: s9'],
    ])('not to %s', async (name, message) => {
      await expect(set.conductor.transfer(name)).rejects.toThrow(message);
      expect([lead.leader, sequencing()]).toEqual(['s1', ['s1']]);
    });

    it('to a member that does not start, and says so', async () => {
      set.member('s2').refusal = 'no engine';
      await expect(set.conductor.transfer('s2')).rejects.toThrow('s2 has the lead and did not start yet');
      expect([lead.leader, sequencing()]).toEqual(['s2', []]);
    });

    it('without the block that was committed last if its L1 origin has left L1', async () => {
      set.publish('s1', first);
      set.l1.origin = 'b';
      for (const member of set.members) member.has();
      await set.conductor.transfer('s2');
      expect([lead.last, set.member('s2').calls]).toEqual([null, ['start 0']]);
      set.publish('s2', after(GENESIS, '9', 'b'));
      expect(lead.last?.number).toBe(1);
    });

    it('without the block that was committed last if derivation has made another one', async () => {
      set.publish('s1', first);
      set.publish('s1', second);
      const [other] = [after(GENESIS, '9')];
      for (const member of set.members) {
        member.has(other);
        member.safe = 1;
      }
      await set.conductor.transfer('s2');
      expect([lead.last, set.member('s2').calls]).toEqual([null, ['start 1']]);
    });
  });

  it('releases the last block when a new leader moves away from it before it commits one', async () => {
    set.run();
    await leads('s1');
    set.publish('s1', first);
    await set.conductor.transfer('s2');
    expect(lead.last?.number).toBe(1);
    for (const member of set.members) member.has();
    expect(() => set.publish('s2', after(GENESIS, '9', 'b'))).toThrow('does not follow block 1');
    set.l1.origin = 'b';
    await expect.poll(() => lead.last, WAIT).toBeNull();
    set.publish('s2', after(GENESIS, '9', 'b'));
  });

  it('restores leader, term and last block of a checkpoint, on disk too, and goes on', async () => {
    set.run();
    await leads('s1');
    set.publish('s1', first);
    const checkpoints = conductorCheckpoints(set.conductor);
    await checkpoints.take(1);
    set.publish('s1', second);
    await set.conductor.transfer('s2');
    await checkpoints.suspend(1);
    await expect(set.conductor.transfer('s3')).rejects.toThrow('the network returns to a checkpoint');
    await checkpoints.restore(1);
    for (const member of set.members) {
      member.has(first);
      member.isActive = member.name === 's1';
    }
    const kept = new Lead(folder);
    expect([kept.leader, kept.term, kept.last?.number]).toEqual(['s1', 1, 1]);
    await checkpoints.resume(1);
    await looks(3);
    set.publish('s1', after(first, '3'));
    expect([lead.leader, lead.term, sequencing()]).toEqual(['s1', 1, ['s1']]);
  });
});
