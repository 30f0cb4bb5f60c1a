/** Control characters but line feed and tab, and characters that reorder a line. */
const STEERING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Returns a text that cannot steer a terminal: each such character is shown as `\u001b`.
 * Every line on a terminal passes through here, because names, revert reasons and answers come from outside. A JSON
 * document keeps its values: in it, the same sequence stands for the same character.
 */
export function terminalText(text: string): string {
  return text.replace(STEERING, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
