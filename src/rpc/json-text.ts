/** A method's result that was written elsewhere already, and stands in the answer as it is; without text, it was longer than any may be. */
export class JsonText {
  readonly text: string | undefined;

  constructor(text: string | undefined) {
    this.text = text;
  }
}
