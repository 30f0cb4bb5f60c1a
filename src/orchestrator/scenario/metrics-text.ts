/** A line of Prometheus' text format: name, labels, value. */
const LINE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;

const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Adds up the series of a metric that have all these labels; undefined if there is none. */
export function sumOf(text: string, name: string, labels: Readonly<Record<string, string>>): number | undefined {
  const values = text.split('\n').flatMap((line) => {
    const [, metric, labelText = '', value = ''] = LINE.exec(line) ?? [];
    if (metric !== name) return [];
    const pairs = new Map([...labelText.matchAll(LABEL)].map(([, key = '', quoted = '']) => [key, unquoted(quoted)]));
    return Object.entries(labels).every(([key, expected]) => pairs.get(key) === expected) ? [Number(value)] : [];
  });
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

function unquoted(text: string): string {
  return text.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}
