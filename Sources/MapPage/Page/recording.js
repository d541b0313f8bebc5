/* global DecompressionStream */
"use strict";

/** A recording: the frames of each trip over time, the calls, and the checks. */
class Recording {
  /** Reads the data that the page holds as Base64 of gzip. */
  static async read(text) {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Recording(await new Response(stream).json());
  }

  constructor(data) {
    Object.assign(this, {trips: data.trips, calls: data.calls, checks: data.checks});
    this.data = data;
    this.features = [];
    this.frameCache = [];
    this.framesByTrip = data.trips.map(() => []);
    data.frames.forEach((frame, index) => this.framesByTrip[frame.trip].push({time: frame.time, index}));
    const times = data.calls.map((call) => call.time);
    this.start = times.reduce((least, time) => Math.min(least, time), Infinity);
    this.end = data.calls.reduce((most, call) => Math.max(most, call.end), -Infinity);
    if (!data.calls.length) [this.start, this.end] = [0, 0];
    const located = data.frames.find((frame) => frame.facts.locationTime !== undefined);
    this.opening = located ? located.time : this.start;
  }

  /** The frame of each trip at a time. */
  framesAt(time) {
    return new Map(this.trips.map((name, trip) => {
      const frames = this.framesByTrip[trip];
      const position = lastIndex(frames, time);
      return [name, position < 0 ? null : this.frame(frames[position].index)];
    }));
  }

  frame(index) {
    if (!this.frameCache[index]) {
      const {journey, facts, camera} = this.data.frames[index];
      const features = journey.features.map((key) => this.feature(key));
      this.frameCache[index] = {facts, camera, journey: Object.assign({}, journey, {features})};
    }
    return this.frameCache[index];
  }

  feature(key) {
    if (!this.features[key]) {
      const feature = this.data.features[key];
      const {paths} = feature.geometry;
      if (paths) {
        const lines = paths.map((path) => decodePath(this.data.paths[path]));
        feature.geometry.coordinates = feature.geometry.type === "LineString" ? lines[0] : lines;
      }
      this.features[key] = feature;
    }
    return this.features[key];
  }

  /** The last call that began at or before a time; the first call if there is none. */
  callAt(time) { return Math.max(0, lastIndex(this.calls, time)); }

  /** The merged trip after a call: the changes of all calls of that trip up to it. */
  mergedTrip(index) {
    const {trip} = this.calls[index];
    if (trip === undefined) return null;
    const merged = {};
    for (const call of this.calls.slice(0, index + 1)) {
      if (call.trip !== trip || !call.changes) continue;
      Object.assign(merged, call.changes);
    }
    for (const key of Object.keys(merged)) if (merged[key] === null) delete merged[key];
    return merged;
  }
}

/** The index of the last item whose time is not after `time`; -1 if there is none. Items are sorted. */
function lastIndex(items, time) {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle].time <= time) low = middle + 1; else high = middle;
  }
  return low - 1;
}

/** Decodes the polyline algorithm with six decimals into pairs of longitude and latitude. */
function decodePath(text) {
  const points = [];
  let [position, latitude, longitude] = [0, 0, 0];
  const next = () => {
    let [result, shift, byte] = [0, 0, 32];
    while (byte >= 32) {
      byte = text.charCodeAt(position) - 63;
      position += 1;
      result |= (byte & 31) << shift;
      shift += 5;
    }
    return result & 1 ? ~(result >> 1) : result >> 1;
  };
  while (position < text.length) {
    latitude += next();
    longitude += next();
    points.push([longitude / 1e6, latitude / 1e6]);
  }
  return points;
}
