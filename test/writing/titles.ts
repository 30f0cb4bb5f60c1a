import { parseSync, Visitor } from 'oxc-parser';

/** A test and the groups in which it stands. */
export interface Title {
  readonly line: number;
  readonly text: string;
  readonly groups: readonly string[];
}

/** Words with which no title outside a group begins: its subject comes first, or its group is the subject. */
const WITHOUT_SUBJECT =
  /^(…|what|that|of|with|without|where|while|in|is|has|does|not|knows|takes|refuses|reads|answers|tells|keeps|says|shows|gives|encodes|decodes|follows|sends|fails|counts|holds|goes|finds|ends|proves|begins|runs|makes|replaces|asks|waits|moves|starts|stores|writes|explains|prefers|fetches|builds|returns|rejects|draws|puts|cuts|hides|serves|stops|gets|derives|creates|fills|adopts|evicts|copies|collects|leaves|resumes|predicts|names the)(?=[ :]|$)/;

type Call = {
  readonly callee: Node;
  readonly arguments: readonly Node[];
  readonly start: number;
  readonly end: number;
};
type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Returns the titles of the tests of a file. */
export function titlesOf(file: string, source: string): readonly Title[] {
  const titles: Title[] = [];
  const groups: { readonly text: string; readonly end: number }[] = [];
  new Visitor({
    CallExpression(node) {
      const call = node as unknown as Call;
      const name = calleeOf(call.callee);
      const text = textOf(call.arguments[0]);
      if (text === undefined || !['it', 'test', 'describe'].includes(name)) return;
      while ((groups.at(-1)?.end ?? Number.POSITIVE_INFINITY) < call.start) groups.pop();
      const line = source.slice(0, call.start).split('\n').length;
      if (name === 'describe') groups.push({ text, end: call.end });
      else titles.push({ line, text, groups: groups.map((group) => group.text) });
    },
  }).visit(parseSync(file, source).program);
  return titles;
}

/** Tells whether a title names no subject: docs/writing.md asks for "SUBJECT does X when Y". */
export function hasNoSubject({ text, groups }: Title): boolean {
  return groups.length === 0 && WITHOUT_SUBJECT.test(text);
}

/** Returns the name that a call begins with: `it` of `it.each([1])('…')`. */
function calleeOf(node: Node): string {
  if (node.type === 'Identifier') return String(node['name']);
  const next = node['object'] ?? node['callee'] ?? node['tag'];
  return next === undefined ? '' : calleeOf(next as Node);
}

function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node?.type !== 'TemplateLiteral') return undefined;
  return (node['quasis'] as readonly { readonly value: { readonly raw: string } }[])
    .map(({ value }) => value.raw)
    .join('X');
}
