import { isJsonObject } from '../../../rpc/json-object.ts';
import { type Signature, signatureOf } from './signature.ts';

/** What an artifact of Foundry or Hardhat, or a plain ABI, says of a contract. */
export interface Artifact {
  readonly signatures: readonly Signature[];
  /** Entries of its ABI that are no valid ones. */
  readonly refused: number;
  readonly name: string | undefined;
  /** Deployed bytecode without `0x`, lower case: zeros and placeholders stand where a deployment writes values. */
  readonly code: string | undefined;
}

/** Entries of one ABI that are read. */
const MAX_ENTRIES = 5000;
const NAME = /^[A-Za-z_$][\w$]{0,63}$/;

/** Reads a parsed JSON file. Undefined if it holds no ABI, as Hardhat's `*.dbg.json` do. */
export function artifactOf(document: unknown, fileName: string): Artifact | undefined {
  const abi = Array.isArray(document) ? document : isJsonObject(document) ? document['abi'] : undefined;
  if (!Array.isArray(abi)) return undefined;
  const read = abi.slice(0, MAX_ENTRIES).map(signatureOf);
  const { contractName, deployedBytecode } = isJsonObject(document) ? document : {};
  const name = typeof contractName === 'string' ? contractName : fileName.replace(/(\.abi)?\.json$/, '');
  const code = isJsonObject(deployedBytecode) ? deployedBytecode['object'] : deployedBytecode;
  return {
    signatures: read.filter((each) => each !== undefined && each !== null),
    refused: read.filter((each) => each === null).length + Math.max(0, abi.length - MAX_ENTRIES),
    name: NAME.test(name) ? name : undefined,
    code: typeof code === 'string' && code.length > 2 ? code.replace(/^0x/, '').toLowerCase() : undefined,
  };
}

/** Whether a contract's code is a deployment of an artifact. */
export function isDeploymentOf(artifact: string, code: string): boolean {
  if (artifact.length !== code.length) return false;
  if (artifact === code) return true;
  for (let at = 0; at < code.length; at += 2) {
    const byte = artifact.slice(at, at + 2);
    // Immutables and the address of a library stand as zeros, a library that is not linked as `__$…$__`.
    if (byte !== '00' && byte !== code.slice(at, at + 2) && /^[\da-f]{2}$/.test(byte)) return false;
  }
  return true;
}
