/* global L, Crowd, Graticule, capitalized, decodePath, kindOf */
"use strict";

/** Draws the journeys of resources on a Leaflet map: the features that tripwire made, and nothing else. */
class MapView {
  constructor(element, options) {
    this.isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.map = L.map(element, {
      preferCanvas: true, zoomControl: true, worldCopyJump: false, attributionControl: Boolean(options.tiles),
      // Tiles between two zoom levels would be blurred.
      zoomAnimation: !this.isStill, zoomSnap: options.tiles ? 1 : 0.25,
    });
    this.map.setView([0, 0], 2);
    L.control.scale().addTo(this.map);
    if (options.tiles) {
      this.map.attributionControl.setPrefix("");
      L.tileLayer(options.tiles, {attribution: escapeHTML(options.attribution || ""), maxZoom: 20}).addTo(this.map);
    } else {
      new Graticule().addTo(this.map);
    }
    // The resources that are drawn in full.
    this.trips = new Map();
    this.crowd = new Crowd(this);
    // The names of these in a crowd; null if all are.
    this.opened = null;
    this.isFollowing = true;
    this.followed = null;
    // Whether the camera has to show the followed trips afresh, even if they are in view.
    this.isDue = true;
    // Everything is drawn within 180° of this longitude, so that a line across the antimeridian is whole.
    this.middle = 0;
    // An app's lines have their exact width.
    this.addedWidth = options.app ? 0 : 2;
    this.icons = {};
    // Who observed each resource, `{name, letter, color}`, if several did.
    this.observers = new Map();
    this.app = {};
    this.onFollowChange = () => {};
    this.onMarkerClick = () => {};
    // Leaflet notices only when the window changes.
    new ResizeObserver(() => {
      this.map.invalidateSize({pan: false});
      this.follow(this.followed);
    }).observe(element);
    // Only the user's own gestures end following; the camera's moves do not.
    for (const gesture of ["mousedown", "wheel", "touchstart", "keydown"]) {
      element.addEventListener(gesture, (event) => this.noteGesture(event), {passive: true});
    }
  }

  noteGesture(event) {
    if (event.type === "mousedown" && event.target.closest(".leaflet-marker-icon")) return;
    if (event.type === "keydown" && !/^(Arrow|[+\-=_]$)/.test(event.key)) return;
    if (!this.map[event.type === "wheel" ? "scrollWheelZoom" : "dragging"].enabled()) return;
    this.setFollowing(false);
  }

  setFollowing(isFollowing) {
    if (this.isFollowing === isFollowing) return;
    this.isFollowing = isFollowing;
    this.isDue = true;
    this.onFollowChange(isFollowing);
  }

  /** Draws only these resources in full, and the others as points; null for all in full. `show` has to follow. */
  open(names) { this.opened = names; }

  /** Shows a trip's frame; null removes the trip. Draws nothing if the frame is the one shown. */
  show(name, newFrame) {
    const isPoint = name !== null && this.opened !== null && !this.opened.has(name);
    this.crowd.set(name, isPoint ? newFrame : null);
    const frame = isPoint ? null : newFrame;
    const shown = this.trips.get(name);
    if (shown && shown.frame === frame) return;
    if (!frame) {
      if (shown) shown.remove();
      this.trips.delete(name);
      return;
    }
    if (!this.trips.size && frame.bounds) this.middle = frame.bounds[0];
    if (shown) {
      shown.update(frame);
    } else {
      this.trips.set(name, new TripLayer(this, name, frame));
    }
  }

  /** Takes over what an app says about its map. */
  apply({icons, places, view}) {
    const {app} = this;
    this.app = {icons, places, view};
    if (icons !== app.icons) {
      this.icons = icons;
      for (const layer of this.trips.values()) layer.update(layer.frame);
    }
    if (places !== app.places) this.show(null, places);
    if (view === app.view) return;
    const old = app.view || {follows: true};
    if (view.follows !== old.follows) this.setFollowing(view.follows);
    for (const gesture of ["dragging", "scrollWheelZoom", "doubleClickZoom", "touchZoom", "boxZoom", "keyboard"]) {
      const isAllowed = gesture === "dragging" ? view.scroll : gesture === "keyboard" ? view.scroll && view.zoom
        : view.zoom;
      if (this.map[gesture]) this.map[gesture][isAllowed ? "enable" : "disable"]();
    }
    this.map.zoomControl[view.zoom ? "addTo" : "remove"](this.map);
    this.moveCamera(view, old);
  }

