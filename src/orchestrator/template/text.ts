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
  if (literal !== '') parts.push(literal);
  return { parts };
}

/** The references in a text, in order. */
export function referencesIn(text: Text): readonly string[] {
  return text.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.reference]));
}
