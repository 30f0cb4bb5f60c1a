import {
  Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  Pair,
  parseDocument,
  Scalar,
  type YAMLMap,
} from 'yaml';
import type { Json, Path } from '../schema/json.ts';
import { DOCUMENT_LIMITS } from './bounds.ts';
import { limitProblems } from './limits.ts';
import { type Problem, type ProblemCode, problemAt } from './problem.ts';
import type { Source, Span } from './source.ts';

/** A document without aliases and without what was refused. All keys are text, so that `getIn` finds every value. */
export interface Layer {
  readonly source: Source;
  readonly document: Document<Node>;
}

export interface ParsedYaml {
  /** Undefined if the text is not YAML. */
  readonly layer: Layer | undefined;
  readonly problems: readonly Problem[];
}

/** Keys that no map may have: they would change the object that they are read into. */
export const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const ONCE = 'each key once in a map';
const YAML_RULES = 'one document, indented by spaces, in which each quote, { and [ is closed';
const ONE_DOCUMENT = 'one document, with nothing after "---" or "..."';

const CORE_TAGS = new Set(
  ['map', 'seq', 'str', 'null', 'bool', 'int', 'float'].map((tag) => `tag:yaml.org,2002:${tag}`),
);

/** Reads one YAML document. Never throws: every fault is a problem. `text` is the source's YAML, at its offset. */
export function parseYaml(source: Source, text = source.text): ParsedYaml {
  const limits = limitProblems(source);
  if (limits.length > 0) return { layer: undefined, problems: limits };
  // The parser's own check of unique keys is quadratic, so the cleaner below makes it. With the level `silent` the
  // parser drops all documents but the first without an error.
  const document = parseDocument<Node>(text, {
    uniqueKeys: false,
    logLevel: 'error',
    prettyErrors: false,
    schema: 'core',
    resolveKnownTags: false,
  });
  // The parser warns of a directive that it ignores. Tags, of which it warns too, are the cleaner's.
  const ignored = document.warnings.filter(({ code }) => code === 'BAD_DIRECTIVE');
  const problems = [...document.errors, ...ignored].map((error) => {
    const [start, end] = error.pos;
    const span = { source, start, end: Math.max(end, start + 1) };
    if (error.code === 'MULTIPLE_DOCS')
      return problemAt(span, 'yaml', [], 'a second YAML document begins here', { allowed: ONE_DOCUMENT });
    return problemAt(span, 'yaml', [], `not YAML: ${lowerFirst(error.message)}`, { allowed: YAML_RULES });
  });
  if (problems.length > 0) return { layer: undefined, problems };
  const cleaner = new Cleaner(source);
  if (document.contents !== null) document.contents = cleaner.clean(document.contents, []) ?? null;
  const layer = source.under === undefined ? { source, document } : layerAt({ source, document }, source.under);
  return { layer, problems: cleaner.problems };
}

/** Returns the part of a document at a path as a document of its own. Positions stay those in the whole text. */
export function layerAt({ source, document }: Layer, path: Path): Layer {
  const part = document.getIn(path, true);
  return { source, document: new Document<Node>(isNode(part) ? part : null) };
}

/** Returns the plain value of a document. An empty one is an empty map. */
export function plainOf({ document }: Layer): Json {
  return document.contents === null ? {} : document.toJS();
}

/** Where a node stands in its text. */
export function spanOf(source: Source, node: Node | null | undefined): Span {
  const [start, end] = node?.range ?? [0, 1];
  return { source, start, end: Math.max(end, start + 1) };
}

/** Replaces aliases by what they name and removes what no document may hold. */
class Cleaner {
  readonly problems: Problem[] = [];
  readonly #source: Source;
  readonly #anchors = new Map<string, { readonly node: Node; readonly aliases: number; readonly values: number }>();
  #aliases = 0;
  #values = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Returns the node to use, undefined if it is refused. */
  clean(node: Node, path: Path): Node | undefined {
    if (isAlias(node)) return this.#follow(node.source, node, path);
    if (++this.#values > DOCUMENT_LIMITS.values) return this.#refuseSize(node, path);
    if (node.tag !== undefined && !CORE_TAGS.has(node.tag))
      return this.#refuse(node, 'tag', path, `the tag "${node.tag}" has no meaning here`, 'plain values without tags');
    const { anchor } = node;
    if (anchor !== undefined) this.#anchors.delete(anchor);
    const [aliases, values] = [this.#aliases, this.#values - 1];
    if (isMap<unknown, unknown>(node)) this.#cleanMap(node, path);
    if (isSeq<Node>(node)) node.items = node.items.flatMap((item, index) => this.clean(item, [...path, index]) ?? []);
    // Set once the node is complete, so that no node holds itself.
    if (anchor !== undefined && !this.#anchors.has(anchor))
      this.#anchors.set(anchor, { node, aliases: this.#aliases - aliases, values: this.#values - values });
    return node;
  }

  #cleanMap(map: YAMLMap, path: Path): void {
    const pairs = new Map<string, Pair>();
    for (const { key, value } of map.items) {
      if (!isScalar(key) || key.value === null) {
        this.#refuse(
          isNode(key) ? key : map,
          'type',
          path,
          'a key that is not a plain word',
          'keys that are plain words',
        );
        continue;
      }
      const name = String(key.value);
      const inner = [...path, name];
      if (FORBIDDEN.has(name)) this.#refuse(key, 'unknown-key', inner, `"${name}" cannot be a key`);
      else if (pairs.has(name)) this.#refuse(key, 'duplicate-key', inner, `the key "${name}" stands here twice`, ONCE);
      else {
        const cleaned = isNode(value) ? this.clean(value, inner) : scalarAt(null, key);
        if (cleaned !== undefined) pairs.set(name, new Pair(scalarAt(name, key), cleaned));
      }
    }
    map.items = [...pairs.values()];
  }

  #follow(name: string, alias: Node, path: Path): Node | undefined {
    const target = this.#anchors.get(name);
    if (target === undefined)
      return this.#refuse(alias, 'aliases', path, `the alias "*${name}" has no anchor before it`);
    this.#aliases += 1 + target.aliases;
    this.#values += target.values;
    if (this.#aliases > DOCUMENT_LIMITS.aliases || this.#values > DOCUMENT_LIMITS.values)
      return this.#refuseSize(alias, path);
    const copy = target.node.clone();
    return isNode(copy) ? copy : undefined;
  }

  #refuseSize(node: Node, path: Path): undefined {
    if (this.problems.some(({ message }) => message.startsWith('the document grows'))) return undefined;
    const allowed = `at most ${DOCUMENT_LIMITS.aliases} aliases and ${DOCUMENT_LIMITS.values} values`;
    return this.#refuse(node, 'aliases', path, 'the document grows too large when its aliases are followed', allowed);
  }

  #refuse(node: Node, code: ProblemCode, path: Path, message: string, allowed?: string): undefined {
    this.problems.push(problemAt(spanOf(this.#source, node), code, path, message, { allowed }));
  }
}

/** Makes a scalar that stands where another node does. */
export function scalarAt(value: unknown, { range }: Node): Scalar {
  const scalar = new Scalar(value);
  scalar.range = range ?? null;
  return scalar;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
