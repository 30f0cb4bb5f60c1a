/** A result that is JSON text already and is sent as it is. Without text: it was longer than the longest string. */
export class JsonText {
  readonly text: string | undefined;

  constructor(text: string | undefined) {
    this.text = text;
  }
}
