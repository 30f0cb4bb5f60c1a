import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { http, https } from '../../../rpc/http.ts';
import { FIRST_LINES, type LogRequest } from '../engine/engine.ts';
import { LineSplitter } from '../engine/lines.ts';
import { podOf } from './pod.ts';

/**
 * Follows the log of a pod until its container ends. Own requests: those of the library end after five minutes without
 * a line, by an error that no caller can catch.
 */
export async function followPod(
  config: KubeConfig,
  namespace: string,
  { unit, since, signal, line }: LogRequest,
): Promise<void> {
  const server = config.getCurrentCluster()?.server ?? '';
  const part = since === undefined ? { tailLines: String(FIRST_LINES) } : { sinceTime: since };
  const query = new URLSearchParams({ container: 'unit', follow: 'true', timestamps: 'true', ...part });
  const url = `${server}/api/v1/namespaces/${namespace}/pods/${podOf(unit)}/log?${query}`;
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const splitter = new LineSplitter(line);
  await new Promise<void>((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https() : http();
    request(url, { ...options, signal }, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        reject(new Error(`the log of ${podOf(unit)}: HTTP ${response.statusCode}`));
        return;
      }
      response.on('data', (part: Buffer) => splitter.push(part));
      response.once('error', reject).once('end', resolve);
    })
      .once('error', reject)
      .end();
  });
}
