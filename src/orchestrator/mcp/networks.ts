import { Failure } from '../../system/failure.ts';

/** The devnets that this server started. They end with it. */
export class Networks {
  readonly #names: string[] = [];

  get names(): readonly string[] {
    return this.#names;
  }

  add(name: string): void {
    this.remove(name);
    this.#names.push(name);
  }

  remove(name: string): void {
    const at = this.#names.indexOf(name);
    if (at >= 0) this.#names.splice(at, 1);
  }

  /** Returns the option for a devnet to look at: by its name, else the last that this server started. */
  option(name: string | undefined): readonly string[] {
    const devnet = name ?? this.#names.at(-1);
    return devnet === undefined ? [] : [`--name=${devnet}`];
  }

  /** Returns the same for a devnet to change. @throws Failure without a name, if this server started none */
  ownOption(name: string | undefined): readonly string[] {
    const option = this.option(name);
    if (option.length > 0) return option;
    throw new Failure('which', 'this server started no devnet: call `up`, or name the devnet to change by `devnet`');
  }
}
