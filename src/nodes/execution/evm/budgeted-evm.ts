import { EVM, type EVMOpts } from '@ethereumjs/evm';
import type { ExecutionBudget } from './execution-budget.ts';
import { OPCODE_TABLE_CACHE } from './opcode-table-cache.ts';

/** The EVM of the library. With a budget, its code checks the clock. */
export class BudgetedEvm extends EVM {
  readonly budget: ExecutionBudget | undefined;

  constructor(options: EVMOpts, budget: ExecutionBudget | undefined) {
    // The parameters are part of the fork description already.
    super({ ...options, params: {}, ...(budget === undefined ? {} : { customOpcodes: BUDGETED_OPCODES }) });
    this.budget = budget;
    if (budget !== undefined) budgetMessages(this, budget);
  }

  override getActiveOpcodes(): EVM['_opcodes'] {
    const key = `${this.common.hardfork()}/${this._customOpcodes !== undefined}`;
    let tables = OPCODE_TABLE_CACHE.opcodes.get(key);
    if (tables === undefined) {
      super.getActiveOpcodes();
      tables = {
        opcodes: this._opcodes,
        handlers: this._handlers,
        dynamicGas: this._dynamicGasHandlers,
        map: withPlainRevert(this._opcodeMap),
      };
      OPCODE_TABLE_CACHE.opcodes.set(key, tables);
    }
    this._opcodes = tables.opcodes;
    this._handlers = tables.handlers;
    this._dynamicGasHandlers = tables.dynamicGas;
    this._opcodeMap = tables.map;
    return tables.opcodes;
  }
}

const REVERT = 0xfd;
/** Code of REVERT in our tables: one past the last byte. */
const PLAIN_REVERT = 0x100;

/**
 * Returns a table in which REVERT has a code of its own.
 * For the code of REVERT the library's step events read its data before its gas is charged: gigabytes of it, or none
 * if the stack lacks a word. Code that jumps looks instructions up by their code, so the table has an entry there.
 */
function withPlainRevert(map: EVM['_opcodeMap']): EVM['_opcodeMap'] {
  const entry = map[REVERT];
  if (entry === undefined) return map;
  const opcodeInfo = Object.create(entry.opcodeInfo, { code: { value: PLAIN_REVERT } });
  const plain = { ...entry, opcodeInfo };
  return [...map.with(REVERT, plain), plain];
}

/** JUMPDEST that also counts against the budget. */
const BUDGETED_OPCODES: NonNullable<EVMOpts['customOpcodes']> = [
  {
    opcode: 0x5b,
    opcodeName: 'JUMPDEST',
    baseFee: 1,
    logicFunction: ({ interpreter }) => (interpreter._evm as BudgetedEvm).budget?.step(),
  },
];

function budgetMessages(evm: EVM, budget: ExecutionBudget): void {
  evm.events.on('beforeMessage', (_, next) => {
    // `next` takes no error. A deadline that passed during the pause is found by the next check.
    const pause = budget.check();
    if (pause === undefined) next?.();
    else void pause.then(next, next);
  });
}
