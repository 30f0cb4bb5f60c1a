import { stringify } from 'yaml';
import * as z from 'zod/mini';
import { at, isList, isMap, type Json, type Path } from '../../spec/schema/json.ts';
import { checkShape } from '../../spec/text/issues.ts';
import { nearest } from '../../spec/text/nearest.ts';
import { keySpanAt, spanAt } from '../../spec/text/positions.ts';
import { type Problem, problemAt } from '../../spec/text/problem.ts';
import { locate, type Source } from '../../spec/text/source.ts';
import { type Layer, layerAt, parseYaml, plainOf } from '../../spec/text/yaml.ts';
import { type Scenario, scenarioSchema } from '../scenario.ts';
import type { ReadStep, StepKind } from '../step.ts';
import { referencesIn } from './references.ts';
import { STEPS, stepKind } from './step-kinds.ts';

/** Levels of steps within steps. */
const MAX_STEP_DEPTH = 4;

/** Number of steps that a scenario may hold, those within others included. */
const MAX_STEPS = 1000;

/** Reads the text of a scenario. The scenario is undefined if nothing of it can be checked further. */
export function readScenario(
  source: Source,
  fallbackName: string,
): { readonly scenario: Scenario | undefined; readonly problems: readonly Problem[] } {
  const { layer, problems: faults } = parseYaml(source);
  if (layer === undefined) return { scenario: undefined, problems: faults };
  const shape = checkShape(plainOf(layer), [layer], scenarioSchema);
  const problems = [...faults, ...shape.problems];
  if (shape.output === undefined) return { scenario: undefined, problems };
  const { name, seed, devnet } = shape.output;
  const reader = new Reader(layer, problems);
  const steps = reader.list(at(shape.value, ['steps']) ?? [], ['steps'], 1);
  return {
    scenario: {
      name: name ?? fallbackName,
      seed,
      devnet: typeof devnet === 'string' ? devnet : undefined,
      steps,
      layer,
    },
    problems,
  };
}

/** Reads steps in the order of the text and knows the names that earlier ones gave. */
class Reader {
  readonly #layer: Layer;
  readonly #problems: Problem[];
  /** Names that earlier steps gave. */
  #names = new Map<string, StepKind>();
  /** Names of steps that run at the same time as the one that is read. */
  #parallelNames: ReadonlySet<string> = new Set();
  #count = 0;

  constructor(layer: Layer, problems: Problem[]) {
    this.#layer = layer;
    this.#problems = problems;
  }

  list(value: Json, path: Path, depth: number): readonly ReadStep[] {
    if (!isList(value)) return [];
    return value.flatMap((step, index) => this.#step(step, [...path, index], depth) ?? []);
  }

  /** Reads steps that run at the same time. The names of all of them are known after the last one. */
  #parallel(value: Json, path: Path, depth: number): readonly ReadStep[] {
    if (!isList(value)) return [];
    const [earlier, outer] = [this.#names, this.#parallelNames];
    const siblings = new Map(earlier);
    const steps = value.flatMap((step, index) => {
      this.#names = new Map(earlier);
      this.#parallelNames = new Set([...outer, ...siblings.keys()]);
      const read = this.#step(step, [...path, index], depth);
      for (const [name, kind] of this.#names) siblings.set(name, kind);
      return read ?? [];
    });
    this.#names = siblings;
    this.#parallelNames = outer;
    return steps;
  }

  #step(value: Json, path: Path, depth: number): ReadStep | undefined {
    const names = STEPS.map(({ name }) => name);
    this.#count += 1;
    if (this.#count > MAX_STEPS || depth > MAX_STEP_DEPTH) {
      const message =
        depth > MAX_STEP_DEPTH ? `steps nested deeper than ${MAX_STEP_DEPTH} levels` : `more than ${MAX_STEPS} steps`;
      if (this.#count === MAX_STEPS + 1 || depth > MAX_STEP_DEPTH)
        this.#report(spanAt([this.#layer], path), 'too-deep', path, message);
      return undefined;
    }
    const [first, ...others] = isMap(value) ? Object.keys(value) : [];
    const [other] = others;
    if (first === undefined || other !== undefined) {
      const message = other === undefined ? 'found no step' : `found the keys "${first}" and "${other}" in one step`;
      const hint = names.includes(other ?? '')
        ? 'a list item for each step'
        : `one of ${names.join(', ')}, and its value`;
      const span = other === undefined ? spanAt([this.#layer], path) : keySpanAt([this.#layer], [...path, other]);
      this.#report(span, 'type', path, message, {
        allowed: `a map with one key: ${hint}`,
      });
      return undefined;
    }
    const kind = stepKind(first);
    const place = [...path, first];
    if (kind === undefined) {
      this.#report(keySpanAt([this.#layer], place), 'unknown-key', place, `unknown step "${first}"`, {
        allowed: names.join(', '),
        nearest: nearest(first, names),
      });
      return undefined;
    }
    return this.#ofKind(kind, value, path, depth);
  }

