import { expect, it } from 'vitest';
import { createAltDaStage } from '../../../../src/protocol/derivation/alt-da/stage.ts';
import { commitmentTransaction, keccakCommitment } from '../../../../src/protocol/derivation/da-commitment.ts';
import type { AltDaInputs } from '../../../../src/protocol/derivation/ports.ts';
import { l1Header } from '../scripted/l1.ts';

const ORIGIN = l1Header(101, 0);
const FIRST = keccakCommitment(Uint8Array.of(1));
const SECOND = keccakCommitment(Uint8Array.of(2));
const PLAIN = Uint8Array.of(0, 9);
type Input = Awaited<ReturnType<AltDaInputs['input']>>;
type Below = Uint8Array | 'eof';

/** A stage above these data, whose inputs have these answers in turn, and what was asked and logged. */
function staged(below: readonly Below[], answers: readonly Input[] = [], isLogged = true) {
  const [left, replies] = [[...below], [...answers]];
  const asked: (readonly [string, unknown])[] = [];
  const logged: unknown[] = [];
  const inputs: AltDaInputs = {
    advance: async (origin) => void asked.push(['advance', origin]),
    input: async (commitment, origin) => {
      asked.push([commitment.encoded, origin]);
      return replies.shift()!;
    },
    finalizedBy: async () => null,
    reset() {},
  };
  const provider = { origin: () => ORIGIN, nextData: async () => left.shift() ?? 'eof' };
  const stage = createAltDaStage(inputs, provider, isLogged ? (...entry) => logged.push(entry) : undefined);
  return { stage, asked, logged, left };
}

it('data without the version of a commitment passes, and so does the end', async () => {
  const { stage, asked } = staged([PLAIN]);
  expect([await stage.nextData(), await stage.nextData()]).toEqual([PLAIN, 'eof']);
  expect(asked).toEqual([
    ['advance', ORIGIN],
    ['advance', ORIGIN],
  ]);
  expect(stage.origin()).toBe(ORIGIN);
});

it('a commitment stays until its data is there, and the next one follows', async () => {
  const { stage, asked, left } = staged([FIRST, SECOND].map(commitmentTransaction), ['more', PLAIN, 'skip']);
  expect([await stage.nextData(), left.length]).toEqual(['more', 1]);
  expect([await stage.nextData(), left.length]).toEqual([PLAIN, 1]);
  expect([await stage.nextData(), left.length]).toEqual(['more', 0]);
  expect(await stage.nextData()).toBe('eof');
  const read = [FIRST, FIRST, SECOND].map(({ encoded }) => [encoded, ORIGIN]);
  expect(asked.filter(([what]) => what !== 'advance')).toEqual(read);
  expect(asked[0]).toEqual(['advance', ORIGIN]);
});

it('a reset forgets the commitment that waits', async () => {
  const { stage } = staged([commitmentTransaction(FIRST), PLAIN], ['more']);
  await stage.nextData();
  stage.reset();
  expect(await stage.nextData()).toBe(PLAIN);
});

it('a malformed commitment is dropped, with a warning', async () => {
  const { stage: silent } = staged([Uint8Array.of(1, 9), PLAIN], [], false);
  expect([await silent.nextData(), await silent.nextData()]).toEqual(['more', PLAIN]);
  const { stage, logged } = staged([Uint8Array.of(1, 9), PLAIN]);
  expect([await stage.nextData(), await stage.nextData()]).toEqual(['more', PLAIN]);
  expect(logged).toEqual([['warn', expect.any(String), { reason: expect.stringContaining('unknown kind 9') }]]);
});
