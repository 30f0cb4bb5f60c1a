import { runReader } from '../nodes/execution/reading/reader.ts';

void runReader();
