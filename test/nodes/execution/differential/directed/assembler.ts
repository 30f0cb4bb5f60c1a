import { concat } from '../../../../../src/protocol/bytes.ts';
import { hexToBytes } from '../../../../../src/protocol/hex.ts';
import type { Action, CallKind, End, Frame, Who } from './program.ts';

/** Bytes between the scratch space for inputs and that for copies. */
const INPUT_SIZE = 0x80;
/** Words of results by kind of action. */
const RESULTS = { store: 0, tstore: 0, load: 1, tload: 1, log: 0, read: 1, pay: 1, call: 2, create: 4 } as const;
const CALLS: Readonly<Record<CallKind, number>> = { call: 0xf1, callcode: 0xf2, delegatecall: 0xf4, staticcall: 0xfa };
const READS = { balance: 0x31, codesize: 0x3b, codehash: 0x3f } as const;

/** Addresses and init code of a program at its place in a block. */
export interface Surroundings {
  address(who: Who): Uint8Array;
  init(index: number): Uint8Array;
}

/** Assembles frames to code. */
export class Assembler {
  readonly #around: Surroundings;
  readonly #bytes: number[] = [];
  /** Data behind the code, with the positions of the two bytes that hold its offset. */
  readonly #data: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  #results = 0;
  /** Offsets in memory behind the results of the frame: inputs of calls, and what was copied. */
  #scratch = 0;
  #copied = 0;

  private constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Returns the code of a contract: the first word of its input selects the frame. */
  static contract(frames: readonly Frame[], around: Surroundings): Uint8Array {
    if (frames.length === 0) return new Uint8Array(0);
    const code = new Assembler(around);
    const jumps = frames.map((_, index) => code.#select(index));
    code.#op(0xfe);
    for (const [index, frame] of frames.entries()) {
      code.#patch(jumps[index]!, code.#bytes.length);
      code.#op(0x5b);
      code.#frame(frame, index === 0);
    }
    return code.#whole();
  }

  /** Returns init code, which runs one frame. */
  static init(frame: Frame, around: Surroundings): Uint8Array {
    const code = new Assembler(around);
    code.#frame(frame, false);
    return code.#whole();
  }

  #whole(): Uint8Array {
    let end = this.#bytes.length;
    for (const { at, bytes } of this.#data) {
      this.#patch(at, end);
      end += bytes.length;
    }
    return concat(Uint8Array.from(this.#bytes), ...this.#data.map(({ bytes }) => bytes));
  }

  /** Jumps to a frame when the input selects it. Returns the position of the target. */
  #select(index: number): number {
    this.#push(0);
    this.#op(0x35);
    this.#push(index);
    this.#op(0x14, 0x61, 0, 0, 0x57);
    return this.#bytes.length - 3;
  }

  #patch(at: number, value: number): void {
    this.#bytes[at] = value >> 8;
    this.#bytes[at + 1] = value & 0xff;
  }

