/**
 * A result that is JSON text already, in parts, and is sent as it is. Without parts: it was longer than the longest
 * string. A long answer is joined once, with its envelope.
 */
export class JsonText {
  readonly parts: readonly string[] | undefined;

  constructor(parts: readonly string[] | undefined) {
    this.parts = parts;
  }
}
