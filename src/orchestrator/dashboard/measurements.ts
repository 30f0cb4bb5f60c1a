import { nextPoints } from './clock-points.ts';
import type { ClockPoint, Message, Picture, Sample } from './picture-type.ts';

/** Heads that are kept: half an hour. */
const MAX_HEADS = 1800;

/** Heads and moves of the clock of one devnet, for pages that are opened later. */
export class Measurements {
  readonly #samples: Sample[] = [];
  #nodes: readonly string[] = [];
  #clock: readonly ClockPoint[] = [];
  #devnet: string | undefined;

  /** Adds what a picture shows. One of another devnet, or of other nodes, begins anew. */
  keep(picture: Picture): void {
    const { at, chains, id } = picture;
    const all = chains.flatMap((chain) => chain.nodes.map((node) => ({ ...node, key: `${chain.name}/${node.name}` })));
    const names = all.map(({ key }) => key);
    if (names.join() !== this.#nodes.join() || id !== this.#devnet) this.#samples.length = 0;
    this.#clock = nextPoints(id === this.#devnet ? this.#clock : [], picture);
    this.#nodes = names;
    this.#devnet = id;
    this.#samples.push([at / 1000, ...all.map(({ unsafe }) => unsafe)]);
    if (this.#samples.length > MAX_HEADS) this.#samples.shift();
  }

  message(): Message {
    return { kind: 'history', nodes: this.#nodes, samples: this.#samples, clock: this.#clock };
  }
}
