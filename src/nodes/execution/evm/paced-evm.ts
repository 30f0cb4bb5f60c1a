import { EVM, type EVMOpts } from '@ethereumjs/evm';
import { MADE } from './made.ts';
import type { Pace } from './pace.ts';

/** The library's EVM; code in it looks at the clock where it has a pace. */
export class PacedEvm extends EVM {
  readonly pace: Pace | undefined;

  constructor(options: EVMOpts, pace: Pace | undefined) {
    // What they would add is in the description of the fork already.
    super({ ...options, params: {}, ...(pace === undefined ? {} : { customOpcodes: PACED }) });
    this.pace = pace;
    if (pace !== undefined) paceMessages(this, pace);
  }

  override getActiveOpcodes(): EVM['_opcodes'] {
    const key = `${this.common.hardfork()}/${this._customOpcodes !== undefined}`;
    let tables = MADE.opcodes.get(key);
    if (tables === undefined) {
      super.getActiveOpcodes();
      tables = {
        opcodes: this._opcodes,
        handlers: this._handlers,
        dynamicGas: this._dynamicGasHandlers,
        map: this._opcodeMap,
      };
      MADE.opcodes.set(key, tables);
    }
    this._opcodes = tables.opcodes;
    this._handlers = tables.handlers;
    this._dynamicGasHandlers = tables.dynamicGas;
    this._opcodeMap = tables.map;
    return tables.opcodes;
  }
}

/** JUMPDEST as it is, except that it lets others run. */
const PACED: NonNullable<EVMOpts['customOpcodes']> = [
  {
    opcode: 0x5b,
    opcodeName: 'JUMPDEST',
    baseFee: 1,
    logicFunction: ({ interpreter }) => (interpreter._evm as PacedEvm).pace!.step() as never,
  },
];

function paceMessages(evm: EVM, pace: Pace): void {
  evm.events.on('beforeMessage', (_, next) => {
    // `next` takes no error: where the deadline passed during the pause, the next look at the clock tells.
    const pause = pace.breathe();
    if (pause === undefined) next?.();
    else void pause.then(next, next);
  });
}
