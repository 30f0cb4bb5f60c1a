import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type ParsedNode,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { LIMITS, limitProblems } from './limits.ts';
import { type Problem, type ProblemCode, problemAt } from './problem.ts';
import type { Source, Span } from './source.ts';
import type { Entry, Path, Tree } from './tree.ts';

export interface ParsedYaml {
  /** Undefined where the text is no YAML. An empty document is an empty map. */
  readonly tree: Tree | undefined;
  readonly problems: readonly Problem[];
}

/** Keys that mean something to JavaScript objects; nothing of ours is called so. */
/** Keys that no map may have: they would change the object that they are read into. */
export const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Reads one YAML document with the positions of all keys and values. Never throws; every fault is a problem. */
export function parseYaml(source: Source): ParsedYaml {
  const limits = limitProblems(source);
  if (limits.length > 0) return { tree: undefined, problems: limits };
  // The parser's own check of unique keys is quadratic, so the reader below makes it.
  const document = parseDocument(source.text, { uniqueKeys: false, logLevel: 'silent', prettyErrors: false });
  const problems = document.errors.map((error) => {
    const [start, end] = error.pos;
    const code = error.code === 'MULTIPLE_DOCS' ? 'one document is expected, found several' : error.message;
    return problemAt({ source, start, end: Math.max(end, start + 1) }, 'yaml', [], `not YAML: ${lowerFirst(code)}`);
  });
  if (problems.length > 0) return { tree: undefined, problems };
  const reader = new Reader(source, document.contents as ParsedNode | null);
  return { tree: reader.read(), problems: reader.problems };
}

class Reader {
  readonly problems: Problem[] = [];
  readonly #source: Source;
  readonly #root: Node | null;
  readonly #anchors = new Map<string, Node>();
  #aliases = 0;
  #values = 0;

  constructor(source: Source, root: Node | null) {
    this.#source = source;
    this.#root = root;
  }

  read(): Tree {
    if (this.#root === null) return this.#empty();
    return this.#tree(this.#root, [], new Set()) ?? this.#empty();
  }

  #empty(): Tree {
    return { kind: 'map', entries: new Map(), span: { source: this.#source, start: 0, end: 1 } };
  }

  /** Undefined where the value is told as a problem and left out. */
  #tree(node: Node | null, path: Path, open: ReadonlySet<Node>): Tree | undefined {
    const span = this.#span(node);
    if (++this.#values > LIMITS.values) return this.#bomb(span, path);
    if (isAlias(node)) return this.#alias(node, path, open);
    if (node !== null && 'anchor' in node && typeof node.anchor === 'string') this.#anchors.set(node.anchor, node);
    const tag = node?.tag;
    if (tag !== undefined && !tag.startsWith('tag:yaml.org,2002:')) {
      this.#problem(span, 'tag', path, `the tag "${tag}" has no meaning here`, 'plain values without tags');
      return undefined;
    }
    if (isMap(node)) return this.#map(node, path, new Set([...open, node]), span);
    if (isSeq(node)) {
      const inner = new Set([...open, node]);
      const items = (node as YAMLSeq<Node>).items.flatMap(
        (item, index) => this.#tree(item, [...path, index], inner) ?? [],
      );
      return { kind: 'list', items, span };
    }
    const value = isScalar(node) ? node.value : null;
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value))
      return { kind: 'scalar', value: value as string | number | boolean | null, span };
    this.#problem(span, 'type', path, `a value of a kind that no key takes`, 'text, numbers, booleans, lists and maps');
    return undefined;
  }

  #map(node: YAMLMap, path: Path, open: ReadonlySet<Node>, span: Span): Tree {
    const entries = new Map<string, Entry>();
    for (const { key, value } of node.items) {
      const keySpan = this.#span(key as Node);
      if (!isScalar(key) || key.value === null) {
        this.#problem(keySpan, 'type', path, 'a key that is no word', 'keys that are plain words');
        continue;
      }
      const name = String(key.value);
      const inner = [...path, name];
      if (FORBIDDEN.has(name)) this.#problem(keySpan, 'unknown-key', inner, `"${name}" is no key of anything`);
      else if (entries.has(name)) this.#problem(keySpan, 'duplicate-key', inner, `the key "${name}" stands here twice`);
      else {
        const nothing: Tree = { kind: 'scalar', value: null, span: keySpan };
        const tree = value === null ? nothing : this.#tree(value as Node, inner, open);
        if (tree !== undefined) entries.set(name, { key: keySpan, value: tree });
      }
    }
    return { kind: 'map', entries, span };
  }

  #alias(node: Alias, path: Path, open: ReadonlySet<Node>): Tree | undefined {
    const span = this.#span(node);
    const target = this.#anchors.get(node.source);
    if (++this.#aliases > LIMITS.aliases) return this.#bomb(span, path);
    if (target === undefined || open.has(target)) {
      this.#problem(span, 'aliases', path, `the alias "*${node.source}" has no anchor before it`);
      return undefined;
    }
    return this.#tree(target, path, open);
  }

  #bomb(span: Span, path: Path): undefined {
    if (!this.problems.some(({ code }) => code === 'aliases')) {
      const allowed = `at most ${LIMITS.aliases} aliases and ${LIMITS.values} values`;
      this.#problem(span, 'aliases', path, 'the document grows too large when its aliases are followed', allowed);
    }
    return undefined;
  }

  #problem(span: Span, code: ProblemCode, path: Path, message: string, allowed?: string): void {
    this.problems.push(problemAt(span, code, path, message, { allowed }));
  }

  #span(node: Node | null): Span {
    const [start, end] = node?.range ?? [0, 1];
    return { source: this.#source, start, end: Math.max(end, start + 1) };
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
