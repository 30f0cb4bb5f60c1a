import { resolve } from 'node:path';
import { type Hex, isHex } from 'viem';
import * as z from 'zod/mini';
import { jsonField } from '../../../rpc/json-object.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import { readJson } from '../../../system/files/atomic-write.ts';
import { key, text, withDescription } from '../../spec/schema/words.ts';
import { DOCUMENT_LIMITS } from '../../spec/text/bounds.ts';
import { send } from '../../traffic/transaction.ts';
import { knowsTarget, on, walletOn } from '../on.ts';
import { mustEndAs, RECEIPT_VALUES } from '../receipts.ts';
import { receiptsOf } from '../run.ts';
import { defineStep } from '../step.ts';
import { as, data, duration, sender, wei } from '../words.ts';
import { RECEIPT_TIMEOUT_MS } from './send.ts';

/** Creates a contract. */
export const deploy = defineStep({
  name: 'deploy',
  summary: 'Creates a contract from its creation code, and waits until it is in a block.',
  schema: z
    .strictObject({
      on: z.exactOptional(on),
      from: z._default(sender, 0),
      bytecode: z.exactOptional(withDescription(data, 'the creation code, constructor arguments included')),
      file: key(text, 'a JSON file of forge, hardhat or solc with `bytecode`; relative to the scenario'),
      value: z.prefault(wei, 0),
      timeout: z.exactOptional(withDescription(duration, 'fail after this time; default: 60s')),
      as,
    })
    .check(z.refine((value) => (value.bytecode === undefined) !== (value.file === undefined), 'bytecode or file')),
  gives: RECEIPT_VALUES,
  check: (value, facts) => knowsTarget(facts, [], value.on, value.from),
  async run({ timeout = RECEIPT_TIMEOUT_MS, ...value }, run) {
    const code = value.bytecode ?? codeOf(resolve(run.folder, value.file ?? ''));
    const wallet = walletOn(run.plan(), value.on, value.from);
    const hash = await send(wallet, { value: BigInt(value.value), data: code });
    return mustEndAs('success', await receiptsOf(run)(wallet, hash, timeout));
  },
});

/** Reads the creation code of an artifact. @throws Failure `artifact` */
function codeOf(path: string): Hex {
  const artifact = readJson(path, { most: DOCUMENT_LIMITS.jsonBytes });
  const bytecode = jsonField(artifact, 'bytecode');
  const code = typeof bytecode === 'string' ? bytecode : jsonField(bytecode, 'object');
  const hex = typeof code === 'string' ? code.replace(/^(?!0x)/, '0x') : '';
  if (isHex(hex) && hex.length > 2 && hex.length % 2 === 0) return hex;
  throw new Failure('artifact', `${path} has no creation code at "bytecode"`, {
    exit: EXIT.failed,
    hint: 'code with libraries to link cannot be deployed: link it first',
  });
}
