import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encodeAbiParameters, encodeErrorResult, encodeEventTopics, encodeFunctionData, parseAbi } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AbiReader } from '../../../../src/orchestrator/inspect/abi/abi-reader.ts';
import { inspectorOf } from '../../../../src/orchestrator/inspect/inspector.ts';
import { layersOf } from '../../../../src/orchestrator/inspect/layer.ts';
import { readTransaction } from '../../../../src/orchestrator/inspect/transaction.ts';
import { answeringNode } from '../../dashboard/rpc-answers.ts';
import { planOf } from '../../plan/planned.ts';

let folder: string;
let told: string[];
let reader: AbiReader;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-abi-'));
  told = [];
  reader = new AbiReader((message) => told.push(message));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const item = (name: string, ...inputs: readonly object[]) => ({ type: 'function', name, inputs });
const PLACE = {
  type: 'tuple',
  name: 'place',
  components: [
    { type: 'uint256', name: 'x' },
    { type: 'int8[2]', name: 'y' },
  ],
};
const MOVED = { type: 'event', name: 'Moved', inputs: [{ type: 'address', name: 'by', indexed: true }, PLACE] };
const RUNTIME = `0x60${'11'.repeat(40)}${'00'.repeat(32)}${'22'.repeat(20)}`;
const foundry = JSON.stringify({
  abi: [item('move', PLACE), MOVED, { type: 'error', name: 'TooFar', inputs: [PLACE] }, { type: 'constructor' }],
  deployedBytecode: { object: RUNTIME },
});
const hardhat = JSON.stringify({ contractName: 'Till', abi: [item('pay', { type: 'bytes32', name: 'order' })] });
const moveAbi = parseAbi(['function move((uint256 x, int8[2] y) place)']);
const moveCall = encodeFunctionData({ abi: moveAbi, functionName: 'move', args: [{ x: 7n, y: [1, -1] }] });
const movedAbi = parseAbi(['event Moved(address indexed by, (uint256 x, int8[2] y) place)']);
const tooFarAbi = parseAbi(['error TooFar((uint256 x, int8[2] y) place)']);
const payAbi = parseAbi(['function pay(bytes32 order)']);
const payCall = encodeFunctionData({ abi: payAbi, functionName: 'pay', args: [`0x${'ab'.repeat(32)}`] });

