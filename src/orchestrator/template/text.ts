import type { Value, Values } from './references.ts';
import type { TemplateDocument } from './schema.ts';
import type { ArgumentTemplate, OptionsTemplate, Text } from './template.ts';

/** Splits text at its `${…}` references; `$${` stands for a literal `${`. */
export function parseText(text: string): Text {
  const parts: (string | { reference: string })[] = [];
  let literal = '';
  let end = 0;
  for (const match of text.matchAll(/\$\$\{|\$\{([^}]*)\}/g)) {
    literal += text.slice(end, match.index);
    end = match.index + match[0].length;
    if (match[1] === undefined) {
      literal += '${';
      continue;
    }
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push({ reference: match[1].trim() });
  }
  literal += text.slice(end);
  if (literal !== '') parts.push(literal);
  return { parts };
}

/** The references in a text, in order. */
export function referencesIn(text: Text): readonly string[] {
  return text.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.reference]));
}

/** Splits the texts of a document's arguments and environment at their references. */
export function optionsOf({ args, env }: Pick<TemplateDocument, 'args' | 'env'>): OptionsTemplate {
  return {
    args: argumentsOf(args ?? {}),
    env: Object.fromEntries(Object.entries(env ?? {}).map(([name, value]) => [name, parseText(String(value))])),
  };
}

/** Splits the texts of arguments at their references. */
export function argumentsOf(args: NonNullable<TemplateDocument['args']>): Readonly<Record<string, ArgumentTemplate>> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]): [string, ArgumentTemplate] => {
      if (typeof value === 'string') return [name, parseText(value)];
      return [name, typeof value === 'object' && value !== null ? value.map(parseText) : value];
    }),
  );
}

/**
 * Returns the value of a reference that a template makes; undefined: absent in this network.
 * @throws Error if none is given: templates are checked when they are loaded
 */
export function referenceValue(values: Values, reference: string): Value {
  const all: Readonly<Record<string, Value>> = values;
  if (!Object.hasOwn(all, reference)) throw new Error(`the reference \${${reference}} has no value in this plan`);
  return all[reference];
}

/**
 * Replaces the references of a text. A text that is one reference alone keeps the value's type.
 * One with an absent value is undefined.
 * @throws Error on a reference without an entry: templates are checked when they are loaded
 */
export function renderText(text: Text, values: Values): Value {
  const parts = text.parts.map((part) => (typeof part === 'string' ? part : referenceValue(values, part.reference)));
  if (parts.some((part) => part === undefined)) return undefined;
  return parts.length === 1 ? parts[0] : parts.join('');
}

/** A rendered argument; null: not given, a list gives the option several times. */
export type Rendered = string | number | boolean | null | readonly (string | number)[];

/** Arguments of a template with their references replaced. One whose reference is absent is not given. */
export function renderArguments(
  args: Readonly<Record<string, ArgumentTemplate>>,
  values: Values,
): Readonly<Record<string, Rendered>> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, renderArgument(value, values)]));
}

function renderArgument(value: ArgumentTemplate, values: Values): Rendered {
  if (value === null || typeof value !== 'object') return value;
  if ('parts' in value) return renderText(value, values) ?? null;
  return renderWords(value, values);
}

/** Whether a switch is on among rendered arguments. */
export function isOn(args: Readonly<Record<string, Rendered>>, name: string): boolean {
  const value = args[name];
  return value !== undefined && value !== null && value !== false && value !== 'false';
}

/**
 * Makes the words of a command line. Each is `--name=value`, so that a value that begins with a dash stays a value.
 * Null gives no word, and neither does false if switches are bare.
 */
export function argumentWords(args: Readonly<Record<string, Rendered>>, booleans: 'bare' | 'value'): readonly string[] {
  return Object.entries(args).flatMap(([name, value]) => {
    if (value === null) return [];
    if (typeof value === 'boolean') return booleans === 'value' ? [`--${name}=${value}`] : value ? [`--${name}`] : [];
    if (typeof value === 'object') return value.map((one) => `--${name}=${one}`);
    return [`--${name}=${value}`];
  });
}

/** Rendered words; one that holds an absent reference is left out. */
export function renderWords(words: readonly Text[], values: Values): readonly string[] {
  return words.flatMap((word) => {
    const text = renderText(word, values);
    return text === undefined ? [] : [String(text)];
  });
}