  /** Moves the camera to another area of the app, or if the app has reset the camera. */
  moveCamera(view, old) {
    const isReset = view.resets !== old.resets;
    if (view.follows) {
      if (isReset) this.setFollowing(true);
    } else if (view.camera && (isReset || JSON.stringify(view.camera) !== JSON.stringify(old.camera))) {
      this.fit(this.areaOf(view.camera));
    }
  }

  /** Dims every trip but these. Many trips have small markers. */
  focus(names) {
    for (const [name, layer] of this.trips) layer.setFocus(names && (names.has(name) ? "focused" : "dimmed"));
    this.crowd.dim(names !== null);
    this.map.getContainer().classList.toggle("crowded", this.trips.size > 10 && names === null);
  }

  /**
   * Moves the camera so that it shows these trips, or all of them, if it follows. While they are in view it rests,
   * unless they have become small.
   */
  follow(names) {
    if (String(names && [...names]) !== String(this.followed && [...this.followed])) this.isDue = true;
    this.followed = names;
    if (!this.isFollowing) return;
    const bounds = L.latLngBounds([]);
    for (const [name, layer] of this.trips) {
      if (names !== null && !names.has(name)) continue;
      // In a crowd, the camera shows the points. The resource below the pointer does not move it.
      if (names !== null || this.opened === null || name === null) bounds.extend(layer.bounds);
    }
    for (const [name, {place}] of this.crowd.points) if (names === null || names.has(name)) bounds.extend(place);
    if (!bounds.isValid() || !this.map.getSize().x || !this.map.getSize().y) return;
    const gain = Math.min(this.zoomOf(bounds), MapView.closest) - this.map.getZoom();
    if (!this.isDue && this.isInView(bounds) && gain < MapView.leastGain) return;
    this.isDue = false;
    this.fit(bounds);
  }

  /** Whether an area is in view, with the whole markers at its edges. */
  isInView(bounds) {
    const size = this.map.getSize();
    const [northWest, southEast] = [bounds.getNorthWest(), bounds.getSouthEast()]
      .map((corner) => this.map.latLngToContainerPoint(corner));
    const margin = MapView.markerSize / 2;
    return northWest.x >= margin && northWest.y >= margin
      && southEast.x <= size.x - margin && southEast.y <= size.y - margin;
  }

  /** In pixels. With it the buttons and the scale in the corners cover no marker. A small map has less. */
  get padding() {
    const {x, y} = this.map.getSize();
    return {paddingTopLeft: [Math.min(64, x / 5), Math.min(40, y / 5)],
      paddingBottomRight: [Math.min(40, x / 5), Math.min(60, y / 4)]};
  }

  /** The zoom at which an area fits. */
  zoomOf(bounds) {
    const {paddingTopLeft, paddingBottomRight} = this.padding;
    return this.map.getBoundsZoom(bounds, false, L.point(paddingTopLeft).add(paddingBottomRight));
  }

  fit(bounds) {
    this.map.fitBounds(bounds, Object.assign(
      {maxZoom: MapView.closest}, this.padding, this.isStill ? {animate: false} : {}));
  }

  /** The full turns that bring a longitude within 180° of the middle, in degrees. */
  turns(longitude) { return 360 * Math.round((this.middle - longitude) / 360); }

  /** Where a position is drawn. */
  place([longitude, latitude]) { return [latitude, longitude + this.turns(longitude)]; }

  /** Where a part of a route is drawn. It does not cross the antimeridian, so its points have the same turns. */
  path(text) {
    const points = decodePath(text);
    const turns = this.turns(points.reduce((sum, [, longitude]) => sum + longitude, 0) / points.length);
    return points.map(([latitude, longitude]) => [latitude, longitude + turns]);
  }

  /** The area of west, south, east and north, also across the antimeridian. */
  areaOf([west, south, east, north]) {
    const left = west + this.turns((west + (east < west ? east + 360 : east)) / 2);
    return L.latLngBounds([south, left], [north, left + (east - west + 360) % 360]);
  }

  markers() {
    return Array.from(this.trips.values()).reduce((all, layer) => all.concat(layer.markers()), this.crowd.markers());
  }
}

// In pixels.
MapView.markerSize = 30;
// Zoom levels.
MapView.closest = 17;
MapView.leastGain = 1.5;
/** The largest number of resources that are all drawn in full. */
MapView.fullLimit = 20;

// Markers of the resource in focus are above others at the same place.
const FOCUSED_OFFSET = 2000;

/** One resource on the map. */
class TripLayer {
  constructor(view, name, frame) {
    const {map} = view;
    this.view = view;
    this.name = name;
    this.lines = L.layerGroup().addTo(map);
    this.circles = L.layerGroup().addTo(map);
    this.drawnLines = [];
    this.pins = new Map();
    this.pinGroup = L.layerGroup().addTo(map);
    this.update(frame);
  }

