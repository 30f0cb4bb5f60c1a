/** A binary heap with the first item of its order on top. */
export class Heap<Item extends NonNullable<unknown>> {
  readonly #items: Item[] = [];
  readonly #before: (one: Item, other: Item) => boolean;

  constructor(before: (one: Item, other: Item) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Returns the first item without removing it. */
  get top(): Item | undefined {
    return this.#items[0];
  }

  push(item: Item): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    for (;;) {
      const above = (at - 1) >> 1;
      const parent = items[above];
      if (parent === undefined || !this.#before(item, parent)) break;
      items[at] = parent;
      at = above;
    }
    items[at] = item;
  }

  pop(): Item | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return top;
    let at = 0;
    for (;;) {
      let below = at * 2 + 1;
      let child = items[below];
      const right = items[below + 1];
      if (child !== undefined && right !== undefined && this.#before(right, child)) {
        child = right;
        below++;
      }
      if (child === undefined || !this.#before(child, last)) break;
      items[at] = child;
      at = below;
    }
    items[at] = last;
    return top;
  }
}
