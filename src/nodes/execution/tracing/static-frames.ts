import type { Frame } from './tracer.ts';

/** An SSTORE needs more gas than this before it looks at anything (EIP-2200). */
export const SSTORE_SENTRY = 2300n;

/** Follows whether the frame that runs may write nothing (EIP-214). */
export class StaticFrames {
  readonly #open: boolean[] = [];

  enter({ type }: Frame): void {
    this.#open.push(type === 'STATICCALL' || this.isStatic);
  }

  leave(): void {
    this.#open.pop();
  }

  get isStatic(): boolean {
    return this.#open.at(-1) === true;
  }
}