  update(frame) {
    this.frame = frame;
    const {features} = frame;
    const lines = features.filter((feature) => feature.geometry.type !== "Point");
    if (!areEqual(lines, this.drawnLines)) {
      this.drawnLines = lines;
      this.lines.clearLayers();
      for (const line of lines) this.lines.addLayer(polyline(line, this.view));
      if (this.focus === "dimmed") this.dimLines();
    }
    this.circles.clearLayers();
    const seen = new Set();
    for (const feature of features) {
      if (feature.geometry.type === "Point") seen.add(this.updatePin(feature));
    }
    for (const [key, pin] of this.pins) {
      if (seen.has(key)) continue;
      this.pinGroup.removeLayer(pin.marker);
      this.pins.delete(key);
    }
    this.bounds = frame.bounds ? this.view.areaOf(frame.bounds) : L.latLngBounds([]);
  }

  updatePin(feature) {
    const {kind, index, heading, accuracy, raw} = feature.properties;
    const place = this.view.place(feature.geometry.coordinates);
    const key = `${kind}/${index === undefined ? "" : index}`;
    const look = JSON.stringify(["marker-color", "anchor", "flat", "z-index"].map((name) => feature.properties[name]));
    const source = this.view.icons[feature.properties.icon];
    let pin = this.pins.get(key);
    if (!pin || pin.look !== look || pin.source !== source) {
      if (pin) this.pinGroup.removeLayer(pin.marker);
      pin = this.addPin(key, feature, source);
    }
    Object.assign(pin, {feature, look, source});
    pin.marker.setLatLng(place);
    const arrow = pin.marker.getElement().querySelector("[data-heading]");
    if (arrow) {
      if (arrow.tagName !== "IMG") arrow.style.visibility = heading === undefined ? "hidden" : "visible";
      arrow.style.transform = `rotate(${heading || 0}deg)`;
    }
    const measured = raw ? this.view.place(raw) : place;
    if (accuracy) {
      this.circles.addLayer(L.circle(measured, {
        radius: accuracy, weight: 1, color: feature.properties["marker-color"], fillOpacity: 0.12, interactive: false,
      }));
    }
    if (raw) {
      this.circles.addLayer(L.polyline([measured, place], {
        weight: 1, dashArray: "2 4", color: feature.properties["marker-color"], interactive: false,
      }));
      this.circles.addLayer(L.circleMarker(measured, {
        radius: 4, weight: 2, color: feature.properties["marker-color"], fillOpacity: 0, interactive: false,
      }));
    }
    return key;
  }

  addPin(key, feature, source) {
    const {kind, "z-index": zIndex = 0} = feature.properties;
    const observer = this.view.observers.get(this.name) || {};
    const label = pinLabel(feature.properties, (this.frame.facts || {}).kind, observer.name);
    const html = source ? pinImage(feature.properties, source) : pinShape(feature.properties, observer.letter);
    const icon = L.divIcon({className: "pin", html, iconSize: [30, 30]});
    const ownOffset = Math.max(-1e5, Math.min(zIndex, 1e5)) * 1e4 + (kind === "vehicle" ? 1000 : 0);
    const marker = L.marker([0, 0], {
      icon, keyboard: true, title: label, alt: label, ownOffset,
      zIndexOffset: ownOffset + (this.focus === "focused" ? FOCUSED_OFFSET : 0),
    });
    const pin = {marker, feature};
    marker.on("click", () => this.view.onMarkerClick(this.describe(pin)));
    marker.on("keypress", ({originalEvent}) => {
      if (originalEvent.key === "Enter") this.view.onMarkerClick(this.describe(pin));
    });
    this.pinGroup.addLayer(marker);
    this.pins.set(key, pin);
    const element = marker.getElement();
    element.dataset.kind = kind;
    element.setAttribute("aria-label", label);
    if (this.focus) element.classList.add(this.focus);
    return pin;
  }

  /** Dims the trip if the focus is "dimmed"; null if no trip has the focus. */
  setFocus(focus) {
    if (this.focus === focus) return;
    this.focus = focus;
    for (const {marker} of this.pins.values()) {
      marker.setZIndexOffset(marker.options.ownOffset + (focus === "focused" ? FOCUSED_OFFSET : 0));
      for (const name of ["focused", "dimmed"]) marker.getElement().classList.toggle(name, name === focus);
    }
    this.dimLines();
  }

