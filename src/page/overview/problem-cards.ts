import type { Picture } from '../../orchestrator/dashboard/picture-type.ts';

/** A problem as the overview shows it: its cause as the headline, what follows from it, and where to look. */
export interface ProblemCard {
  readonly headline: string;
  readonly details: readonly string[];
  readonly links: readonly { readonly text: string; readonly to: string }[];
}

type Problem = Picture['problems'][number];
type Divergence = Picture['divergences'][number];

/** Letters of a text in a card. */
const MAX_CARD_CHARS = 400;
const cut = (text: string): string => (text.length > MAX_CARD_CHARS ? `${text.slice(0, MAX_CARD_CHARS)}…` : text);

/** Makes one card per cause: a problem that another one explains stands in the card of that one. */
export function problemCards(picture: Picture): readonly ProblemCard[] {
  const { problems, divergences } = picture;
  const isOf = ({ chain, nodes }: Divergence, { subject }: Problem) =>
    nodes.some((node) => subject.startsWith(`${chain}/${node}/`));
  const others = problems.filter((problem) => !divergences.some((divergence) => isOf(divergence, problem)));
  const root = (problem: Problem, before: readonly Problem[] = []): Problem => {
    const cause = others.find((each) => each !== problem && problem.because?.startsWith(`${each.subject}: `));
    if (cause === undefined) return problem;
    // Problems that name each other have no first one.
    return before.includes(cause) ? (before[0] ?? problem) : root(cause, [...before, problem]);
  };
  const roots = others.filter((problem) => root(problem) === problem);
  return [
    ...divergences.map((divergence) =>
      divergenceCard(
        picture,
        divergence,
        problems.filter((problem) => isOf(divergence, problem)),
      ),
    ),
    ...roots.map((problem) =>
      problemCard(
        picture,
        problem,
        others.filter((each) => each !== problem && root(each) === problem),
      ),
    ),
  ];
}

function divergenceCard(picture: Picture, divergence: Divergence, problems: readonly Problem[]): ProblemCard {
  const { chain, block, nodes, fields } = divergence;
  const cause = picture.reports.find(
    (report) => report.chain === chain && report.block === block && report.nodes.join() === nodes.join(),
  )?.cause;
  const names = nodes.map((node) => `${chain}/${node}`).join(', ');
  const tasks = problems.map(({ subject }) => subject);
  return {
    headline: cut(`${names} left the chain at block ${block}${cause == null ? '' : `: ${cause}`}`),
    details: [
      ...(cause == null ? ['the cause is being looked for'] : []),
      ...(fields.length === 0 ? [] : [`${fields.join(', ')} of block ${block} differ`]),
      ...problems.filter(({ what }) => !what.startsWith('has another block')).map(lineOf),
    ].map(cut),
    links: [
      { text: 'comparison', to: `#/divergence/${chain}/${block}/${nodes[0] ?? ''}` },
      ...logLinks(picture, tasks.length > 0 ? tasks : nodes.map((node) => `${chain}/${node}/el`)),
    ],
  };
}

function problemCard(picture: Picture, problem: Problem, followers: readonly Problem[]): ProblemCard {
  const { subject, what, because } = problem;
  return {
    headline: cut(because === null ? `${subject}: ${what}` : `${subject}: ${because}`),
    details: [...(because === null ? [] : [what]), ...followers.map(lineOf)].map(cut),
    links: logLinks(
      picture,
      [problem, ...followers].map((each) => each.subject),
    ),
  };
}

const lineOf = ({ subject, what }: Problem): string => `${subject}: ${what}`;

/** Links to the logs of those subjects that are processes: a disk has none. */
function logLinks({ processes }: Picture, subjects: readonly string[]): ProblemCard['links'] {
  return subjects
    .filter((subject) => processes.some(({ task }) => task === subject))
    .map((subject) => ({ text: `log of ${subject}`, to: `#/logs/${encodeURIComponent(subject)}` }));
}
