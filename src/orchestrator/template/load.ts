import type { ClientKind } from '../spec/client.ts';
import { checkShape } from '../spec/issues.ts';
import { nearest } from '../spec/nearest.ts';
import { inReadingOrder, type Problem, type ProblemCode, problemAt } from '../spec/problem.ts';
import { keysOf } from '../spec/schema.ts';
import type { Source, Span } from '../spec/source.ts';
import { keyAt, type Path, plain, spanAt, type Tree } from '../spec/tree.ts';
import { type ParsedYaml, parseYaml } from '../spec/yaml.ts';
import { buildTemplate, type TemplateDocument } from './build.ts';
import { isSecret, referencesFor } from './references.ts';
import { templateSchema } from './schema.ts';
import type { ClientTemplate } from './template.ts';
import { parseText, referencesIn } from './text.ts';

/** Ports by which the rest of the network finds a client of a kind. */
const REQUIRED_PORTS: Readonly<Record<ClientKind, readonly string[]>> = {
  l1: ['rpc'],
  beacon: ['http'],
  el: ['http', 'engine'],
  cl: ['rpc', 'p2p'],
  batcher: [],
  proposer: [],
};

export type LoadedTemplate =
  | { readonly ok: true; readonly template: ClientTemplate }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads a template. Every problem at once, each with its place: unknown references and secrets in command lines too. */
export function loadTemplate(
  name: string,
  source: Source,
  parse: (source: Source) => ParsedYaml = parseYaml,
): LoadedTemplate {
  const { tree, problems: faults } = parse(source);
  if (tree === undefined) return { ok: false, problems: faults };
  const shape = checkShape(tree, templateSchema, (path) => keysOf(templateSchema, path));
  const problems = [...faults, ...shape.problems];
  const document = plain(shape.tree) as Partial<TemplateDocument>;
  if (document.kind !== undefined && !shape.hopeless)
    problems.push(...contentProblems(shape.tree, document.kind, Object.keys(document.ports ?? {})));
  if (problems.length > 0) return { ok: false, problems: inReadingOrder(problems) };
  return { ok: true, template: buildTemplate(name, document as TemplateDocument) };
}

function contentProblems(tree: Tree, kind: ClientKind, ports: readonly string[]): readonly Problem[] {
  const problems: Problem[] = [];
  const report = (span: Span, code: ProblemCode, path: Path, message: string, allowed?: string, near?: string) =>
    problems.push(problemAt(span, code, path, message, { allowed, nearest: near }));
  for (const port of REQUIRED_PORTS[kind])
    if (!ports.includes(port))
      report(
        keyAt(tree, ['ports']) ?? tree.span,
        'missing',
        ['ports', port],
        `a client of the kind ${kind} has a port "${port}"`,
      );
  const known = referencesFor(kind, ports);
  for (const { path, value, span } of scalars(tree, [])) {
    if (path[0] === 'ready' || path[0] === 'live') {
      if (path.at(-1) === 'tcp' && !ports.includes(value))
        report(span, 'reference', path, `there is no port "${value}"`, ports.join(', '), nearest(value, ports));
    }
    for (const reference of referencesIn(parseText(value))) {
      const place = placeOf(reference, span);
      if (!known.includes(reference))
        report(
          place,
          'reference',
          path,
          `unknown reference "\${${reference}}"`,
          known.join(', '),
          nearest(reference, known),
        );
      else if (isSecret(reference) && !path.includes('env'))
        report(
          place,
          'reference',
          path,
          `"\${${reference}}" is a secret, and everyone on the machine can read command lines`,
          'env',
        );
    }
  }
  return problems;
}

/** Where a reference stands within the text that holds it. */
function placeOf(reference: string, span: Span): Span {
  const text = span.source.text.slice(span.start, span.end);
  const found = /\$\{\s*/g;
  for (let match = found.exec(text); match !== null; match = found.exec(text)) {
    const end = text.indexOf('}', match.index);
    if (text.slice(match.index + 2, end).trim() === reference)
      return { ...span, start: span.start + match.index, end: span.start + end + 1 };
  }
  return span;
}

function scalars(tree: Tree, path: Path): { path: Path; value: string; span: Span }[] {
  if (tree.kind === 'scalar')
    return typeof tree.value === 'string' ? [{ path, value: tree.value, span: spanAt(tree, []) }] : [];
  if (tree.kind === 'list') return tree.items.flatMap((item, index) => scalars(item, [...path, index]));
  return [...tree.entries].flatMap(([key, { value }]) => scalars(value, [...path, key]));
}
