"use strict";

/** Receives the newest frame of each trip over server-sent events. */
class LiveSource {
  constructor(onChange) {
    this.frames = new Map();
    this.skew = 0;
    this.notice = null;
    const source = new EventSource(`events${location.search}`);
    source.addEventListener("trips", (event) => {
      const {now, trips} = JSON.parse(event.data);
      this.skew = now - Date.now() / 1000;
      this.notice = null;
      for (const {name, frame} of trips) this.frames.set(name, frame || null);
      onChange();
    });
    source.addEventListener("end", () => {
      source.close();
      this.notice = "tripwire has stopped.";
      onChange();
    });
    source.onerror = () => {
      this.notice = "tripwire does not respond; reconnecting…";
      onChange();
    };
  }

  /** The server's clock, in seconds since 1970. */
  get now() { return Date.now() / 1000 + this.skew; }
}
