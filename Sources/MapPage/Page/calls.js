/* global capitalized, clock, element, escaped, shortName, words */
"use strict";

/** The table of a recording's calls, with filters, and the JSON of the selected one. */
class CallTable {
  constructor(recording, onSelect) {
    this.recording = recording;
    this.onSelect = onSelect;
    document.getElementById("calls").hidden = false;
    this.rows = document.getElementById("rows");
    this.filters = document.getElementById("filters");
    this.detail = document.getElementById("call");
    this.space = element("div");
    this.rows.append(this.space);
    this.drawn = new Map();
    const {trip, status} = this.filters.elements;
    trip.add(new Option("all", ""));
    recording.trips.forEach((name, index) => trip.add(new Option(escaped(shortName(name)), index)));
    status.add(new Option("all", ""));
    const statuses = new Set(recording.calls.map((call) => call.status).filter(Boolean));
    for (const name of statuses) status.add(new Option(escaped(capitalized(words(name))), name));
    this.filters.addEventListener("change", () => this.filter());
    this.filters.addEventListener("submit", (event) => event.preventDefault());
    this.rows.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.rows);
    this.rows.addEventListener("keydown", (event) => this.move(event));
    this.filter();
  }

  filter() {
    const {trip, status, errors} = this.filters.elements;
    const isShown = (call) => (trip.value === "" || call.trip === Number(trip.value))
      && (status.value === "" || call.status === status.value) && (!errors.checked || call.code !== "OK");
    const {calls} = this.recording;
    this.shown = calls.map((call, index) => index).filter((index) => isShown(calls[index]));
    this.space.style.height = `${this.shown.length * CallTable.rowHeight}px`;
    document.getElementById("count").textContent = `${this.shown.length} of ${this.recording.calls.length}`;
    for (const row of this.drawn.values()) row.remove();
    this.drawn.clear();
    this.draw();
  }

  /** Draws the rows in view only: a recording may have thousands. */
  draw() {
    const first = Math.max(0, Math.floor(this.rows.scrollTop / CallTable.rowHeight) - 4);
    const last = first + Math.ceil(this.rows.clientHeight / CallTable.rowHeight) + 8;
    const wanted = new Set(this.shown.slice(first, last));
    for (const [index, row] of this.drawn) {
      if (wanted.has(index)) continue;
      row.remove();
      this.drawn.delete(index);
    }
    this.shown.slice(first, last).forEach((index, offset) => {
      if (!this.drawn.has(index)) this.drawn.set(index, this.row(index, first + offset));
    });
  }

  row(index, position) {
    const call = this.recording.calls[index];
    const row = element("div", {className: call.code === "OK" ? "row" : "row failed"});
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", index === this.selected);
    row.dataset.call = index;
    row.style.top = `${position * CallTable.rowHeight}px`;
    row.append(
      element("span", {}, clock(call.start, 3)), element("span", {className: "code"}, call.code),
      element("span", {className: "summary"}, call.summary));
    row.addEventListener("click", () => this.onSelect(index));
    this.rows.append(row);
    return row;
  }

  move(event) {
    const step = {ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10}[event.key];
    if (!step) return;
    event.preventDefault();
    const position = this.shown.indexOf(this.selected);
    const index = this.shown[Math.min(Math.max(position + step, 0), this.shown.length - 1)];
    if (index !== undefined) this.onSelect(index);
  }

  select(index) {
    if (index === this.selected) return;
    const old = this.drawn.get(this.selected);
    if (old) old.setAttribute("aria-selected", false);
    this.selected = index;
    const position = this.shown.indexOf(index);
    if (position >= 0) {
      const top = position * CallTable.rowHeight;
      if (top < this.rows.scrollTop || top + CallTable.rowHeight > this.rows.scrollTop + this.rows.clientHeight) {
        this.rows.scrollTop = top - this.rows.clientHeight / 2;
      }
      this.draw();
    }
    const row = this.drawn.get(index);
    if (row) row.setAttribute("aria-selected", true);
    // Scrubbing selects many calls a second; the JSON of the last is enough.
    clearTimeout(this.detailTimer);
    this.detailTimer = setTimeout(() => this.showDetail(index), 80);
  }

  showDetail(index) {
    const call = this.recording.calls[index];
    this.detail.hidden = !call;
    if (!call) return;
    const message = call.message ? `, ${call.message}` : "";
    this.detail.querySelector("h2").textContent = escaped(`${call.method}: ${call.code}${message}`);
    const parts = {response: call.response, request: call.request, trip: this.recording.mergedTrip(index)};
    for (const [part, value] of Object.entries(parts)) {
      this.detail.querySelector(`[data-part=${part}]`).textContent =
        value === undefined || value === null ? "(none)"
          : escaped(typeof value === "string" ? value : JSON.stringify(value, null, 2));
    }
  }
}
CallTable.rowHeight = 24;
