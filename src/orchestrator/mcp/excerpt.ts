/** Characters that are kept of the beginning and of the end of an output. */
const HEAD_CHARS = 8_000;
const TAIL_CHARS = 12_000;

/** Collects an output of any length in bounded memory: its beginning and its end. */
export class Excerpt {
  #head = '';
  #tail = '';
  #length = 0;

  add(text: string): void {
    this.#length += text.length;
    const room = HEAD_CHARS - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail = (this.#tail + text.slice(room)).slice(-TAIL_CHARS);
  }

  /** Returns the output, with a line in place of what was left out. */
  text(): string {
    const left = this.#length - this.#head.length - this.#tail.length;
    if (left === 0) return this.#head + this.#tail;
    return `${this.#head}\n[${left} characters are left out here: ask for less]\n${this.#tail}`;
  }
}
