/** The part of the API of WebAssembly that the EVM uses. The types of Node lack it, those of browsers are for pages. */
declare namespace WebAssembly {
  class Module {
    constructor(code: Uint8Array<ArrayBuffer>);
  }
  class Memory {
    readonly buffer: ArrayBuffer;
    /** Adds pages of 64 KiB, which detaches the buffer. Returns the pages before. */
    grow(pages: number): number;
  }
  class Global {
    readonly value: unknown;
  }
  /** `Exports`: what the code of the module exports, as its user knows it. */
  class Instance<Exports extends object = object> {
    constructor(module: Module, imports?: Readonly<Record<string, Readonly<Record<string, unknown>>>>);
    readonly exports: Exports & Readonly<Record<string, unknown>>;
  }
}
