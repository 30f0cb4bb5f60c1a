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
        map: this._opcodeMap,
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
