import { type JsonFields, objectOf } from './json-fields.ts';

/**
 * A list of views that are made when they are encoded, part by part. The event loop runs between the parts.
 * A full block has megabytes of them.
 */
export class LazyList {
  readonly length: number;
  /** Passes the fields of the view at an index. */
  readonly viewAt: (index: number, fields: JsonFields) => void;

  constructor(length: number, viewAt: (index: number, fields: JsonFields) => void) {
    this.length = length;
    this.viewAt = viewAt;
  }

  /** Returns the objects of all views, for `JSON.stringify`. */
  toJSON(): unknown[] {
    return Array.from({ length: this.length }, (_, at) => objectOf((fields) => this.viewAt(at, fields)));
  }
}
