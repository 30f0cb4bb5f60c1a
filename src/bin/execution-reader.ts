import { runReadWorker } from '../nodes/execution/read-worker/run-read-worker.ts';

void runReadWorker();
