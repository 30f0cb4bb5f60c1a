import { Function as CodeFunction, Line, Location, Profile, Sample, StringTable, ValueType } from 'pprof-format';

/** A code location as Node's inspector reports it: lines from 0. */
export interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly scriptId: string;
  readonly lineNumber: number;
}

/** A stack, innermost frame first, and one value for each of the profile's types. */
export interface Stack {
  readonly frames: readonly Frame[];
  readonly values: readonly number[];
}

/** A profile before its encoding. */
export interface ProfileContent {
  /** Type and unit of each value: `cpu`, `nanoseconds`. */
  readonly types: readonly (readonly [type: string, unit: string])[];
  readonly period: { readonly type: string; readonly unit: string; readonly value: number };
  readonly stacks: readonly Stack[];
  /** Start (nanoseconds since 1970) and length of the measurement (nanoseconds). */
  readonly startedAt: bigint;
  readonly duration: bigint;
}

/** Encodes the profile for `go tool pprof` (protocol buffer, not compressed). */
export function encodeProfile(content: ProfileContent): Uint8Array {
  const strings = new StringTable();
  const functions: CodeFunction[] = [];
  const locations = new Map<string, Location>();

  function locationOf(frame: Frame): Location {
    const key = `${frame.scriptId}:${frame.functionName}:${frame.lineNumber}`;
    const entry = locations.get(key);
    if (entry) return entry;
    const id = locations.size + 1;
    const line = frame.lineNumber + 1;
    const name = strings.dedup(frame.functionName || '(anonymous)');
    functions.push(
      new CodeFunction({ id, name, systemName: name, filename: strings.dedup(frame.url), startLine: line }),
    );
    const location = new Location({ id, line: [new Line({ functionId: id, line })] });
    locations.set(key, location);
    return location;
  }

  const { period } = content;
  const valueType = (type: string, unit: string) =>
    new ValueType({ type: strings.dedup(type), unit: strings.dedup(unit) });
  const profile = new Profile({
    sampleType: content.types.map(([type, unit]) => valueType(type, unit)),
    sample: content.stacks.map(
      ({ frames, values }) =>
        new Sample({ locationId: frames.map((frame) => locationOf(frame).id), value: [...values] }),
    ),
    periodType: valueType(period.type, period.unit),
    period: period.value,
    timeNanos: content.startedAt,
    durationNanos: content.duration,
    location: [...locations.values()],
    function: functions,
    stringTable: strings,
  });
  return profile.encode();
}
