/** Cuts the pieces of an output into lines. */
export class LineSplitter {
  readonly #line: (text: string) => void;
  #rest = Buffer.alloc(0);

  constructor(line: (text: string) => void) {
    this.#line = line;
  }

  push(part: Buffer): void {
    const bytes = Buffer.concat([this.#rest, part]);
    const end = bytes.lastIndexOf(10) + 1;
    this.#rest = bytes.subarray(end);
    if (end === 0) return;
    for (const text of bytes.toString('utf8', 0, end - 1).split('\n')) this.#line(text);
  }
}
