import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Lead } from '../../../src/nodes/conductor/lead.ts';
import { main } from '../../../src/nodes/conductor/main.ts';
import { membersOf } from '../../../src/nodes/conductor/members.ts';
import { envelopeToJson } from '../../../src/protocol/codec/payload-json.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { blockOf, rollupAt } from '../gossip/blocks.ts';

const hash = (digit: string): Hex => `0x${digit.repeat(64)}`;

/** An envelope as the leader sends it. */
function block(blockNumber: number, blockHash: Hex, parentHash: Hex) {
  const { executionPayload, ...envelope } = blockOf(rollupAt(1_700_000_000), 1_700_000_002);
  return envelopeToJson({
    ...envelope,
    executionPayload: { ...executionPayload, blockNumber, blockHash, parentHash },
  });
}

describe('the lead', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'devnet-lead-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('lets the leader alone commit blocks', () => {
    const lead = new Lead(folder);
    expect(() => lead.commit('a', block(1, hash('1'), hash('0')))).toThrow('a is not the leader: there is none');
    lead.give('a');
    lead.commit('a', block(1, hash('1'), hash('0')));
    expect(() => lead.commit('b', block(2, hash('2'), hash('1')))).toThrow('b is not the leader: a');
    expect(lead.last).toMatchObject({ number: 1, hash: hash('1') });
  });

  it('refuses a second block at one height from the next leader, and takes what follows the last', () => {
    const lead = new Lead(folder);
    lead.give('a');
    lead.commit('a', block(1, hash('1'), hash('0')));
    lead.give('b');
    expect(() => lead.commit('b', block(1, hash('9'), hash('0')))).toThrow('does not follow block 1');
    lead.commit('b', block(2, hash('2'), hash('1')));
    expect(() => lead.commit('a', block(2, hash('3'), hash('1')))).toThrow('a is not the leader: b');
    expect(lead.last).toMatchObject({ number: 2, hash: hash('2') });
  });

  it('has leader, term and last block after a restart', () => {
    const lead = new Lead(folder);
    lead.give('a');
    lead.give('b');
    lead.commit('b', block(7, hash('7'), hash('6')));
    const again = new Lead(folder);
    expect([again.leader, again.term, again.last]).toEqual(['b', 2, lead.last]);
    expect(() => again.commit('b', block(7, hash('8'), hash('6')))).toThrow('does not follow block 7');
  });
});

describe('the conductor', () => {
  it.each([
    ['two members', ['a=http://a=http://a', 'b=http://b=http://b']],
    ['a name twice', ['a=http://a=http://a', 'a=http://b=http://b', 'c=http://c=http://c']],
    ['an op-conductor without a raft address', ['a=http://a=http://a=http://a', 'b=http://b=http://b', 'c=x=y']],
    ['a member without an address', ['a=http://a', 'b=http://b=http://b', 'c=http://c=http://c']],
  ])('refuses %s', (_, texts) => {
    expect(() => membersOf(texts)).toThrow('--members: expected');
  });

  it('ends with exit code 2 when it has no folder', async () => {
    expect(await main([], {})).toBe(2);
  });
});
