"use strict";

/** Receives the newest frame of each resource over server-sent events, and what an app says about its map. */
class LiveSource {
  /**
   * @param {string} program the program that serves the page, in messages
   * @param {string[]} names the order of the resources; others follow as they come
   */
  constructor(program, names, onChange) {
    this.frames = new Map();
    this.ranks = new Map(names.map((name, index) => [name, index]));
    this.skew = 0;
    this.notice = null;
    this.app = {};
    let isNew = true;
    const source = new EventSource(`events${location.search}`);
    source.addEventListener("open", () => { isNew = true; });
    source.addEventListener("frames", (event) => {
      const {now, frames} = JSON.parse(event.data);
      this.skew = now - Date.now() / 1000;
      this.notice = null;
      // Each connection begins with all resources. After a restart the server may have others.
      if (isNew) this.frames.clear();
      isNew = false;
      const hasNew = frames.some(({name}) => !this.frames.has(name));
      for (const {name, frame} of frames) {
        if (frame && frame.app) Object.assign(this.app, frame.app); else this.frames.set(name, frame || null);
        if (frame && frame.app && frame.app.trips) this.keep(new Set(frame.app.trips));
      }
      if (hasNew) this.sort();
      onChange();
    });
    source.addEventListener("end", () => {
      source.close();
      this.notice = `${program} has stopped.`;
      onChange();
    });
    source.onerror = () => {
      this.notice = source.readyState === EventSource.CLOSED
        ? `${program} refuses this page. Reload it, or open the address that was printed.`
        : `${program} does not respond; reconnecting…`;
      onChange();
    };
  }

  /** A connection begins with the states in the order of their last changes. */
  sort() {
    const rank = ([name]) => (this.ranks.has(name) ? this.ranks.get(name) : this.ranks.size);
    this.frames = new Map(Array.from(this.frames).sort((a, b) => rank(a) - rank(b)));
  }

  /** Drops the resources that the app no longer shows. */
  keep(names) {
    for (const name of this.frames.keys()) if (!names.has(name)) this.frames.delete(name);
  }

  /** The server's clock, in seconds since 1970. */
  get now() { return Date.now() / 1000 + this.skew; }
}