  #op(...codes: number[]): void {
    this.#bytes.push(...codes);
  }

  #push(value: bigint | number | Uint8Array): void {
    const text = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value.toString(16);
    const bytes = Buffer.from(text.length % 2 ? `0${text}` : text, 'hex');
    this.#op(0x5f + bytes.length, ...bytes);
  }

  #pushAddress(who: Who): void {
    this.#push(this.#around.address(who));
  }

  /** Writes the top of the stack to the results. */
  #observe(): void {
    this.#push(32 * this.#results++);
    this.#op(0x52);
  }

  #frame({ actions, end }: Frame, logs: boolean): void {
    this.#results = 0;
    this.#scratch = 32 * actions.reduce((sum, one) => sum + (one.do === 'code' ? one.gives : RESULTS[one.do]), 0);
    this.#copied = this.#scratch + INPUT_SIZE;
    for (const action of actions) this.#action(action);
    if (logs) {
      this.#pushResults();
      this.#op(0xa0);
    }
    this.#end(end);
  }

  /** Pushes the size and offset of the results. */
  #pushResults(): void {
    this.#push(32 * this.#results);
    this.#push(0);
  }

  #action(action: Action): void {
    switch (action.do) {
      case 'store':
      case 'tstore':
        this.#push(action.value);
        this.#push(action.slot);
        this.#op(action.do === 'store' ? 0x55 : 0x5d);
        return;
      case 'load':
      case 'tload':
        this.#push(action.slot);
        this.#op(action.do === 'load' ? 0x54 : 0x5c);
        this.#observe();
        return;
      case 'log':
        for (let topic = action.topics; topic > 0; topic--) this.#push(topic);
        this.#push(32);
        this.#push(0);
        this.#op(0xa0 + action.topics);
        return;
      case 'read':
        this.#read(action);
        return;
      case 'code':
        this.#op(...Buffer.from(action.code, 'hex'));
        for (let word = 0; word < action.gives; word++) this.#observe();
        return;
      case 'pay':
        this.#call({ do: 'call', by: 'call', to: action.to, input: '0x', value: action.value, gas: 0 });
        return;
      case 'call':
        this.#call(action);
        this.#returned();
        return;
      case 'create':
        this.#create(action);
        this.#returned();
    }
  }

  #read({ what, of }: Action & { do: 'read' }): void {
    if (what === 'code') {
      this.#push(32);
      this.#push(0);
      this.#push(this.#copied);
      this.#pushAddress(of);
      this.#op(0x3c);
      this.#push(this.#copied);
      this.#op(0x51);
    } else {
      this.#pushAddress(of);
      this.#op(READS[what]);
    }
    this.#observe();
  }

  #call({ by, to, frame = 0, input, value = 0n, gas }: Action & { do: 'call' }): void {
    if (input === undefined) {
      this.#push(frame);
      this.#push(this.#scratch);
      this.#op(0x52);
    } else this.#copyData(hexToBytes(input));
    this.#push(0);
    this.#push(0);
    this.#push(input === undefined ? 32 : (input.length - 2) / 2);
    this.#push(this.#scratch);
    if (by === 'call' || by === 'callcode') this.#push(value);
    this.#pushAddress(to);
    if (gas === undefined) this.#op(0x5a);
    else this.#push(gas);
    this.#op(CALLS[by]);
    this.#observe();
  }

  #copyData(bytes: Uint8Array): void {
    this.#push(bytes.length);
    this.#data.push({ at: this.#bytes.length + 1, bytes });
    this.#op(0x61, 0, 0);
    this.#push(this.#scratch);
    this.#op(0x39);
  }

  #create({ by, init, value = 0n, salt = 0 }: Action & { do: 'create' }): void {
    const bytes = typeof init === 'number' ? this.#around.init(init) : hexToBytes(init);
    this.#copyData(bytes);
    if (by === 'create2') this.#push(salt);
    this.#push(bytes.length);
    this.#push(this.#scratch);
    this.#push(value);
    this.#op(by === 'create' ? 0xf0 : 0xf5);
    this.#op(0x80);
    this.#observe();
    this.#op(0x80, 0x3f);
    this.#observe();
    this.#op(0x31);
    this.#observe();
  }

  /** Observes the hash of the return data. */
  #returned(): void {
    this.#op(0x3d);
    this.#push(0);
    this.#push(this.#copied);
    this.#op(0x3e, 0x3d);
    this.#push(this.#copied);
    this.#op(0x20);
    this.#observe();
  }

  #end(end: End): void {
    if (end === 'stop') this.#op(0x00);
    else if (end === 'return' || end === 'revert') {
      this.#pushResults();
      this.#op(end === 'return' ? 0xf3 : 0xfd);
    } else if (end === 'invalid') this.#op(0xfe);
    else if (end === 'underflow') this.#op(0x50);
    else if (end === 'bad jump') {
      this.#push(1);
      this.#op(0x56);
    } else if (end === 'out of gas') {
      this.#push(0);
      this.#push(0xff_ffff_ffff);
      this.#op(0x52);
    } else if ('deploy' in end) {
      const bytes = hexToBytes(end.deploy);
      this.#copyData(bytes);
      this.#push(bytes.length);
      this.#push(this.#scratch);
      this.#op(0xf3);
    } else {
      this.#pushAddress(end.destroyTo);
      this.#op(0xff);
    }
  }
}
