/* global factRows, hasFailed, isAfterWindow, resourcesText, shortName, statusText, stopText */
"use strict";

/** The text beside the map: the list of resources, and the facts of the one in focus. */
class Panel {
  constructor(onFocus, onSearch) {
    this.list = document.getElementById("trips");
    this.search = document.getElementById("search");
    this.more = document.getElementById("more");
    this.search.addEventListener("input", onSearch);
    this.details = document.getElementById("details");
    this.buttons = new Map();
    this.onFocus = onFocus;
  }

  /**
   * @param {Map<string, object>} frames the frame of each resource
   * @param {?string} focused the name of the resource in focus; null for all
   * @param {number} now seconds since 1970
   */
  show(frames, focused, now) {
    this.showList(frames, focused, now);
    const names = Array.from(frames.keys());
    const name = focused === null && names.length === 1 ? names[0] : focused;
    if (name === null) return this.showSummary(frames);
    this.showDetails(name, frames.get(name), now);
    return undefined;
  }

  /** The names that the search finds, if there is a text and they are not more than this. */
  found(frames, limit) {
    const names = this.search.value ? this.matches(frames) : [];
    return names.length <= limit ? names : [];
  }

  /** The names with the text of the search in them or in their status. */
  matches(frames) {
    const text = this.search.value.trim().toLowerCase();
    if (!text || this.search.hidden) return Array.from(frames.keys());
    return Array.from(frames.keys()).filter((name) =>
      shortName(name).toLowerCase().includes(text)
        || statusText((frames.get(name) || {}).facts || {}).toLowerCase().includes(text));
  }

  showList(frames, focused, now) {
    this.list.hidden = frames.size < 2;
    this.search.hidden = frames.size <= Panel.searchLimit;
    const matches = this.matches(frames);
    const names = matches.slice(0, Panel.listLimit);
    if (focused !== null && !names.includes(focused)) names.unshift(focused);
    setText(this.more, `${matches.length - names.length} more`);
    this.more.hidden = matches.length <= names.length;
    const shown = new Set(names);
    for (const [name, button] of this.buttons) {
      if (shown.has(name)) continue;
      button.remove();
      this.buttons.delete(name);
    }
    if (this.list.hidden) return;
    let position = 0;
    for (const name of names) {
      const frame = frames.get(name);
      const button = this.buttons.get(name) || this.addButton(name);
      const facts = frame ? frame.facts : {};
      setText(button.querySelector(".status"), facts.error ? facts.error.code : statusText(facts));
      button.className = facts.error || hasFailed(facts) ? "failing" : isStale(facts, now) ? "late" : "";
      button.setAttribute("aria-pressed", name === focused);
      if (button !== this.list.children[position]) this.list.insertBefore(button, this.list.children[position]);
      position += 1;
    }
  }

  /** Scrolls the list to a resource. */
  reveal(name) {
    const button = this.buttons.get(name);
    if (button) button.scrollIntoView({block: "nearest"});
  }

  addButton(name) {
    const button = element("button", {type: "button", title: cut(name, 1000)});
    const label = cut(shortName(name), 200);
    button.append(element("span", {className: "name"}, label), element("span", {className: "status"}));
    button.addEventListener("click", () => this.onFocus(button.getAttribute("aria-pressed") === "true" ? null : name));
    this.list.append(button);
    this.buttons.set(name, button);
    return button;
  }

  showSummary(frames) {
    const counts = new Map();
    for (const frame of frames.values()) {
      const text = statusText(frame ? frame.facts : {});
      counts.set(text, (counts.get(text) || 0) + 1);
    }
    const rows = Array.from(counts).sort(([, one], [, other]) => other - one);
    // Delivery vehicles have a state for each number of stops.
    const others = rows.length > Panel.stateLimit ? rows.splice(Panel.stateLimit - 1) : [];
    if (others.length) rows.push(["Others", others.reduce((sum, [, count]) => sum + count, 0)]);
    this.render(
      resourcesText(frames.keys()), "", rows.map(([text, count]) => [text, String(count)]), [], []);
  }

