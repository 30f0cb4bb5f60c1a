import { at, isMap, type Json, type JsonMap } from '../schema/json.ts';

/** What belongs to a client and does not outlive its replacement by another. */
const OF_CLIENT = ['args', 'env', 'runtime', 'binary', 'image', 'limits', 'ports', 'external'];

/** Lays one value over another: maps are merged key by key, everything else is replaced. */
export function overlay(base: Json | undefined, over: Json): Json {
  if (!isMap(base) || !isMap(over)) return over;
  const merged: { [key: string]: Json | undefined } = { ...base };
  if (isOtherClient(base, over)) for (const key of OF_CLIENT) delete merged[key];
  for (const [key, value] of Object.entries(over)) {
    if (value !== undefined) merged[key] = overlay(merged[key], value);
  }
  return merged;
}

function isOtherClient(base: JsonMap, over: JsonMap): boolean {
  const [before, after] = [at(base, ['client']), at(over, ['client'])];
  return isScalar(before) && isScalar(after) && before !== after;
}

function isScalar(value: Json | undefined): boolean {
  return value !== undefined && (value === null || typeof value !== 'object');
}