describe('a folder of ABIs', () => {
  it('decodes calls, events and errors of the artifacts of Foundry and Hardhat', () => {
    put('out/Robot.sol/Robot.json', foundry);
    put('artifacts/contracts/shop/Till.sol/Till.json', hardhat);
    put('artifacts/contracts/shop/Till.sol/Till.dbg.json', '{"_format":"hh-sol-dbg-1"}');
    put('artifacts/build-info/0.json', '{"input":');
    const { names } = reader.read(folder);
    expect(names.call(moveCall)).toMatchObject({ name: 'move', args: { place: { x: '7' } } });
    expect(names.call(payCall)).toMatchObject({ name: 'pay', args: { order: `0x${'ab'.repeat(32)}` } });
    const by = `0x${'0a'.repeat(20)}` as const;
    const topics = encodeEventTopics({ abi: movedAbi, eventName: 'Moved', args: { by } }).map(String);
    const data = encodeAbiParameters(movedAbi[0].inputs.slice(1), [{ x: 3n, y: [0, 0] }] as never);
    expect(names.event({ topics, data })).toMatchObject({ name: 'Moved', args: { place: { x: '3' } } });
    // A plain transfer is known without the folder, and stays so.
    expect(names.call(`0xa9059cbb${'0'.repeat(128)}`)?.name).toBe('transfer');
    expect(told).toEqual([]);
  });

  it('tells each kind of rubbish once, and decodes with the rest', () => {
    put('Robot.json', foundry);
    put('page.json', '<!doctype html><script>alert(1)</script>');
    put('half.json', '{"abi": [');
    put('huge.json', '');
    truncateSync(join(folder, 'huge.json'), 5 * 1024 * 1024);
    symlinkSync(folder, join(folder, 'circle'));
    symlinkSync('/dev/zero', join(folder, 'endless.json'));
    const nested = '{"type":"tuple","components":['.repeat(3000);
    put('deep.json', `{"abi":[{"type":"function","name":"f","inputs":[${nested}${']}'.repeat(3000)}]}]}`);
    const invalid = [
      ...[null, 5, {}, item('f', { type: 'uint7' }), item('f', { type: 'address payable' }), item('f', {})],
      ...[item('<img>', { type: 'bool' }), item('\u001b[2J'), { type: 'function', name: 'f' }],
      ...[item('f', { type: 'tuple[9999]', components: [] }), item('f', { type: 'bool[99999999999]' })],
    ];
    put('nonsense.json', JSON.stringify({ abi: [...invalid, item('fine')] }));
    const { names } = reader.read(folder);
    expect(names.call(moveCall)?.name).toBe('move');
    put('nonsense.json', `${JSON.stringify({ abi: [...invalid, item('fine')] })}\n`);
    reader.read(folder);
    expect(told.sort()).toEqual([
      `abi: ${folder}: "deep.json", "nonsense.json": entries of no valid type or name`,
      `abi: ${folder}: "half.json", "page.json": no valid JSON`,
      `abi: ${folder}: "huge.json": larger than 4194304 bytes`,
    ]);
  });

  it('is read again when its files change, and said to be missing when it is', () => {
    expect(reader.read(join(folder, 'out')).names.call(moveCall)).toBeNull();
    put('out/Robot.json', foundry);
    expect(reader.read(join(folder, 'out')).names.call(moveCall)?.name).toBe('move');
    expect(told).toEqual([`abi: ${folder}/out: no such folder`]);
  });

  it('is not read again while its files stay the same', () => {
    put('Robot.json', foundry);
    const first = reader.read(folder);
    expect(reader.read(folder)).toBe(first);
    put('Till.json', hardhat);
    const second = reader.read(folder);
    expect(second.names.call(payCall)?.name).toBe('pay');
    expect(reader.read(folder)).toBe(second);
  });

  it('is not needed: the package has signatures of its own', () => {
    const { names, nameOf } = reader.read(undefined);
    expect(nameOf).toBeUndefined();
    expect(names.call(`0xa9059cbb${'0'.repeat(128)}`)?.name).toBe('transfer');
    expect(names.call(moveCall)).toBeNull();
    expect(told).toEqual([]);
  });

  it('adds errors and forms of events to those of the package', () => {
    const inputs = ['address', 'address', 'uint256'].map((type) => ({ type, name: `of_${type}`, indexed: false }));
    put('Coin.json', JSON.stringify([{ type: 'event', name: 'Transfer', inputs }, JSON.parse(foundry).abi[2], MOVED]));
    const { names } = reader.read(folder);
    const data = encodeErrorResult({ abi: tooFarAbi, errorName: 'TooFar', args: [{ x: 9n, y: [0, 0] }] });
    expect(names.error(data)).toMatchObject({ name: 'TooFar', args: { place: { x: '9' } } });
    expect(names.error('0x23369fa6')?.name).toBe('AlreadyExists');
    // The event of a token has two indexed addresses in the package, and none in this contract.
    const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
    const [by, amount] = [`0x${'00'.repeat(12)}${'0a'.repeat(20)}`, `0x${'5'.padStart(64, '0')}`];
    expect(names.event({ topics: [topic, by, by], data: amount })?.args).toMatchObject({ wad: '5' });
    const whole = `${by}${by.slice(2)}${amount.slice(2)}`;
    expect(names.event({ topics: [topic], data: whole })?.args).toMatchObject({ of_uint256: '5' });
    const movedTopics = encodeEventTopics({ abi: movedAbi, eventName: 'Moved', args: { by: `0x${'0a'.repeat(20)}` } });
    const moved = encodeAbiParameters(movedAbi[0].inputs.slice(1), [{ x: 3n, y: [0, 0] }] as never);
    expect(names.event({ topics: movedTopics.map(String), data: moved })?.name).toBe('Moved');
  });

  it('stops at too many files, folders inside each other and bytes', () => {
    for (let at = 0; at <= 2000; at += 1) put(`many/${at}.json`, '[]');
    put(`${'deep/'.repeat(20)}Robot.json`, foundry);
    reader.read(folder);
    expect(told).toEqual([
      `abi: ${folder}: too many or too deep folders: a part of it is not read`,
      `abi: ${folder}: "many/999.json": beyond the limit of 2,000 files and 64 MB`,
    ]);
  });
});

it('a contract has the name of the artifact that its code was deployed from, immutables filled in', async () => {
  put('Robot.sol/Robot.json', foundry);
  const [robot, other] = [`0x${'b0'.repeat(20)}`, `0x${'c0'.repeat(20)}`];
  const hash = `0x${'1'.repeat(64)}`;
  const node = await answeringNode((method, [address]) => {
    if (method === 'eth_getTransactionByHash')
      return { hash, type: '0x2', nonce: '0x0', gas: '0x1', from: other, to: robot, value: '0x0', input: moveCall };
    const code = RUNTIME.replace('00'.repeat(32), '07'.repeat(32));
    if (method === 'eth_getCode') return address === robot ? code : code.replace('6011', '6012');
    const log = { address: other, topics: [], data: '0x', logIndex: '0x0' };
    return { status: '0x1', gasUsed: '0x1', to: robot, logs: [log], transactionHash: hash };
  });
  try {
    const inspector = inspectorOf({ ...planOf('{}'), abi: folder }, reader);
    const [layer] = layersOf(inspector.plan, {});
    const view = await readTransaction(inspector, { ...layer!, url: node.url }, hash, false);
    expect(view?.to).toEqual({ address: robot, name: 'Robot' });
    expect(view?.logs[0]?.emitter).toEqual({ address: other, name: null });
    expect(view?.call?.name).toBe('move');
  } finally {
    node.close();
  }
});
