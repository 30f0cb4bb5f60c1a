import { isPair, isScalar, isSeq, visit } from 'yaml';
import type { ClientKind } from '../spec/resolve/client.ts';
import type { Path } from '../spec/schema/json.ts';
import { nearest } from '../spec/text/nearest.ts';
import { keySpanAt } from '../spec/text/positions.ts';
import { type Problem, problemAt } from '../spec/text/problem.ts';
import type { Span } from '../spec/text/source.ts';
import { type Layer, spanOf } from '../spec/text/yaml.ts';
import { isSecret, referencesFor } from './references.ts';
import { parseText, referencesIn } from './text.ts';

/** Ports by which the rest of the network finds a client of a kind. */
const REQUIRED_PORTS: Readonly<Record<ClientKind, readonly string[]>> = {
  l1: ['rpc'],
  beacon: ['http'],
  el: ['http', 'engine'],
  cl: ['rpc', 'p2p'],
  batcher: [],
  proposer: [],
  challenger: [],
  signer: ['rpc'],
  'da-server': ['rpc'],
  conductor: ['rpc'],
};

/** Finds missing ports, unknown references, and secrets in command lines. `ports`: names that the template gives. */
export function contentProblems(layer: Layer, kind: ClientKind, ports: readonly string[]): readonly Problem[] {
  const missing = REQUIRED_PORTS[kind]
    .filter((port) => !ports.includes(port))
    .map((port) => {
      const message = `a client of the kind ${kind} needs a port "${port}"`;
      const allowed = `ports: { ${port}: tcp }`;
      return problemAt(keySpanAt([layer], ['ports']), 'missing', ['ports', port], message, { allowed });
    });
  const references = referencesFor(kind, ports);
  return [...missing, ...textsOf(layer).flatMap((text) => textProblems(text, references, ports))];
}

/** A text of a template with its place. */
interface PlacedText {
  readonly path: Path;
  readonly value: string;
  readonly span: Span;
}

function textProblems(
  { path, value, span }: PlacedText,
  references: readonly string[],
  ports: readonly string[],
): Problem[] {
  const problems: Problem[] = [];
  const isProbe = path[0] === 'ready' || path[0] === 'live';
  const isPort = (isProbe && path.at(-1) === 'tcp') || (path[0] === 'probe' && path.at(-1) === 'port');
  if (isPort && !ports.includes(value)) {
    const more = { allowed: ports.join(', '), nearest: nearest(value, ports) };
    problems.push(problemAt(span, 'reference', path, `there is no port "${value}"`, more));
  }
  for (const reference of referencesIn(parseText(value))) {
    const place = placeOf(reference, span);
    if (!references.includes(reference)) {
      const more = { allowed: references.join(', '), nearest: nearest(reference, references) };
      problems.push(problemAt(place, 'reference', path, `unknown reference "\${${reference}}"`, more));
    } else if (isSecret(reference) && !path.includes('env')) {
      const message = `"\${${reference}}" is a secret, and every user of the machine can read command lines`;
      problems.push(problemAt(place, 'reference', path, message, { allowed: 'env' }));
    }
  }
  return problems;
}

/** Where a reference stands within the text that holds it. */
function placeOf(reference: string, span: Span): Span {
  const text = span.source.text.slice(span.start, span.end);
  const opening = /\$\{/g;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const end = text.indexOf('}', match.index);
    if (text.slice(match.index + 2, end).trim() === reference)
      return { ...span, start: span.start + match.index, end: span.start + end + 1 };
  }
  return span;
}

function textsOf({ source, document }: Layer): readonly PlacedText[] {
  const texts: PlacedText[] = [];
  visit(document, {
    Scalar(key, scalar, ancestors) {
      if (key === 'key' || typeof scalar.value !== 'string') return;
      const path = ancestors.flatMap((node, index): Path => {
        if (isPair(node)) return isScalar(node.key) ? [String(node.key.value)] : [];
        return isSeq(node) ? [node.items.indexOf(ancestors[index + 1] ?? scalar)] : [];
      });
      texts.push({ path, value: scalar.value, span: spanOf(source, scalar) });
    },
  });
  return texts;
}