  dimLines() {
    const isDimmed = this.focus === "dimmed";
    this.lines.eachLayer((line) => line.setStyle({opacity: isDimmed ? 0.25 : line.options.fullOpacity}));
  }

  describe({marker, feature}) {
    return Object.assign({trip: this.name, element: marker.getElement()}, describe(feature));
  }

  markers() { return Array.from(this.pins.values()).map((pin) => this.describe(pin)); }

  remove() {
    for (const group of [this.lines, this.circles, this.pinGroup]) group.remove();
  }
}

/** What a marker shows. */
function describe({geometry, properties: {kind, index, heading, snapped}}) {
  const [longitude, latitude] = geometry.coordinates;
  return {kind, index, heading, snapped, position: {latitude, longitude}};
}

/** Whether the same lines are drawn. In a recording equal features are one object. */
function areEqual(lines, others) {
  return lines.length === others.length
    && lines.every((line, index) => line === others[index] || JSON.stringify(line) === JSON.stringify(others[index]));
}

function polyline(feature, view) {
  const style = feature.properties;
  const opacity = style["stroke-opacity"];
  return L.polyline(feature.geometry.paths.map((text) => view.path(text)), {
    color: style.stroke, weight: style["stroke-width"] + view.addedWidth + (style.speed ? 1 : 0),
    opacity, fullOpacity: opacity,
    // Traffic is also told apart by its dashes.
    dashArray: {SLOW: "12 5", TRAFFIC_JAM: "6 4"}[style.speed], lineCap: style.speed ? "butt" : "round",
    interactive: false, smoothFactor: 1.5,
  });
}

/** The parts of a line, `{paths, meters}`, as points where they are drawn and their distances. */
function decodeLine({paths, meters}, view) {
  return paths.map((text, index) => ({points: view.path(text), meters: meters[index]}));
}

/**
 * @param {?string} resource the kind of the resource with the marker
 * @param {?string} observer who observed the resource, if several did
 */
function pinLabel({kind, index}, resource, observer) {
  const number = index === undefined ? "" : `, stop ${index + 1}`;
  switch (kind) {
  case "pickup": return `Pickup${number}`;
  case "dropoff": {
    const {key, noun} = kindOf(resource);
    return key === "trip" || number ? `Drop-off${number}` : capitalized(noun);
  }
  case "vehicle": return observer === undefined ? "Vehicle" : `Vehicle (${observer})`;
  default: return `Stop ${index + 1}`;
  }
}

/** The image of a marker whose app has set an icon. Without the image it becomes the usual shape. */
function pinImage(properties, source) {
  const [x, y] = properties.anchor.map((part) => part * 100);
  const image = Object.assign(document.createElement("img"), {src: source, alt: "", draggable: false});
  image.style.transformOrigin = `${x}% ${y}%`;
  if (properties.flat) image.dataset.heading = "";
  const icon = document.createElement("span");
  icon.className = "icon";
  icon.style.transform = `translate(${-x}%, ${-y}%)`;
  icon.append(image);
  image.addEventListener("error", () => { icon.parentElement.innerHTML = pinShape(properties); });
  return icon;
}

/** SVG of a marker. Each kind has a shape and a letter of its own; a vehicle has that of its observer. */
function pinShape({kind, index, "marker-color": color}, observer) {
  const fill = /^#[0-9a-f]{6}$/i.test(color) ? color : "#0b57d0";
  const text = (letter) =>
    `<text x="15" y="19.5" text-anchor="middle" font-size="12" font-weight="700" fill="#fff">${letter}</text>`;
  const edge = `fill="${fill}" stroke="#fff" stroke-width="2"`;
  switch (kind) {
  case "pickup": return svg(`<circle cx="15" cy="15" r="11" ${edge}/>${text("P")}`);
  case "dropoff": return svg(`<rect x="4.5" y="4.5" width="21" height="21" rx="3" ${edge}/>${text("D")}`);
  case "vehicle":
    return svg(`<g class="heading" data-heading><path d="M15 -6 L22 6 L8 6 Z" ${edge}/></g>`
      + `<circle cx="15" cy="15" r="${observer ? 11 : 9}" ${edge}/>`
      + (observer ? text(observer) : '<circle cx="15" cy="15" r="3" fill="#fff"/>'));
  default:
    return svg(`<path d="M15 2 L28 15 L15 28 L2 15 Z" ${edge}/>${text(Number(index) + 1)}`);
  }
}

function svg(content) { return `<svg width="30" height="30" viewBox="0 0 30 30" aria-hidden="true">${content}</svg>`; }

function escapeHTML(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
