import type { Text } from './template.ts';

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
  if (literal !== '' || parts.length === 0) parts.push(literal);
  return { parts };
}

/** The references in a text, in order. */
export function referencesIn(text: Text): readonly string[] {
  return text.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.reference]));
}

/** Values of references; an absent one is undefined. */
export type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Replaces the references of a text. A text that is one reference alone keeps the value's type.
 * One with an absent value is undefined.
 * @throws Error on a reference without an entry: templates are checked when they are loaded
 */
export function renderText(text: Text, values: Values): string | number | boolean | undefined {
  const parts = text.parts.map((part) => {
    if (typeof part === 'string') return part;
    if (!Object.hasOwn(values, part.reference))
      throw new Error(`the reference \${${part.reference}} has no value in this plan`);
    return values[part.reference];
  });
  if (parts.some((part) => part === undefined)) return undefined;
  return parts.length === 1 ? parts[0] : parts.join('');
}
