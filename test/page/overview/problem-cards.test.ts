import { expect, it } from 'vitest';
import { problemCards } from '../../../src/page/overview/problem-cards.ts';
import { divergenceOf, pictureWith, processOf } from '../pictures.ts';

const problem = (subject: string, what: string, because: string | null = null) => ({
  subject,
  what,
  because,
  since: 0,
});
const report = { chain: 'main', block: 60, nodes: ['late'], lines: [], cause: 'isthmus not active there' };

it('the card of a divergence has the cause as its headline, and the problems of that node as details', () => {
  const cards = problemCards(
    pictureWith({
      divergences: [divergenceOf('main', 'late')],
      reports: [{ ...report, isOver: false }],
      processes: [processOf('main/late/el'), processOf('main/late/cl')],
      problems: [
        problem('main/late/el', 'has another block 60 than main/sequencer', 'gasUsed is 0x1'),
        problem('main/late/cl', 'safe head is 24 blocks behind', 'main/late/el: has another block 60'),
      ],
    }),
  );
  expect(cards).toEqual([
    {
      headline: 'main/late left the chain at block 60: isthmus not active there',
      details: ['gasUsed, stateRoot of block 60 differ', 'main/late/cl: safe head is 24 blocks behind'],
      links: [
        { text: 'comparison', to: '#/divergence/main/60/late' },
        { text: 'log of main/late/el', to: '#/logs/main%2Flate%2Fel' },
        { text: 'log of main/late/cl', to: '#/logs/main%2Flate%2Fcl' },
      ],
    },
  ]);
});

it('the card of a divergence says that its cause is not known yet when no report is written', () => {
  const other = { ...report, nodes: ['other'], isOver: false };
  const [card] = problemCards(pictureWith({ divergences: [divergenceOf('main', 'late')], reports: [other] }));
  expect(card).toMatchObject({ headline: 'main/late left the chain at block 60' });
  expect(card?.details[0]).toBe('the cause is being looked for');
});

it('a problem that another one explains stands in the card of that one', () => {
  const cards = problemCards(
    pictureWith({
      processes: [processOf('l1'), processOf('main/verifier/cl')],
      problems: [
        problem('main/verifier/cl', 'safe head stands', 'l1: does not answer'),
        problem('l1', 'does not answer'),
        problem('disk', '10 MB free', null),
      ],
    }),
  );
  expect(cards.map(({ headline }) => headline)).toEqual(['l1: does not answer', 'disk: 10 MB free']);
  expect(cards[0]?.details).toEqual(['main/verifier/cl: safe head stands']);
  expect(cards[0]?.links.map(({ to }) => to)).toEqual(['#/logs/l1', '#/logs/main%2Fverifier%2Fcl']);
  // A disk has no log.
  expect(cards[1]?.links).toEqual([]);
});

it('two problems that name each other as their cause are both shown', () => {
  const cards = problemCards(
    pictureWith({
      problems: [problem('one', 'stands', 'two: stands too'), problem('two', 'stands too', 'one: stands')],
    }),
  );
  expect(cards.map(({ headline }) => headline)).toEqual(['one: two: stands too', 'two: one: stands']);
});

it('a card cuts a long cause', () => {
  const [card] = problemCards(pictureWith({ problems: [problem('l1', 'stands', 'x'.repeat(5000))] }));
  expect(card?.headline).toHaveLength(401);
});
