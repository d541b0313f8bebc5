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

  constructor({items, trips, checks, observers = []}) {
    const data = {trips, features: [], frames: [], calls: []};
    for (const item of items) (item.type ? data.features : item.facts ? data.frames : data.calls).push(item);
    for (const list of [data.frames, data.calls]) list.sort((a, b) => a.time - b.time);
    Object.assign(this, {calls: data.calls, checks, observers});
    this.trips = trips.map((trip) => trip.name);
    this.data = data;
    this.frameCache = [];
    this.framesByTrip = data.trips.map(() => []);
    data.frames.forEach((frame, index) => this.framesByTrip[frame.trip].push({time: frame.time, index}));
    for (const call of data.calls) call.status = this.statusAfter(call);
    this.start = data.calls.reduce((least, call) => Math.min(least, call.start), Infinity);
    this.end = data.calls.reduce((most, call) => Math.max(most, call.time), -Infinity);
    if (!data.calls.length) [this.start, this.end] = [0, 0];
    const vehicles = new Set(data.features.filter((feature) => feature.properties.kind === "vehicle"));
    const located = data.frames.find((frame) => frame.features.some((key) => vehicles.has(data.features[key])));
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

  /** Who observed each trip, if several did. */
  get observersByTrip() {
    return new Map(this.data.trips.map(({name, observer}) => [name, this.observers[observer]]));
  }

  /** The spans, delays and tracks of a trip: of this one, or of the first that has them. */
  analysis(name) {
    const found = this.data.trips.filter((trip) => trip.spans || trip.tracks);
    return found.find((trip) => trip.name === name) || found.find((trip) => trip.spans) || found[0] || {};
  }

  /** The status of the call's trip after it; undefined if it is unknown. */
  statusAfter({trip, time}) {
    const frames = this.framesByTrip[trip] || [];
    const position = lastIndex(frames, time);
    if (position < 0) return undefined;
    const {status, navigation} = this.data.frames[frames[position].index].facts;
    return status === undefined ? navigation : status;
  }

  frame(index) {
    if (!this.frameCache[index]) {
      const {features, facts, bounds, trip} = this.data.frames[index];
      this.frameCache[index] = {
        features: features.map((key) => this.data.features[key]), bounds,
        facts: Object.assign({staleAfter: this.data.trips[trip].staleAfter}, facts),
      };
    }
    return this.frameCache[index];
  }

  /** The last call that ended at or before a time; the first call if there is none. */
  callAt(time) { return Math.max(0, lastIndex(this.calls, time)); }

  /** The merged trip after a call: the changes of all calls of that trip up to it; or why there is none. */
  mergedTrip(index) {
    const {trip} = this.calls[index];
    if (trip === undefined) return null;
    if (this.data.trips[trip].note) return this.data.trips[trip].note;
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
