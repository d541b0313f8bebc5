/* global clock, countdown, distance, duration */
"use strict";

// Texts about a resource by the facts of its frame. The values are text from a server: they are never HTML.

/** The kinds of resources: the key of each, its collection in names, and its noun. */
const KINDS = JSON.parse(document.getElementById("options").textContent).kinds;

/** Returns the kind with this key, or the kind of trips if no kind has it. */
function kindOf(key) { return KINDS.find((kind) => kind.key === key) || KINDS[0]; }

/** Returns "2 trips, 1 delivery vehicle". */
function resourcesText(names) {
  const counts = new Map();
  for (const name of names) {
    const {noun} = KINDS.find(({collection}) => collection === name.split("/")[2]) || KINDS[0];
    counts.set(noun, (counts.get(noun) || 0) + 1);
  }
  return Array.from(counts).map(([noun, count]) => counted(count, noun)).join(", ");
}

/** The state of a resource in words: "On the way to the pickup", "Closed, failed", "3 stops left". */
function statusText(facts) {
  if (facts.kind === undefined) return "No data yet";
  const states = [facts.status, facts.outcome].filter((name) => name !== undefined);
  if (states.length) return capitalized(states.map(words).join(", "));
  if (facts.stopCount !== undefined) return stopsLeft(facts.stopCount);
  return capitalized(kindOf(facts.kind).noun);
}

/** Whether a task has failed. */
function hasFailed(facts) { return facts.outcome === "FAILED"; }

/**
 * The facts beside the map as pairs of a label and a text.
 *
 * @param {number} then the time that the facts refer to, in seconds since 1970
 */
function factRows(facts, then) {
  const outcome = facts.outcome && capitalized(words(facts.outcome));
  return [
    ["Type", facts.type && capitalized(words(facts.type))],
    ["Seats", facts.capacity && String(facts.capacity)],
    ["Trips now", facts.trips && facts.trips.join(", ")],
    ["Navigation", facts.navigation && capitalized(words(facts.navigation))],
    ["Outcome", outcome && facts.outcomeTime !== undefined ? `${outcome}, ${clock(facts.outcomeTime)}` : outcome],
    ["ETA", facts.eta === undefined ? null : `${clock(facts.eta)} (${countdown(facts.eta - then)})`],
    ["Time window", windowText(facts)],
    ["Distance", facts.distance === undefined ? null : distance(facts.distance)],
    ["Next stop", nextStopText(facts)],
    ["Stops left", facts.status === undefined || facts.stopCount === undefined ? null : String(facts.stopCount)],
    ["Vehicle", facts.vehicle],
    ["Shipment", facts.shipment],
    ["Location", facts.locationTime === undefined ? null : `${duration(then - facts.locationTime)} old`],
  ];
}

/** Whether a task will be done after its time window, or a shipment will arrive after it. */
function isAfterWindow({eta, windowEnd, isOver}) { return !isOver && eta > windowEnd; }

function windowText({windowStart, windowEnd}) {
  const parts = [];
  if (windowStart !== undefined) parts.push(`from ${clock(windowStart)}`);
  if (windowEnd !== undefined) parts.push(`to ${clock(windowEnd)}`);
  return parts.join(" ");
}

function nextStopText({nextStop, stops}) {
  if (nextStop !== undefined) return waypointText(nextStop);
  if (!stops || !stops.length) return null;
  return stopText(stops[0]) + (stops[0].state === "ARRIVED" ? " (arrived)" : "");
}

/** A stop of a vehicle: "Pickup, trip t1", or "Tasks a, b". */
function stopText({type, trip, tasks}) {
  if (tasks) return `${tasks.length === 1 ? "Task" : "Tasks"} ${tasks.join(", ")}`;
  const text = type === undefined ? "Stop" : waypointText(type);
  return trip === undefined ? text : `${text}, trip ${trip}`;
}

function stopsLeft(count) { return count === 0 ? "No stops left" : `${counted(count, "stop")} left`; }

function counted(count, noun) { return `${count} ${noun}${count === 1 ? "" : "s"}`; }

/** The name of an enum's value in words: "on the way to the pickup". */
function words(name) {
  return name.toLowerCase().replace(/_/g, " ").replace(/^enroute to/, "on the way to the")
    .replace(/^arrived at/, "at the").replace("dropoff", "drop-off").replace("intermediate destination", "stop");
}

/** The type of a stop of a trip in words: "Pickup". */
function waypointText(type) {
  return capitalized(words(type.replace(/_WAYPOINT_TYPE$/, "").replace("DROP_OFF", "DROPOFF")));
}

function capitalized(text) { return text.slice(0, 1).toUpperCase() + text.slice(1); }

/** The name without its provider; that of a trip is its ID. */
function shortName(name) { return name.replace(/^providers\/[^/]*\/(trips\/)?/, ""); }
