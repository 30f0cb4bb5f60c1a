import { type Action, type Authorization, type End, frame, type Program, program, type Who } from './program.ts';

const CALLS = ['call', 'callcode', 'delegatecall', 'staticcall'] as const;
const READS = ['balance', 'codesize', 'codehash', 'code'] as const;
const reads = (of: Who): Action[] => READS.map((what) => ({ do: 'read', what, of }));
const store = (slot: number, value: bigint): Action => ({ do: 'store', slot, value });

/**
 * B writes, reads its own account, and logs. Its second frame destroys, its third creates, its fourth reverts.
 * Its fifth reads itself and an account that may delegate to it, and calls that account.
 */
const B = [
  frame([{ do: 'load', slot: 0 }, store(0, 9n), { do: 'code', code: '303233344738', gives: 6 }], 'return'),
  frame([store(0, 1n)], { destroyTo: 'E' }),
  frame([{ do: 'create', by: 'create', init: '0x600160005560016000f3' }], 'return'),
  frame([store(1, 1n)], 'revert'),
  frame([...CALLS.map((by): Action => ({ do: 'call', by, to: 'D' })), ...reads('B'), ...reads('D')], 'return'),
];
const contracts = { A: [], B, C: [frame([{ do: 'load', slot: 1 }], 'return')] };

/** Lists of authorizations: right, wrong, repeated, and chains of them. */
const LISTS: Readonly<Record<string, readonly Authorization[]>> = {
  'a contract': [{ by: 'D', to: 'B' }],
  'a contract, by an account that does not exist': [{ by: 'F', to: 'B' }],
  nothing: [{ by: 'D', to: 'zero' }],
  'a precompile': [{ by: 'D', to: 4 }],
  'an account that does not exist': [{ by: 'D', to: 'X' }],
  itself: [{ by: 'D', to: 'D' }],
  'an account that delegates': [
    { by: 'F', to: 'B' },
    { by: 'D', to: 'F' },
  ],
  'each other': [
    { by: 'F', to: 'D' },
    { by: 'D', to: 'F' },
  ],
  'a contract, by the sender': [{ by: 'S', to: 'B' }],
  'a contract with the nonce that the sender had': [{ by: 'S', to: 'B', ahead: -1 }],
  'a contract on any chain': [{ by: 'D', to: 'B', chainId: 0 }],
  'a contract on another chain': [{ by: 'D', to: 'B', chainId: 7 }],
  'a contract with a later nonce': [{ by: 'D', to: 'B', ahead: 1 }],
  'a contract with a broken signature': [{ by: 'D', to: 'B', isBroken: true }],
  'two contracts, one after the other': [
    { by: 'D', to: 'C' },
    { by: 'D', to: 'B', ahead: 1 },
  ],
  'a contract, and nothing again': [
    { by: 'D', to: 'B' },
    { by: 'D', to: 'zero', ahead: 1 },
  ],
  'two contracts with one nonce': [
    { by: 'D', to: 'B' },
    { by: 'D', to: 'C' },
  ],
};

/** Calls of every kind, reads, and value for an account that may delegate. */
function uses(of: Who, ends: readonly End[]): readonly (readonly [string, Program['contracts']['A'][0]])[] {
  return [
    ...CALLS.map((by) => [by, frame([{ do: 'call', by, to: of, gas: 300_000 }, ...reads(of)])] as const),
    ['value', frame([...reads(of), { do: 'pay', to: of, value: 2n }])],
    ['a destruction', frame([{ do: 'call', by: 'call', to: of, frame: 1, value: 1n }, ...reads(of)])],
    [
      'a creation',
      frame([
        { do: 'call', by: 'call', to: of, frame: 2 },
        { do: 'call', by: 'call', to: of, frame: 2 },
      ]),
    ],
    [
      'a revert',
      frame([
        { do: 'call', by: 'call', to: of, frame: 3 },
        { do: 'call', by: 'call', to: of },
      ]),
    ],
    ...ends.map((end) => [`a transaction that ends with ${String(end)}`, frame(reads(of), end)] as const),
  ];
}

/** Makes programs in which accounts delegate, or have delegated, in each position (EIP-7702). */
export function* delegations(): Generator<Program> {
  for (const [name, authorizations] of Object.entries(LISTS)) {
    const by: Who = authorizations.at(-1)!.by;
    for (const [use, top] of uses(by, ['revert', 'out of gas']))
      yield program(`a delegation to ${name}: ${use}`, top, { contracts, authorizations });
    // The authority itself is called, pays, and calls itself.
    for (const position of B.keys())
      yield program(`a delegation to ${name}: the recipient, frame ${position}`, frame([]), {
        ...{ contracts, authorizations, to: by, frame: position, value: 1n },
      });
    yield program(`a delegation to ${name}: listed`, frame(reads(by)), {
      ...{
        contracts,
        authorizations,
        accessList: [
          { of: by, slots: [0] },
          { of: 'B', slots: [0] },
        ],
      },
    });
  }
  for (const to of ['B', 'D', 'F', 'E', 'X', 4, 'zero'] as const) {
    const delegated = { D: to, F: 'B' } as const;
    for (const [use, top] of uses('D', []))
      yield program(`an old delegation to ${to}: ${use}`, top, { contracts, delegated });
    for (const position of B.keys())
      yield program(`an old delegation to ${to}: the recipient, frame ${position}`, frame([]), {
        ...{ contracts, delegated, to: 'D', frame: position },
      });
    for (const next of ['B', 'zero'] as const)
      yield program(
        `an old delegation to ${to}, then to ${next}`,
        frame([{ do: 'call', by: 'call', to: 'D' }, ...reads('D')]),
        {
          ...{ contracts, delegated, authorizations: [{ by: 'D', to: next }] },
        },
      );
  }
}