  showDetails(name, frame, now) {
    if (!frame) return this.render(name, "No data yet", [], [], []);
    const {facts} = frame;
    const warnings = [];
    if (facts.error) {
      const since = duration(now - facts.error.since);
      warnings.push(["error", `${facts.error.code}: ${facts.error.message} (for ${since})`]);
    }
    if (isStale(facts, now)) warnings.push(["stale", `not updated for ${duration(now - facts.updated)}`]);
    // The times of a replayed recording are in the past.
    const then = now - (facts.delay || 0);
    if (isAfterWindow(facts)) warnings.push(["stale", "the ETA is after the time window"]);
    const rows = [...factRows(facts, then), ["Heading", heading(frame)]];
    this.render(name, statusText(facts), rows.filter(([, text]) => text), warnings, stopRows(facts.stops || []));
    return undefined;
  }

  render(title, status, rows, warnings, stops) {
    const key = JSON.stringify([title, status, rows, warnings, stops]);
    if (key === this.rendered) return;
    this.rendered = key;
    const list = element("dl");
    for (const [term, text] of rows) list.append(element("dt", {}, term), shortened("dd", {}, text));
    const stopList = element("ol");
    for (const texts of stops) {
      const item = element("li");
      item.append(...texts.map((text) => shortened("span", {}, text)));
      stopList.append(item);
    }
    this.details.replaceChildren(
      shortened("h1", {}, title), shortened("p", {className: "status"}, status), list,
      ...warnings.map(([className, text]) => shortened("p", {className}, text)),
      ...(stops.length ? [element("h2", {}, "Stops"), stopList] : []));
  }
}

/** The list can be searched if it has more entries, and shows so many of them. */
Panel.searchLimit = 20;
Panel.listLimit = 100;
// The list of stops is cut: a route may have hundreds.
Panel.stopLimit = 30;

/** The number of states in the summary of many resources. */
Panel.stateLimit = 10;

/** The number, the text, the ETA and the distance of each stop. */
function stopRows(stops) {
  const rows = stops.slice(0, Panel.stopLimit).map((stop, index) => [
    String(index + 1), stopText(stop), stop.eta === undefined ? "" : clock(stop.eta),
    stop.distance === undefined ? "" : distance(stop.distance)]);
  if (stops.length > rows.length) rows.push(["…", `${stops.length - rows.length} more`]);
  return rows;
}

/** A live resource is stale when the program says so, and a recorded one some time after its last response. */
function isStale(facts, now) {
  if (facts.isOver) return false;
  return facts.isStale || (facts.staleAfter !== undefined && now - facts.updated > facts.staleAfter);
}

function heading(frame) {
  const vehicle = frame.features.find((feature) => feature.properties.kind === "vehicle");
  if (!vehicle || vehicle.properties.heading === undefined) return null;
  const degrees = (Math.round(vehicle.properties.heading) % 360 + 360) % 360;
  return `${degrees}° ${["N", "NE", "E", "SE", "S", "SW", "W", "NW"][Math.round(degrees / 45) % 8]}`;
}

// Text of values. Everything from a server is set as text, never as HTML.

/** Control characters, and characters that reorder text or are invisible. */
const UNSAFE = /(?![\n\p{VS}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;

/** The text with unsafe characters as escapes of JSON: one could make a name look like another one. */
function escaped(text) {
  return text.replace(UNSAFE, (character) => Array.from({length: character.length}, (_, index) =>
    `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join(""));
}

function element(tag, properties = {}, text = "") {
  const node = Object.assign(document.createElement(tag), properties);
  node.textContent = escaped(text);
  return node;
}

/** An element with the start of a text, and more of it in the tooltip. A server may send texts of any length. */
function shortened(tag, properties, text) {
  const node = element(tag, properties, cut(text, 200));
  if (text.length > 200) node.title = cut(text, 1000);
  return node;
}

/** The text, or its first characters and an ellipsis. */
function cut(text, limit) {
  // The cut is not within a surrogate pair.
  return escaped(text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, "")}…`);
}

function setText(node, text) {
  const shown = escaped(text);
  if (node.textContent !== shown) node.textContent = shown;
}

function clock(seconds, digits = 0) {
  const date = new Date(seconds * 1000);
  const text = date.toLocaleTimeString([], {hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false});
  return digits ? `${text}.${String(date.getMilliseconds()).padStart(3, "0")}` : text;
}

function duration(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 90) return `${whole} s`;
  if (whole < 5400) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor(whole / 60) % 60} min`;
}

function countdown(seconds) { return seconds >= 0 ? `in ${duration(seconds)}` : `${duration(-seconds)} ago`; }

function distance(meters) { return meters < 1000 ? `${Math.round(meters)} m` : `${(meters / 1000).toFixed(1)} km`; }
