import { at, edit, type Json, type Path } from '../schema/json.ts';

/** Where the items of lists stood before others before them were removed. */
export class ListPlaces {
  /** Removed items by the place of their list, in the order of the list. */
  readonly #removals = new Map<string, number[]>();

  /** Returns the place in the document of a path in what is left of it. */
  of(path: Path): Path {
    const place: (string | number)[] = [];
    for (const part of path) {
      let index = part;
      const earlier = typeof index === 'number' ? this.#removals.get(JSON.stringify(place)) : undefined;
      for (const each of earlier ?? []) if (typeof index === 'number' && each <= index) index++;
      place.push(index);
    }
    return place;
  }

  /** Notes that an item goes. */
  remove(path: Path): void {
    const place = this.of(path);
    const index = place.at(-1);
    if (typeof index !== 'number') return;
    const list = JSON.stringify(place.slice(0, -1));
    this.#removals.set(
      list,
      [...(this.#removals.get(list) ?? []), index].sort((a, b) => a - b),
    );
  }
}

/** Removes values. If one is missing, the map that lacks it goes, but never the whole document. */
export function withoutAll(document: Json, faults: readonly Path[], places: ListPlaces): Json {
  const targets = faults.flatMap((path) => {
    if (at(document, path) !== undefined) return [path];
    return path.length > 1 ? [path.slice(0, -1)] : [];
  });
  const outer = targets.filter((path, index) =>
    targets.every((other, no) => !startsWith(path, other) || (other.length === path.length && no >= index)),
  );
  let left = document;
  for (const path of outer.toSorted(lastFirst)) left = without(left, path, places);
  return left;
}

/** Compares paths, of which none lies below another one, so that the last item of a list comes first. */
function lastFirst(a: Path, b: Path): number {
  const index = a.findIndex((part, each) => part !== b[each]);
  const [left, right] = [a[index], b[index]];
  if (typeof left === 'number' && typeof right === 'number') return right - left;
  return String(left) < String(right) ? -1 : 1;
}

/** Removes a value, of the whole document what is in it. */
function without(document: Json, path: Path, places: ListPlaces): Json {
  if (path.length === 0) return {};
  const left = edit(document, path, () => undefined);
  places.remove(path);
  return left;
}

/** Tells whether one path lies at or below another. */
export function startsWith(path: Path, prefix: Path): boolean {
  return prefix.every((part, index) => String(part) === String(path[index]));
}
