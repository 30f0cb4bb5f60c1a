import { isAbsolute, join } from 'node:path';
import { lowerHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import type { PoolBehaviour } from '../pool/behaviour.ts';
import { POOL_OPTIONS, type PoolOptionValues } from '../pool/options.ts';
import type { PoolOptions } from '../pool/service.ts';
import type { PoolSettings } from '../pool/settings.ts';

/** Returns the pool options of a command line. @throws Failure `usage` on an option of the other client */
export function poolOptionsOf(
  values: PoolOptionValues,
  { defaults, limitsFrom, foreignOptions }: PoolBehaviour,
  datadir: string,
): PoolOptions {
  rejectForeign(values, foreignOptions);
  const minTip = values.poolPriceLimit ?? values.poolMinTip;
  const settings: PoolSettings = {
    ...defaults,
    limits: limitsFrom(values),
    minTip: minTip === undefined ? defaults.minTip : BigInt(minTip),
    minFeeCap: values.poolMinFeeCap === undefined ? defaults.minFeeCap : BigInt(values.poolMinFeeCap),
    priceBump: values.poolPriceBump,
    lifetime: values.poolLifetime,
    maxBytes: values.poolMaxBytes ?? defaults.maxBytes,
    maxGas: values.poolMaxGas === undefined ? defaults.maxGas : BigInt(values.poolMaxGas),
    feeCap: values.rpcFeeCap,
    allowUnprotected: defaults.allowUnprotected || values.rpcAllowUnprotected,
    noLocals: values.poolNoLocals,
    locals: new Set(values.poolLocals?.map(address)),
  };
  const path = values.poolJournal ?? values.poolBackup ?? 'transactions.rlp';
  if (path === '' || values.poolNoLocals || values.poolNoBackup) return { settings };
  return {
    settings,
    journal: {
      path: isAbsolute(path) ? path : join(datadir, path),
      rewriteAfter: Math.max(values.poolRejournal, 1000),
    },
  };
}

function rejectForeign(values: PoolOptionValues, { client, keys }: PoolBehaviour['foreignOptions']): void {
  const options = keys.filter((key) => values[key] !== undefined).map((key) => `--${POOL_OPTIONS[key].name}`);
  if (options.length === 0) return;
  throw new Failure('usage', `${options.join(', ')}: only the ${client} client has this option`, {
    data: { options: options },
    exit: EXIT.usage,
    hint: `leave it out, or give --flavour=${client}`,
  });
}

function address(text: string): Hex {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text))
    throw new Failure('usage', `--txpool.locals: expected addresses, found ${text}`, { exit: EXIT.usage });
  return lowerHex(text);
}