  #ofKind(kind: StepKind, value: Json, path: Path, depth: number): ReadStep | undefined {
    const place = [...path, kind.name];
    const stepValue = at(value, [kind.name]) ?? null;
    const shape = checkShape(value, [layerAt(this.#layer, path)], z.strictObject({ [kind.name]: kind.schema }));
    for (const problem of shape.problems)
      this.#problems.push({ ...problem, path: `${path.join('.')}.${problem.path}` });
    this.#references(stepValue, place, kind);
    const inner = this.#inner(kind, stepValue, place, depth + 1);
    const as = at(stepValue, ['as']);
    if (typeof as === 'string') this.#names.set(as, kind);
    if (shape.problems.length > 0) return undefined;
    return {
      kind,
      value: stepValue,
      path,
      line: locate(keySpanAt([this.#layer], place)).line,
      text: textOf(kind.name, stepValue),
      as: typeof as === 'string' ? as : undefined,
      inner,
    };
  }

  #inner({ inner, isParallel }: StepKind, stepValue: Json, place: Path, depth: number): readonly ReadStep[] {
    if (inner === undefined) return [];
    const [steps, path] = [at(stepValue, inner) ?? [], [...place, ...inner]];
    return isParallel ? this.#parallel(steps, path, depth) : this.list(steps, path, depth);
  }

  /** Reports references to names that no earlier step gives, and to values that such a step does not have. */
  #references(value: Json, path: Path, kind: StepKind): void {
    for (const { path: inner, name, key, text } of referencesIn(value, kind.inner)) {
      const place = [...path, ...inner];
      const giver = this.#names.get(name);
      const names = [...this.#names.keys()];
      const more =
        giver === undefined
          ? { allowed: names.map((each) => `\${${each}.…}`).join(', ') || 'nothing: no earlier step has `as`' }
          : { allowed: giver.gives.map((each) => `\${${name}.${each}}`).join(', ') };
      if (giver === undefined)
        this.#report(spanAt([this.#layer], place), 'reference', place, `${text} refers to ${this.#noGiver(name)}`, {
          ...more,
          nearest: nearest(name, names),
        });
      else if (!giver.gives.includes(key))
        this.#report(
          spanAt([this.#layer], place),
          'reference',
          place,
          `"${name}", a step of kind ${giver.name}, has no value "${key}"`,
          {
            ...more,
            nearest: nearest(key, giver.gives),
          },
        );
    }
  }

  #noGiver(name: string): string {
    return this.#parallelNames.has(name) ? 'a step that runs at the same time' : 'no earlier step';
  }

  #report(...[span, code, path, message, more]: Parameters<typeof problemAt>): void {
    this.#problems.push(problemAt(span, code, path, message, more));
  }
}

/** Writes a step as one line: `load { kind: transfers, count: 20 }`. */
function textOf(name: string, value: Json): string {
  const written = stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
  const text = `${name} ${written}`.replace(/\s+/g, ' ');
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}
