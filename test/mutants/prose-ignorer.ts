/**
 * Keeps the mutants' tool from changing prose: a string or template with a space between words.
 * The wording of a message is no behaviour. A string without a space is a constant, a key or a name, and is changed.
 */
interface Path {
  readonly node: {
    readonly type: string;
    readonly value?: unknown;
    readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
  };
}

const REASON = 'the wording of a message is no behaviour';

/** Whether a text reads as words rather than as a constant. */
const isProse = (text: string): boolean => /[\p{L}\d,.:;)"'}$] +[\p{L}\d("'$]|[:,] $|^ \p{L}/u.test(text);

function textOf({ node }: Path): string | undefined {
  if (node.type === 'StringLiteral') return String(node.value);
  if (node.type === 'TemplateLiteral') return node.quasis?.map(({ value }) => value.raw).join('$');
  return undefined;
}

/** Read by Stryker, by this name. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'prose',
    value: {
      shouldIgnore: (path: Path): string | undefined => (isProse(textOf(path) ?? '') ? REASON : undefined),
    },
  },
];
