import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  getAddress,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { abiNames, readAbiTables } from '../../../../src/orchestrator/inspect/abi/abi.ts';

const PAY = 'function pay((uint256 x, int8[2] y)[] places, address, uint256 amount)';
const payAbi = parseAbi([PAY]);
const payCall = encodeFunctionData({
  abi: payAbi,
  functionName: 'pay',
  args: [[{ x: 7n, y: [1, -1] }], `0x${'0a'.repeat(20)}`, 5n],
});
const NO_ARGUMENTS = toFunctionSelector('none()');
const SENT = toEventSelector('Sent(address,uint256)');
const ONLY = toEventSelector('Only(bool)');
const NONE = toEventSelector('Nothing()');
const word = (digits: string) => `0x${digits.padStart(64, '0')}`;
const names = abiNames({
  functions: { [payCall.slice(0, 10)]: PAY, [NO_ARGUMENTS]: 'function none()', '0x0a0b0c0d': 'function bad(' },
  errors: { '0xcf479181': 'error InsufficientBalance(uint256 available, uint256 required)' },
  events: {
    [SENT]: [
      'event Sent(address indexed from, uint256 indexed)',
      'event Sent(address indexed from, uint256 amount)',
      'event Sent(address from, uint256 amount)',
    ],
    [NONE]: ['event Nothing()'],
    [ONLY]: ['event Only(bool indexed)'],
  },
});

describe('a call', () => {
  it('has its name, its signature and its arguments by name or position', () => {
    expect(names.call(payCall)).toEqual({
      ...{ name: 'pay', signature: PAY.slice('function '.length) },
      args: { places: [{ x: '7', y: [1, -1] }], 1: getAddress(`0x${'0a'.repeat(20)}`), amount: '5' },
    });
    expect(names.call(payCall.toUpperCase().replace('X', 'x'))?.name).toBe('pay');
    expect(names.call(NO_ARGUMENTS)).toEqual({ name: 'none', signature: 'none()', args: {} });
  });

  it.each(['0x', '0x0102', '0x05060708', payCall.slice(0, -64), '0x0a0b0c0d', '0x08c379a0'])(
    'is unknown: %s',
    (input) => {
      expect(names.call(input)).toBeNull();
    },
  );
});

describe('an error', () => {
  it('is one of a contract, or one that Solidity raises itself', () => {
    const abi = parseAbi(['error InsufficientBalance(uint256 available, uint256 required)']);
    const data = encodeErrorResult({ abi, errorName: 'InsufficientBalance', args: [1n, 2n] });
    expect(names.error(data)).toEqual({
      ...{ name: 'InsufficientBalance', signature: 'InsufficientBalance(uint256 available, uint256 required)' },
      args: { available: '1', required: '2' },
    });
    const text = encodeAbiParameters([{ type: 'string' }], ['no']);
    expect(names.error(`0x08c379a0${text.slice(2)}`)).toEqual({
      ...{ name: 'Error', signature: 'Error(string message)', args: { message: 'no' } },
    });
    expect(names.error(`0x4e487b71${word('11').slice(2)}`)).toEqual({
      ...{ name: 'Panic', signature: 'Panic(uint256 code)', args: { code: '17' } },
    });
  });

  it.each(['0x', '0x05060708', '0x08c379a0', payCall])('is unknown: %s', (data) => {
    expect(names.error(data)).toBeNull();
  });
});

describe('an event', () => {
  const topics = (count: number) => [SENT, word('12'), word('34')].slice(0, count);

  it('is the one with as many indexed arguments', () => {
    expect(names.event({ topics: topics(2), data: word('5') })).toEqual({
      ...{ name: 'Sent', signature: 'Sent(address indexed from, uint256 amount)' },
      args: { from: `0x${'12'.padStart(40, '0')}`, amount: '5' },
    });
    expect(names.event({ topics: topics(1), data: `${word('12')}${word('5').slice(2)}` })?.args).toEqual({
      ...{ from: `0x${'12'.padStart(40, '0')}`, amount: '5' },
    });
    // A parameter without a name is one, too.
    expect(names.event({ topics: topics(3), data: '0x' })?.signature).toBe(
      'Sent(address indexed from, uint256 indexed)',
    );
    expect(names.event({ topics: [ONLY, word('1')], data: '0x' })?.args).toEqual({ 0: true });
    expect(names.event({ topics: [NONE.toUpperCase().replace('X', 'x')], data: '0x' })).toMatchObject({
      ...{ name: 'Nothing', args: {} },
    });
  });

  it.each<[string, readonly string[], string]>([
    ['without topics', [], '0x'],
    ['of another topic', [word('1')], '0x'],
    ['with more topics', [...topics(3), word('1')], '0x'],
    ['whose data are cut', topics(2), '0x05'],
  ])('is unknown %s', (_, list, data) => {
    expect(names.event({ topics: list, data })).toBeNull();
  });
});

it('the tables of the package name the calls of tokens and the events of the bridge', () => {
  const { functions, errors, events } = readAbiTables();
  expect(functions['0xa9059cbb']).toMatch(/^function transfer\(address/);
  expect(Object.values(errors)[0]).toMatch(/^error /);
  const deposited = toEventSelector('TransactionDeposited(address,address,uint256,bytes)');
  expect(events[deposited]?.[0]).toMatch(/^event TransactionDeposited\(/);
});
